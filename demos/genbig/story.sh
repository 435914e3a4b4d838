#!/bin/bash
# The story of the large page, told by iotrace: the same page line by line and in blocks, to the null device, to a reader
# that is fast and to one that is slow. demos/run calls it with the build tree as its argument. The published size is
# small enough to be the usual one.
set -euo pipefail
export LC_ALL=C
build=$1
fields=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../stdout_vs_stderr" && pwd)/report_fields
size=42M
pause=1000
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd -- "$build/demos"
# The story is about the buffer that a script gets when nobody asks for none.
unset PYTHONUNBUFFERED

programs=()
for name in genbig_endl genbig-line-rs genbig.py genbig-block-rs genbig_block; do
  # Rust's are there only where rustc is, and a script needs its interpreter.
  [[ ! -x $name || ($name == *.py && ! -x /usr/bin/python3) ]] || programs+=("$name")
done

traced() { "$build/bin/iotrace" --quiet --export-json "$work/report.json" -- "./$1" --size "$size"; }

run_to() {
  case $1 in
    null) traced "$2" >/dev/null ;;
    'fast reader') traced "$2" | ./genbig_reader ;;
    'slow reader') traced "$2" | ./genbig_reader --pause "$pause" ;;
  esac
}

share() { awk -v part="$1" -v whole="$2" 'BEGIN { printf "%.0f", (whole > 0 ? 100 * part / whole : 0) }'; }
seconds() { printf '%.2f' "${real[$1]}"; }
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { if (b > 0) printf "%.1f", a / b; else printf "-" }'; }

declare -A real calls in_calls
row() {
  local key="$1 $2" user sys mean
  run_to "$1" "$2"
  read -r "real[$key]" user sys "calls[$key]" mean "in_calls[$key]" < <("$fields" "$work/report.json" real_s user_s \
    sys_s streams.stdout.calls streams.stdout.bytes_per_call.mean streams.stdout.time.total_s)
  printf '%-12s %-16s %8.3f %8.3f %8.3f %9d %11.1f %13.3f %9s\n' "$1" "$2" "${real[$key]}" "$user" "$sys" \
    "${calls[$key]}" "$mean" "${in_calls[$key]}" "$(share "${in_calls[$key]}" "${real[$key]}") %"
}

echo "Flush each line, or not? A page of $size, one run each; the slow reader rests $pause us after each 64 KiB:"
echo
printf '%-12s %-16s %8s %8s %8s %9s %11s %13s %9s\n' 'stdout is' program 'real s' 'user s' 'sys s' calls bytes/call \
  'in calls s' 'of real'
for destination in null 'fast reader' 'slow reader'; do
  for name in "${programs[@]}"; do
    row "$destination" "$name"
  done
done

echo
fold -s -w 118 <<END
Flushed at each line, the page took ${calls[null genbig_endl]} system calls, in blocks ${calls[null genbig_block]}. To \
/dev/null the blocks were $(ratio "${real[null genbig_endl]}" "${real[null genbig_block]}") times faster, to a reader that \
does nothing but read $(ratio "${real[fast reader genbig_endl]}" "${real[fast reader genbig_block]}") times. With the slow \
reader they took $(seconds 'slow reader genbig_endl') and $(seconds 'slow reader genbig_block') s: the program that writes \
blocks spent $(share "${in_calls[slow reader genbig_block]}" "${real[slow reader genbig_block]}") % of that in its calls, waiting for the \
reader (to /dev/null: $(share "${in_calls[null genbig_block]}" "${real[null genbig_block]}") %). That is time which no buffer in the \
writer saves, and iotrace shows it as time in calls.
END
