// Descriptor 1 as a file that nothing buffers.
use std::fs::File;
use std::os::unix::io::FromRawFd;

pub fn stdout_file() -> File {
    // Sound: nobody else in these programs closes descriptor 1.
    unsafe { File::from_raw_fd(1) }
}
