// One item, kept as text; see item.h, whose reasons for the fixed size hold here too.
use crate::common::{PREFIX, SUFFIX};

pub const ITEM_SIZE: usize = 32;

pub struct Item {
    pub text: [u8; ITEM_SIZE],
    pub length: usize,
}

impl Item {
    pub fn first() -> Item {
        let mut text = [0; ITEM_SIZE];
        let bytes = [PREFIX, b"0", SUFFIX].concat();
        text[..bytes.len()].copy_from_slice(&bytes);
        Item { text, length: bytes.len() }
    }

    /// Makes it the next item: adds one to the last digit and carries.
    pub fn count_on(&mut self) {
        let mut place = self.length - SUFFIX.len() - 1;
        while place >= PREFIX.len() {
            if self.text[place] != b'9' {
                self.text[place] += 1;
                return;
            }
            self.text[place] = b'0';
            place -= 1;
        }
        self.text.copy_within(PREFIX.len()..self.length, PREFIX.len() + 1);
        self.text[PREFIX.len()] = b'1';
        self.length += 1;
    }
}
