#!/bin/sh
# Shell output by every way that POSIX has; for bash and dash. Builtins write through descriptor 1
# whatever the line says.
echo "to stdout"
echo "to stderr" >&2
{ echo "a group"; echo "of two" >&2; } 2>&1
(echo "a subshell"; echo "and its stderr" >&2)
printf '%s\n' one two three | while read -r word; do echo "piped $word"; done
printf 'x\ny\nz\n' | sort -r | cat >&2
echo "in a file" > file
cat file file >> file.copy
cat file.copy - <<HERE
a here document for $(basename /some/body)
HERE
say() {
  echo "said $1"
  echo "complained about $1" >&2
}
say this
said=$(say that 2>/dev/null)
echo "captured: $said"
loud=$(say more 2>&1 >/dev/null)
echo "captured: $loud" >&2
exec 3>&1 4>&2
echo "through descriptor 3" >&3
echo "through descriptor 4" >&4
exec 3>&- 4>&-
for i in 1 2 3 4 5; do
  echo "job $i" > "job.$i" &
done
wait
cat job.1 job.2 job.3 job.4 job.5
ls no-such-file
exec > exec.out
echo "stdout is a file now"
/bin/echo "for programs, too"
exec 2>&1
say everything
exec > /dev/null
echo "into nothing"
