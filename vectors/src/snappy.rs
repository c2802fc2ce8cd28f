//! Snappy's raw block format, with its claims checked before they are believed.

use snap::raw::{Decoder, decompress_len};

/// Decompresses one block. On error: what was found, and what was expected.
pub(crate) fn decompress(block: &[u8]) -> Result<Vec<u8>, (String, String)> {
    if block.is_empty() {
        return Err(no_header("the part is empty"));
    }
    let claimed = decompress_len(block).map_err(|error| no_header(&error.to_string()))?;
    let most = most_from(block.len());
    if claimed as u64 > most {
        let found = format!("offset 0: the snappy header claims {claimed} bytes");
        return Err((found, format!("at most {most}, which {} compressed bytes can give", block.len())));
    }
    let bytes = Decoder::new().decompress_vec(block);
    bytes.map_err(|error| (format!("corrupt snappy block ({error})"), format!("a block of {claimed} bytes")))
}

fn no_header(why: &str) -> (String, String) {
    let expected = "a snappy block: its length as a varint, then its data";
    (format!("offset 0: no snappy header ({why})"), expected.to_owned())
}

/// The most that a block of `len` bytes can decompress to: a copy of 64 bytes takes 3, and nothing does better.
fn most_from(len: usize) -> u64 {
    (len as u64).saturating_mul(64).div_ceil(3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_compressed_comes_back() {
        for len in [0, 1, 63, 64, 65, 1000, 1 << 20] {
            let bytes = vec![7; len];
            let block = snap::raw::Encoder::new().compress_vec(&bytes).unwrap();
            assert_eq!(decompress(&block).unwrap(), bytes, "{len}");
        }
    }

    #[test]
    fn a_false_length_is_refused_before_memory_is_taken() {
        // 4 GiB - 1 as a varint, then a literal of one byte.
        let (found, _) = decompress(&[0xff, 0xff, 0xff, 0xff, 0x0f, 0x00, 0xaa]).unwrap_err();
        assert!(found.contains("claims 4294967295 bytes"), "{found}");
    }

    #[test]
    fn no_block_is_taken_for_an_empty_one() {
        assert!(decompress(&[]).is_err());
        assert!(decompress(&[0, 0, 0xaa]).is_err(), "data after a block of no bytes");
        assert!(decompress(&[0]).unwrap().is_empty());
    }

    #[test]
    fn every_truncation_is_refused() {
        let bytes: Vec<u8> = (0..1000u32).map(|i| (i * i % 251) as u8).collect();
        let block = snap::raw::Encoder::new().compress_vec(&bytes).unwrap();
        for len in 0..block.len() {
            assert!(decompress(&block[..len]).is_err(), "{len}");
        }
    }
}
