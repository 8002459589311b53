//! The committer numbers rows before they are stored, from blocks that it reserves in the catalog.

use crate::HarvestError;
use crate::committing::Committer;
use auslese_catalog::Numbers;

/// Numbers for rows to come.
#[derive(Debug, Default)]
pub(crate) struct Reserved {
    requests: Block,
    servers: Block,
    captures: Block,
}

/// A block of reserved numbers.
#[derive(Debug, Default)]
struct Block {
    next: i64,
    end: i64,
}

impl Reserved {
    fn block(&mut self, kind: Numbers) -> &mut Block {
        match kind {
            Numbers::Requests => &mut self.requests,
            Numbers::Servers => &mut self.servers,
            Numbers::Captures => &mut self.captures,
        }
    }
}

/// Numbers that are reserved at once.
fn block_size(kind: Numbers) -> u32 {
    match kind {
        Numbers::Requests => 10_000,
        Numbers::Servers => 100,
        Numbers::Captures => 2_000,
    }
}

impl Committer {
    /// The next number of a kind.
    pub(crate) async fn number(&mut self, kind: Numbers) -> Result<i64, HarvestError> {
        let block = self.numbers.block(kind);
        if block.next == block.end {
            let size = block_size(kind);
            let first = loop {
                match self.catalog.reserve(kind, size).await {
                    Ok(first) => break first,
                    Err(error) => self.wait_out(error.into()).await?,
                }
            };
            *self.numbers.block(kind) = Block { next: first, end: first + i64::from(size) };
        }
        let block = self.numbers.block(kind);
        block.next += 1;
        Ok(block.next - 1)
    }
}
