// The page as Rust writes it, and the command line of the Rust programs; see genbig.h and main.cc.
#[path = "../hello/process.rs"]
mod process;

use std::io::{Result, Write};
use std::process::exit;

const FIRST_LINE: &str = concat!(
    r#"<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>A long page</title>"#,
    "</head><body>"
);
const ELEMENT: &str = "<p>One more line of a page that never ends.</p>";
const LAST_LINE: &str = "</body></html>";

const DEFAULT_SIZE: u64 = 42 << 20;
const MAX_SIZE: u64 = 1024 << 30;

fn refuse(program: &str, argument: &str, why: &str) -> ! {
    eprintln!("{program}: '{argument}' {why}; usage: {program} [--size BYTES[K|M|G]]");
    exit(2)
}

fn parse_size(program: &str, argument: &str) -> u64 {
    let shift = match argument.as_bytes().last() {
        Some(b'K') => 10,
        Some(b'M') => 20,
        Some(b'G') => 30,
        _ => 0,
    };
    let digits = if shift > 0 { &argument[..argument.len() - 1] } else { argument };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        refuse(program, argument, "is no size");
    }
    match digits.parse::<u64>() {
        Ok(size) if size <= MAX_SIZE >> shift => size << shift,
        _ => refuse(program, argument, "is more than 1024G"),
    }
}

fn size_in(program: &str, arguments: &[String]) -> u64 {
    let mut size = DEFAULT_SIZE;
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        if argument != "--size" {
            let is_option = argument.starts_with('-');
            let why = if is_option { "is no option" } else { "is one argument too many" };
            refuse(program, argument, why);
        }
        match arguments.next() {
            Some(text) => size = parse_size(program, text),
            None => refuse(program, argument, "lacks its size"),
        }
    }
    size
}

fn write_page(out: &mut impl Write, size: u64) -> Result<()> {
    let line = ELEMENT.len() as u64 + 1;
    let elements = (size.saturating_sub(FIRST_LINE.len() as u64 + 1) + line - 1) / line;
    writeln!(out, "{FIRST_LINE}")?;
    for _ in 0..elements {
        writeln!(out, "{ELEMENT}")?;
    }
    writeln!(out, "{LAST_LINE}")?;
    out.flush()
}

/// Writes the page that the command line asks for to what `open` makes of stdout.
pub fn run<W: Write>(open: fn() -> W) {
    let (program, arguments) = process::words();
    let size = size_in(&program, &arguments);
    process::run(&program, || write_page(&mut open(), size));
}
