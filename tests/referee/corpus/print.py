# Python's print and os.write in turn: block-buffered text, unbuffered descriptors, sizes above
# every buffer.
import os
import sys

for i in range(600):
    print("line", i, "of python")
    if i % 100 == 0:
        print("note", i, file=sys.stderr)
sys.stdout.flush()
for i in range(200):
    os.write(1, b"straight to descriptor 1\n")
os.write(2, b"x" * 100_000 + b"\n")
sys.stdout.write("y" * 1_000_000 + "\n")
sys.stdout.buffer.write(b"z" * 300_000)
os.writev(1, [b"gathered ", b"from ", b"three\n"])
with open("python.out", "w") as out:
    for i in range(2000):
        out.write(f"{i}\n")
with open("python.raw", "wb", buffering=0) as out:
    out.write(b"unbuffered")
    os.pwrite(out.fileno(), b"positioned", 20)
print("the last words, flushed at exit", end="")
