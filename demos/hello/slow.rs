// slow-rs: the standard output locked once; its line buffer of 1 KiB searches each piece.
mod common;
mod pieces;

fn main() {
    common::run(|count| pieces::write_in_pieces(&mut std::io::stdout().lock(), count));
}
