#!/usr/bin/python3
"""genbig.py: the page by print, as a script writes it. Python's stdout has a buffer of its own."""
import os
import signal
import sys

FIRST_LINE = (
    '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>A long page</title>'
    "</head><body>"
)
ELEMENT = "<p>One more line of a page that never ends.</p>"
LAST_LINE = "</body></html>"

DEFAULT_SIZE = 42 << 20
MAX_SIZE = 1024 << 30
SHIFTS = {"K": 10, "M": 20, "G": 30}


def refuse(argument, why):
    program = sys.argv[0]
    sys.stderr.write(f"{program}: '{argument}' {why}; usage: {program} [--size BYTES[K|M|G]]\n")
    sys.exit(2)


def parse_size(text):
    shift = SHIFTS.get(text[-1:], 0)
    digits = text[:-1] if shift else text
    if not (digits.isascii() and digits.isdigit()):
        refuse(text, "is no size")
    # Python itself refuses to convert thousands of digits.
    if len(digits.lstrip("0")) > 20 or int(digits) << shift > MAX_SIZE:
        refuse(text, "is more than 1024G")
    return int(digits) << shift


def parse_arguments(arguments):
    size = DEFAULT_SIZE
    while arguments:
        argument = arguments.pop(0)
        if argument != "--size":
            refuse(argument, "is no option" if argument[:1] == "-" else "is one argument too many")
        if not arguments:
            refuse(argument, "lacks its size")
        size = parse_size(arguments.pop(0))
    return size


def write_page(size):
    elements = -(-max(0, size - len(FIRST_LINE) - 1) // (len(ELEMENT) + 1))
    print(FIRST_LINE)
    for _ in range(elements):
        print(ELEMENT)
    print(LAST_LINE)
    sys.stdout.flush()


def main():
    size = parse_arguments(sys.argv[1:])
    if sys.stdout is None:
        sys.stderr.write(f"{sys.argv[0]}: stdout is closed\n")
        sys.exit(1)
    # Python ignores SIGPIPE, and with it the usual end of a program whose reader has gone.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    try:
        write_page(size)
    except OSError as error:
        sys.stderr.write(f"{sys.argv[0]}: stdout: {error.strerror}\n")
        sys.stderr.flush()
        # An ordinary exit would try to flush once more, and complain once more.
        os._exit(1)


main()
