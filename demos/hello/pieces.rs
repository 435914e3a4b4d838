// An item in three pieces, as pieces.h does it, with Rust's own formatting of the decimal.
use crate::common::{PREFIX, SUFFIX};
use std::io::{Result, Write};

pub fn write_in_pieces(out: &mut impl Write, count: u64) -> Result<()> {
    for number in 0..count {
        out.write_all(PREFIX)?;
        write!(out, "{number}")?;
        out.write_all(SUFFIX)?;
    }
    out.flush()
}
