// genbig-line-rs: to the standard output as Rust has it, whose line buffer sends each line on.
mod page;

fn main() {
    page::run(|| std::io::stdout().lock());
}
