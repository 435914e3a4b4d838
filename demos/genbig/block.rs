// genbig-block-rs: through a BufWriter, which holds lines back until its 8 KiB are full.
mod page;

fn main() {
    page::run(|| std::io::BufWriter::new(std::io::stdout().lock()));
}
