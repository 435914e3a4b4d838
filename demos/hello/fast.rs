// fast-rs: a buffer of 32 KiB above the locked standard output.
mod common;
mod pieces;

use std::io::{stdout, BufWriter};

fn main() {
    common::run(|count| {
        let mut out = BufWriter::with_capacity(32 * 1024, stdout().lock());
        pieces::write_in_pieces(&mut out, count)
    });
}
