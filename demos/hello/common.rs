// What the Rust programs of this story have in common: the parts of an item and the command line.
#[path = "process.rs"]
mod process;

use std::io;
use std::process::exit;

pub const PREFIX: &[u8] = b"Hello, ";
pub const SUFFIX: &[u8] = b"\t";

const DEFAULT_COUNT: u64 = 100_000_000;
const MAX_COUNT: u64 = 1_000_000_000_000;

fn refuse(program: &str, argument: &str, why: &str) -> ! {
    eprintln!("{program}: '{argument}' {why}; usage: {program} [COUNT]");
    exit(2)
}

fn parse_count(program: &str, arguments: &[String]) -> u64 {
    let argument = match arguments.first() {
        Some(argument) => argument,
        None => return DEFAULT_COUNT,
    };
    if argument.is_empty() || !argument.bytes().all(|byte| byte.is_ascii_digit()) {
        let is_option = argument.starts_with("--");
        refuse(program, argument, if is_option { "is no option" } else { "is no number of items" });
    }
    let count = match argument.parse() {
        Ok(count) if count <= MAX_COUNT => count,
        _ => refuse(program, argument, "is more than 1000000000000 items"),
    };
    if let Some(further) = arguments.get(1) {
        refuse(program, further, "is one argument too many");
    }
    count
}

/// Runs one strategy on the count that the command line names.
pub fn run(say_hello: fn(u64) -> io::Result<()>) {
    let (program, arguments) = process::words();
    let count = parse_count(&program, &arguments);
    process::run(&program, || say_hello(count));
}
