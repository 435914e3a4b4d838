// lightning-rs: the same as turbo-rs, with a small type for the buffer.
mod common;
mod descriptor;
mod item;

use item::Item;
use std::fs::File;
use std::io::{Result, Write};

struct SmallBuffer {
    bytes: [u8; SmallBuffer::SIZE],
    used: usize,
    out: File,
}

impl SmallBuffer {
    const SIZE: usize = 8192;

    fn new() -> SmallBuffer {
        SmallBuffer { bytes: [0; Self::SIZE], used: 0, out: descriptor::stdout_file() }
    }

    fn append(&mut self, text: &[u8]) -> Result<()> {
        if text.len() > Self::SIZE - self.used {
            self.write_out()?;
        }
        self.bytes[self.used..self.used + text.len()].copy_from_slice(text);
        self.used += text.len();
        Ok(())
    }

    fn write_out(&mut self) -> Result<()> {
        let size = std::mem::take(&mut self.used);
        self.out.write_all(&self.bytes[..size])
    }
}

fn say_hello(count: u64) -> Result<()> {
    let mut buffer = SmallBuffer::new();
    let mut item = Item::first();
    for _ in 0..count {
        buffer.append(&item.text[..item.length])?;
        item.count_on();
    }
    buffer.write_out()
}

fn main() {
    common::run(say_hello);
}
