// A terminal that a full-screen program has taken over: raw mode, alternate screen, no cursor; and
// the promise that it is given back whatever ends the program: a normal end, a deadly signal, a
// crash. There is one such terminal in a program. tui_demo and simple_tui; what signal handlers do
// is all in terminal.cc.
#pragma once

#include <optional>

namespace iotrace {

struct Size {
  int columns = 0;
  int rows = 0;
};

// Of the terminal `fd`; 80x24 where the terminal does not know. Empty if it is no terminal.
std::optional<Size> terminal_size(int fd);

// Takes the terminal over: its picture appears through `screen_fd`, its settings are those of
// `keys_fd`. Either may be -1 or no terminal: keys need one, while the screen's control sequences
// are written to whatever it is. From now on deadly signals give the terminal back first.
void take_terminal(int screen_fd, int keys_fd);

// As it was before. Does nothing the second time.
void give_terminal_back();

// True once after each change of the window's size.
bool window_has_changed();

// The descriptor that keys are read from while the picture is on `screen_fd`: descriptor 0 or,
// where that is no terminal, the screen's own; -1 if there is none.
int keys_descriptor(int screen_fd);

// The key that quits. The end of the keys, when the terminal is gone, reads as this one.
inline constexpr char kQuitKey = 'q';

// A key, or empty if none came within the time (0: do not wait). A change of the window's size ends
// the wait. Interrupt, which is a mere byte in raw mode, acts as it does in other programs.
std::optional<char> wait_for_key(int keys_fd, double seconds);

}  // namespace iotrace
