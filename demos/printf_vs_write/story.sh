#!/bin/bash
# The story of printf and write, told by iotrace: the same lines to the null device, one table for each way.
# demos/run calls it with the build tree as its argument.
set -euo pipefail
build=$1
cd -- "$build/demos"

tell() {
  printf '\n--- %s\n\n' "$*"
  { "$build/bin/iotrace" -- "./$1" "${@:2}" >/dev/null; } 2>&1
}

echo "Is printf faster than write? Look at the output calls of each."
tell write_demo
tell printf_demo --unbuffered
tell printf_demo
tell printf_demo 20
