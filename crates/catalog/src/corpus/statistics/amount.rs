//! How much there is of something: documents and bytes, in all and in the corpus.

use crate::engine::Fields;
use crate::schema::size;

/// Documents and their sizes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Amount {
    pub documents: u64,
    /// The sum of the sizes that are known.
    pub bytes: u64,
    /// Documents whose size is not known.
    pub unknown_sizes: u64,
}

impl Amount {
    pub(super) fn minus(self, other: Amount) -> Amount {
        Amount {
            documents: self.documents.saturating_sub(other.documents),
            bytes: self.bytes.saturating_sub(other.bytes),
            unknown_sizes: self.unknown_sizes.saturating_sub(other.unknown_sizes),
        }
    }
}

/// Columns for two amounts, all and kept; see [`read_amounts`].
pub(super) fn amount_columns() -> String {
    let size = size("a");
    let kept = "CASE WHEN d.keeping = 'kept' THEN";
    format!(
        "COUNT(*), CAST(COALESCE(SUM({size}), 0) AS BIGINT), COUNT(*) - COUNT({size}), \
         COUNT({kept} 1 END), CAST(COALESCE(SUM({kept} {size} END), 0) AS BIGINT), \
         COUNT({kept} 1 END) - COUNT({kept} {size} END)"
    )
}

/// The amounts in all and in the corpus.
pub(super) fn read_amounts(row: &mut Fields) -> Result<(Amount, Amount), sqlx::Error> {
    let mut amount = || {
        Ok::<_, sqlx::Error>(Amount {
            documents: row.count()?,
            bytes: row.count()?,
            unknown_sizes: row.count()?,
        })
    };
    Ok((amount()?, amount()?))
}
