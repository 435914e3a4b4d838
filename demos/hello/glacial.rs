// glacial-rs: three pieces an item to the handle of the standard output, which locks for each.
mod common;
mod pieces;

fn main() {
    common::run(|count| pieces::write_in_pieces(&mut std::io::stdout(), count));
}
