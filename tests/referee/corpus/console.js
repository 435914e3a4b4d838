// Node's console and streams; synchronous on files. Its threads wake each other by writes to
// eventfds.
const fs = require('fs');
const { execFileSync, spawnSync } = require('child_process');

for (let i = 0; i < 500; i++) console.log('line', i);
for (let i = 0; i < 50; i++) console.error('error', i);
process.stdout.write('x'.repeat(1000000) + '\n');
fs.writeSync(1, 'straight to descriptor 1\n');
fs.writeFileSync('node.out', 'y'.repeat(100000));
process.stdout.write(execFileSync('/bin/echo', ['captured']));
spawnSync('/bin/sh', ['-c', 'echo inherited; echo its stderr >&2'], { stdio: 'inherit' });
process.stderr.write('the end\n');
