// The one line that both programs repeat: 37 bytes with its newline, so that their output is the
// same to the byte.
#pragma once

#define DEMO_LINE "Hello, World! Here is one more line.\n"

_Static_assert(sizeof DEMO_LINE - 1 == 37, "the story's figures are for lines of 37 bytes");
