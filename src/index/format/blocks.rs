//! Records in blocks, compressed or not: the texts and layouts of formulas.

use std::cell::RefCell;
use std::io::{self, Write};

use zstd::bulk::Decompressor;

use super::varint::{VarintReader, VarintWriter};

/// Formulas in a block. More compress better, fewer are faster to show: at
/// 32 a block is about 2 KB.
pub(in crate::index) const BLOCK: usize = 32;

/// How hard blocks are compressed.
const LEVEL: i32 = 3;

/// The largest block that is written or read: some twenty million instances.
const MAX_BLOCK_BYTES: usize = 1 << 30;

/// Writes records in blocks, each record with its length.
pub(in crate::index) struct BlockWriter<W> {
    out: W,
    is_compressed: bool,
    block: VarintWriter,
    records: usize,
    /// Where each block begins, and the last ends.
    pub(in crate::index) offsets: Vec<u64>,
}

impl<W: Write> BlockWriter<W> {
    pub(in crate::index) fn new(out: W, is_compressed: bool) -> Self {
        BlockWriter {
            out,
            is_compressed,
            block: VarintWriter::default(),
            records: 0,
            offsets: vec![0],
        }
    }

    pub(in crate::index) fn push(&mut self, record: &[u8]) -> io::Result<()> {
        self.block.bytes(record);
        self.records += 1;
        if self.records == BLOCK {
            self.flush()?;
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.block.0.len() > MAX_BLOCK_BYTES {
            let what = "the occurrences of 32 formulas are more than 1 GiB";
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, what));
        }
        let compressed;
        let packed = if self.is_compressed {
            compressed = zstd::bulk::compress(&self.block.0, LEVEL)?;
            &compressed
        } else {
            &self.block.0
        };
        self.out.write_all(packed)?;
        self.offsets
            .push(self.offsets[self.offsets.len() - 1] + packed.len() as u64);
        self.block.0.clear();
        self.records = 0;
        Ok(())
    }

    /// Writes the last block, and returns the output.
    pub(in crate::index) fn finish(mut self) -> io::Result<(W, Vec<u64>)> {
        if self.records > 0 {
            self.flush()?;
        }
        self.out.flush()?;
        Ok((self.out, self.offsets))
    }
}

thread_local! {
    /// Making a decompressor takes longer than decompressing a block, so each thread keeps one:
    /// 1000 entries of the sample took 8.6 ms instead of 24 ms.
    static DECOMPRESSOR: RefCell<Option<Decompressor<'static>>> = RefCell::new(Decompressor::new().ok());
}

/// A compressed block, unpacked.
pub(in crate::index) fn unpack(packed: &[u8]) -> Option<Vec<u8>> {
    // Copied: zstd is to see the same bytes each time that it looks, also where the file is
    // being changed.
    let packed = packed.to_vec();
    let size = Decompressor::upper_bound(&packed)?.min(MAX_BLOCK_BYTES);
    DECOMPRESSOR.with_borrow_mut(|zstd| zstd.as_mut()?.decompress(&packed, size).ok())
}

/// One record of an unpacked block.
pub(in crate::index) fn record_in(block: &[u8], number: usize) -> Option<&[u8]> {
    let mut reader = VarintReader(block);
    for _ in 0..number {
        reader.bytes()?;
    }
    reader.bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_give_back_each_record() {
        let mut writer = BlockWriter::new(Vec::new(), true);
        for n in 0..BLOCK * 2 + 3 {
            writer.push(n.to_string().as_bytes()).unwrap();
        }
        let (bytes, offsets) = writer.finish().unwrap();
        let record = |n: usize| {
            let ends = offsets.get(n / BLOCK..)?.first_chunk::<2>()?;
            let block = unpack(&bytes[ends[0] as usize..ends[1] as usize])?;
            record_in(&block, n % BLOCK).map(<[u8]>::to_vec)
        };
        for n in 0..BLOCK * 2 + 3 {
            assert_eq!(record(n).unwrap(), n.to_string().as_bytes());
        }
        assert_eq!(record(BLOCK * 2 + 3), None);
    }
}
