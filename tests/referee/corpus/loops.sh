#!/bin/sh
# Many small writes of one process, as scripts make them, and many short processes.
i=0
while [ $i -lt 500 ]; do
  echo "line $i"
  echo "note $i" >&2
  i=$((i + 1))
done
while [ $i -gt 470 ]; do
  /bin/echo "program $i"
  /bin/true
  i=$((i - 1))
done
sh -c 'sh -c "echo three levels down; echo and its stderr >&2"; echo two levels down'
