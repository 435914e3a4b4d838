// turbo-rs: an array of 8 KiB, the decimal kept as text and incremented in place.
mod common;
mod descriptor;
mod item;

use item::{Item, ITEM_SIZE};
use std::io::{Result, Write};

const BUFFER_SIZE: usize = 8192;

fn say_hello(count: u64) -> Result<()> {
    let mut out = descriptor::stdout_file();
    let mut buffer = [0u8; BUFFER_SIZE + ITEM_SIZE];
    let mut used = 0;
    let mut item = Item::first();
    for _ in 0..count {
        buffer[used..used + ITEM_SIZE].copy_from_slice(&item.text);
        used += item.length;
        if used >= BUFFER_SIZE {
            out.write_all(&buffer[..BUFFER_SIZE])?;
            buffer.copy_within(BUFFER_SIZE.., 0);
            used -= BUFFER_SIZE;
        }
        item.count_on();
    }
    out.write_all(&buffer[..used])
}

fn main() {
    common::run(say_hello);
}
