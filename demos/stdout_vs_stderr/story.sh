#!/bin/bash
# The story of stdout and stderr in a full-screen program, told by iotrace: the same moving picture on each stream, with
# each buffer, on a terminal of 200x50 that is drained at full speed. demos/run calls it with the build tree as argument.
set -euo pipefail
export LC_ALL=C
build=$1
fields=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)/report_fields
size=200x50
seconds=3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd -- "$build/demos"

declare -A fps calls
row() {
  local stream=$1 buffer=$2 other=stderr
  [[ $stream == stdout ]] || other=stdout
  ./ptyrun "--leave-$other" "$size" "$build/bin/iotrace" --quiet --export-json "$work/report.json" -- \
    ./tui_demo --stream "$stream" --buffer "$buffer" --frame-cap 0 --duration "$seconds" &>"$work/result"
  local frames time total mean
  # tui_demo: 165 frames in 3.01 s: 54.8 frames per second on stderr
  read -r _ frames _ _ time _ <"$work/result"
  read -r total mean < <("$fields" "$work/report.json" "streams.$stream.calls" "streams.$stream.bytes_per_call.mean")
  fps[$stream $buffer]=$(awk -v f="$frames" -v t="$time" 'BEGIN { printf "%.1f", f / t }')
  calls[$stream $buffer]=$(awk -v c="$total" -v f="$frames" 'BEGIN { printf "%.1f", c / f }')
  printf '%-7s %-7s %11s %13s %12.1f\n' "$stream" "$buffer" "${fps[$stream $buffer]}" "${calls[$stream $buffer]}" "$mean"
}

echo "Should a full-screen program draw on stdout or on stderr? A picture of $size cells, $seconds seconds each:"
echo
printf '%-7s %-7s %11s %13s %12s\n' stream buffer frames/s calls/frame bytes/call
for stream in stdout stderr; do
  for buffer in line none block; do
    row "$stream" "$buffer"
  done
done

ratio() { awk -v a="$1" -v b="$2" 'BEGIN { if (b > 0) printf "%.1f", a / b; else printf "-" }'; }

echo
fold -s -w 118 <<END
As the two come, stdout with a buffer for lines and stderr with none, a frame took ${calls[stdout line]} system calls on \
stdout and ${calls[stderr none]} on stderr, $(ratio "${calls[stderr none]}" "${calls[stdout line]}") times as many, and \
stdout showed $(ratio "${fps[stdout line]}" "${fps[stderr none]}") times as many frames per second. It is not the stream, it \
is the buffer: stderr with one for lines makes ${calls[stderr line]} calls a frame and ${fps[stderr line]} frames per second, \
stdout without one ${calls[stdout none]} calls and ${fps[stdout none]} frames. With a buffer for whole frames, stdout makes \
${calls[stdout block]} calls a frame and ${fps[stdout block]} frames per second.
END
