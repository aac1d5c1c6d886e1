//! Hashes that are the same on every machine: of what a network was made for, of files.

const FNV_START: u64 = 0xcbf2_9ce4_8422_2325;
const FNV_PRIME: u64 = 0x0100_0000_01b3;

/// FNV-1a in 64 bits.
pub(crate) fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(FNV_START, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(FNV_PRIME))
}

/// A checksum of eight bytes at a time, the last of them filled up with zeros: FNV-1a over a network of
/// 300 KB would take longer than everything else that is done to load it. Every step is invertible, so any
/// damage within one word is found.
pub(crate) fn checksum(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let step = |sum: u64, word: u64| (sum.rotate_left(5) ^ word).wrapping_mul(FNV_PRIME);
    let words = words.iter().chain([&last]).map(|word| u64::from_le_bytes(*word));
    words.fold(FNV_START, step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_that_files_hold() {
        // The first two are published test vectors of FNV-1a.
        assert_eq!(fnv1a(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv1a(b"foobar"), 0x8594_4171_f739_67e8);
        assert_ne!(checksum(b"123456789"), checksum(b"1234567890"));
    }

    #[test]
    fn a_checksum_finds_every_flipped_bit() {
        let bytes: Vec<u8> = (0..21).collect();
        for bit in 0..8 * bytes.len() {
            let mut damaged = bytes.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            assert_ne!(checksum(&damaged), checksum(&bytes), "bit {bit}");
        }
    }
}
