// Rust's standard output (line-buffered whatever it is joined to), standard error (unbuffered), and
// buffers of one's own.
use std::io::{self, BufWriter, Write};
use std::process::Command;
use std::thread;

fn main() -> io::Result<()> {
    for i in 0..1000 {
        println!("line {i}");
        if i % 10 == 0 {
            eprintln!("error {i} of {}", 1000);
        }
    }
    {
        let mut buffered = BufWriter::with_capacity(32 * 1024, io::stdout().lock());
        for i in 0..20000 {
            writeln!(buffered, "buffered {i}")?;
        }
    }
    io::stdout().write_all(&vec![b'x'; 300_000])?;
    print!("Hello\tno newline\t");
    io::stdout().flush()?;
    let threads: Vec<_> = (0..4)
        .map(|_| thread::spawn(move || (0..100).for_each(|_| println!("a line of a thread"))))
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
    Command::new("/bin/echo").arg("a child").status()?;
    let mut file = BufWriter::new(std::fs::File::create("rust.out")?);
    for i in 0..1000 {
        writeln!(file, "{i}")?;
    }
    Ok(())
}
