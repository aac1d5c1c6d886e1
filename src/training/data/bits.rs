//! Numbers of any few bits, one behind the other, the lowest bit first.

/// The most bits of a number.
const MOST_BITS: u32 = 56;

/// Writes numbers.
#[derive(Debug, Default)]
pub(super) struct BitWriter {
    bytes: Vec<u8>,
    /// The bits that are no whole byte yet, and how many they are: at most seven.
    rest: u64,
    count: u32,
}

impl BitWriter {
    /// Writes the low bits of a number, at most 56.
    pub fn put(&mut self, number: u64, bits: u32) {
        debug_assert!(bits <= MOST_BITS && number >> bits == 0);
        self.rest |= number << self.count;
        self.count += bits;
        while self.count >= 8 {
            self.bytes.push(self.rest as u8);
            self.rest >>= 8;
            self.count -= 8;
        }
    }

    /// All that was written; the last byte is filled up with zeros.
    pub fn into_bytes(mut self) -> Vec<u8> {
        if self.count > 0 {
            self.bytes.push(self.rest as u8);
        }
        self.bytes
    }
}

/// Reads numbers.
#[derive(Debug)]
pub(super) struct BitReader<'a> {
    bytes: &'a [u8],
    /// The next bit.
    at: usize,
}

impl<'a> BitReader<'a> {
    pub fn new(bytes: &'a [u8]) -> BitReader<'a> {
        BitReader { bytes, at: 0 }
    }

    /// A number of so many bits, at most 56; none behind the end.
    #[inline]
    pub fn take(&mut self, bits: u32) -> Option<u64> {
        let end = self.at + bits as usize;
        if end > 8 * self.bytes.len() {
            return None;
        }
        let from = &self.bytes[self.at / 8..];
        let word = match from.first_chunk::<8>() {
            Some(word) => u64::from_le_bytes(*word),
            None => from.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)),
        };
        let number = word >> (self.at % 8) & !(!0 << bits);
        self.at = end;
        Some(number)
    }

    /// How many ones come before the next zero, which is read with them.
    #[inline]
    pub fn take_ones(&mut self) -> Option<u32> {
        let mut ones = 0;
        while self.take(1)? == 1 {
            ones += 1;
        }
        Some(ones)
    }

    /// Whether nothing is left but the zeros of the last byte.
    pub fn is_at_end(&self) -> bool {
        let left = 8 * self.bytes.len() - self.at;
        left < 8 && self.bytes.last().is_none_or(|&last| left == 0 || last >> (8 - left) == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use garrison_rules::random::SplitMix;

    #[test]
    fn numbers_are_read_as_written() {
        let mut random = SplitMix::new(1);
        let numbers: Vec<(u64, u32)> = (0..5_000)
            .map(|_| {
                let bits = random.below(MOST_BITS as usize + 1) as u32;
                (random.number() & !(!0 << bits), bits)
            })
            .collect();
        let mut writer = BitWriter::default();
        numbers.iter().for_each(|&(number, bits)| writer.put(number, bits));
        let bytes = writer.into_bytes();
        let mut reader = BitReader::new(&bytes);
        for &(number, bits) in &numbers {
            assert_eq!(reader.take(bits), Some(number));
        }
        assert!(reader.is_at_end());
        assert_eq!(reader.take(8), None);
    }

    #[test]
    fn ones_are_counted() {
        let mut reader = BitReader::new(&[0b1011_0111, 0]);
        assert_eq!([3, 2, 1, 0].map(|_| reader.take_ones()), [3, 2, 1, 0].map(Some));
        assert!(reader.is_at_end());
        assert_eq!(BitReader::new(&[0xff]).take_ones(), None);
        assert!(!BitReader::new(&[0x80]).is_at_end());
    }
}
