#!/bin/bash
# The story of printf and write, told by iotrace: the same million lines in three ways to four destinations, and what
# becomes of a message when the program aborts. demos/run calls it with the build tree as its argument.
set -euo pipefail
export LC_ALL=C
build=$1
fields=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../stdout_vs_stderr" && pwd)/report_fields
lines=1000000
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd -- "$build/demos"

traced() { "$build/bin/iotrace" --quiet --export-json "$work/report.json" -- "$@"; }

# Runs a program with its stdout joined to a destination.
run_to() {
  local destination=$1
  shift
  case $destination in
    null) traced "$@" >/dev/null ;;
    file) traced "$@" >"$work/lines" ;;
    pipe) traced "$@" | cat >/dev/null ;;
    terminal) ./ptyrun --leave-stderr 80x24 "$build/bin/iotrace" --quiet --export-json "$work/report.json" -- "$@" ;;
  esac
}

declare -A real calls
row() {
  local destination=$1 name=$2
  shift 2
  run_to "$destination" "$@"
  local figures
  read -ra figures < <("$fields" "$work/report.json" real_s user_s sys_s streams.stdout.calls \
    streams.stdout.bytes_per_call.mean)
  printf '%-11s %-21s %8.3f %8.3f %8.3f %9d %11.1f\n' "$destination" "$name" "${figures[@]}"
  real[$destination $name]=${figures[0]}
  calls[$destination $name]=${figures[3]}
}

echo "Is printf faster than write? The same $lines lines of 37 bytes, one run each:"
echo
printf '%-11s %-21s %8s %8s %8s %9s %11s\n' 'stdout is' program 'real s' 'user s' 'sys s' calls bytes/call
for destination in null file pipe terminal; do
  row "$destination" 'write' ./write_demo "$lines"
  row "$destination" 'printf, unbuffered' ./printf_demo "$lines" --unbuffered
  row "$destination" 'printf' ./printf_demo "$lines"
done

ratio() { awk -v a="$1" -v b="$2" 'BEGIN { if (b > 0) printf "%.1f", a / b; else printf "-" }'; }

# How many bytes of the message arrived, and how many iotrace says were still in the buffer.
abort_to() {
  local stream=$1
  shift
  # The shell's own words about the death of the program would be in between.
  { traced ./abort_demo "$@" >"$work/stdout" 2>"$work/stderr" || true; } 2>/dev/null
  "$fields" "$work/report.json" "streams.$stream.bytes" "streams.$stream.stdio.unflushed_bytes"
}
read -r stdout_bytes stdout_lost < <(abort_to stdout)
read -r stderr_bytes stderr_lost < <(abort_to stderr --stderr)

echo
fold -s -w 118 <<END
To /dev/null, printf with its buffer made ${calls[null printf]} system calls where write made ${calls[null write]}, and took \
${real[null printf]} s against ${real[null write]} s: $(ratio "${real[null write]}" "${real[null printf]}") times faster. Without \
the buffer printf makes ${calls[null printf, unbuffered]} calls as well and took ${real[null printf, unbuffered]} s, \
$(ratio "${real[null printf, unbuffered]}" "${real[null write]}") times what write took. Nobody asked for the buffer: on a \
terminal the same program makes ${calls[terminal printf]} calls. And a buffer can be lost: of a message without a newline \
before abort(), $stdout_bytes bytes left through stdout and $stdout_lost stayed behind; through stderr $stderr_bytes bytes \
left and $stderr_lost stayed behind.
END
