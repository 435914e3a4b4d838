// What a Rust program of the stories needs so that it starts and ends as other programs do: a closed
// stdout is noticed, a reader that has gone is the end, an error is reported. Standard library alone;
// the two C functions are in every process that has it.
use std::io;
use std::process::exit;
use std::sync::atomic::{AtomicBool, Ordering};

extern "C" {
    fn fcntl(fd: i32, command: i32, ...) -> i32;
    fn signal(number: i32, handler: usize) -> usize;
}
const F_GETFD: i32 = 1;
const SIGPIPE: i32 = 13;
const SIG_DFL: usize = 0;

static STDOUT_IS_CLOSED: AtomicBool = AtomicBool::new(false);

// Before main, Rust opens the null device in the place of a closed stdout, so that nobody notices
// that the output is lost. Hence this look at it even before that.
extern "C" fn look_at_stdout() {
    STDOUT_IS_CLOSED.store(unsafe { fcntl(1, F_GETFD) } < 0, Ordering::Relaxed);
}
#[used]
#[link_section = ".init_array"]
static LOOK_AT_STDOUT: extern "C" fn() = look_at_stdout;

/// The program's name and its arguments.
pub fn words() -> (String, Vec<String>) {
    let mut words = std::env::args_os().map(|word| word.to_string_lossy().into_owned());
    (words.next().unwrap_or_default(), words.collect())
}

/// Lets `output` write to stdout, and ends the program with status 1 and a message if it cannot.
pub fn run(program: &str, output: impl FnOnce() -> io::Result<()>) {
    if STDOUT_IS_CLOSED.load(Ordering::Relaxed) {
        eprintln!("{program}: stdout is closed");
        exit(1);
    }
    // Rust ignores SIGPIPE, and with it the usual end of a program whose reader has gone.
    unsafe { signal(SIGPIPE, SIG_DFL) };
    if let Err(error) = output() {
        eprintln!("{program}: stdout: {error}");
        exit(1);
    }
}
