#!/bin/bash
# The story of Hello, N, told by iotrace: the same items by ten strategies (and Rust's own), one run each to the null
# device. demos/run calls it with the build tree as its argument; FULL=1 in the environment: the published count.
set -euo pipefail
export LC_ALL=C
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
build=$1
fields=$here/../stdout_vs_stderr/report_fields
names=$("$here/programs" "$build")
read -ra programs <<<"$names"
count=10000000
[[ ${FULL-} != 1 ]] || count=100000000
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

echo "Is a line buffer free where there are no lines? $count items without a newline, one run each to /dev/null:"
echo
declare -A seconds calls mean in_calls
for name in "${programs[@]}"; do
  "$build/bin/iotrace" --quiet --export-json "$work/report.json" -- "$build/demos/$name" "$count" >/dev/null
  read -r real user sys "calls[$name]" "mean[$name]" "in_calls[$name]" < <("$fields" "$work/report.json" \
    real_s user_s sys_s streams.stdout.calls streams.stdout.bytes_per_call.mean \
    streams.stdout.time.total_s)
  seconds[$name]=$(awk -v user="$user" -v sys="$sys" 'BEGIN { printf "%.4f", user + sys }')
  echo "$name $real ${seconds[$name]} ${calls[$name]} ${mean[$name]}" >>"$work/rows"
done

ratio() { awk -v a="$1" -v b="$2" 'BEGIN { if (b > 0) printf "%.1f", a / b; else printf "-" }'; }

sort -k3,3gr "$work/rows" >"$work/sorted"
slowest=$(head -n 1 "$work/sorted" | cut -d ' ' -f 1)
fastest=$(tail -n 1 "$work/sorted" | cut -d ' ' -f 1)
printf '%-16s %9s %13s %9s %10s %11s\n' program 'real s' 'user + sys s' relative calls bytes/call
while read -r name real processor count_of_calls bytes; do
  printf '%-16s %9.3f %13.3f %9s %10d %11.1f\n' "$name" "$real" "$processor" \
    "$(ratio "$processor" "${seconds[$fastest]}")" "$count_of_calls" "$bytes"
done <"$work/sorted"
read -r turbo limit times_limit < <("$here/limit_ratio" "$build")

echo
fold -s -w 118 <<END
$slowest took the most processor time, $fastest the least: $(ratio "${seconds[$slowest]}" "${seconds[$fastest]}") to 1. \
A call for each piece (naive) is ${calls[hello_naive]} calls; the line buffer of 1 KiB makes ${calls[hello_glacial]} of them, \
$(printf '%.0f' "${mean[hello_glacial]}") bytes each, and since no piece holds a newline it never has a line to flush. Yet with \
the lock taken once (slow) it took $(ratio "${seconds[hello_slow]}" "${seconds[hello_speedy]}") times what a plain buffer of 32 KiB \
takes (speedy, ${calls[hello_speedy]} calls), and with a lock for each piece (glacial) \
$(ratio "${seconds[hello_glacial]}" "${seconds[hello_speedy]}") times. It is not the calls: of the \
$(printf '%.3f' "${seconds[hello_slow]}") s of slow, $(printf '%.3f' "${in_calls[hello_slow]}") s went by in them; the rest is \
formatting, and a search for a newline in each piece. The same plain buffer above the line buffer (fast) took \
$(ratio "${seconds[hello_fast]}" "${seconds[hello_speedy]}") times what it takes alone. At 100000000 items hello_turbo took $turbo s \
of processor time, untraced, and a thread that only copies as many bytes and writes them out $limit s: $times_limit times the \
physical limit.
END
