# Python's ways to have others write: subprocess (vfork), os.fork, os.system, threads, pipes in
# between.
import os
import subprocess
import sys
import threading

subprocess.run(["/bin/echo", "a child"], check=True)
subprocess.run("echo a shell; echo its stderr >&2", shell=True, check=True)
captured = subprocess.run(["/bin/echo", "captured"], capture_output=True, text=True, check=True)
print("got", captured.stdout, end="", flush=True)
subprocess.run(["/usr/bin/sort"], input=b"c\nb\na\n" * 1000, stdout=subprocess.DEVNULL, check=True)
subprocess.run(["/bin/echo", "clean environment"], env={}, check=True)
os.system("echo system")
child = os.fork()
if child == 0:
    os.write(2, b"forked\n")
    os._exit(0)
os.waitpid(child, 0)


def write_lines(fd, text):
    for _ in range(100):
        os.write(fd, text)


threads = [threading.Thread(target=write_lines, args=(1 + i % 2, b"a thread\n")) for i in range(6)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
sys.exit(4)
