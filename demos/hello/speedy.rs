// speedy-rs: a buffer of 32 KiB straight on the descriptor, without the standard output's own.
mod common;
mod descriptor;
mod pieces;

use std::io::BufWriter;

fn main() {
    common::run(|count| {
        let mut out = BufWriter::with_capacity(32 * 1024, descriptor::stdout_file());
        pieces::write_in_pieces(&mut out, count)
    });
}
