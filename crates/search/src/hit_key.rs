//! What the key of an indexed document stands for.
//!
//! Documents of a harvest are indexed by the number of their request. Databases and records of repositories are no
//! requests and have numbers of their own, so two high bits keep the three apart; a harvest never has that many requests.

use auslese_model::{DatabaseId, RequestId};
use serde::Serialize;

const DATABASE: u64 = 1 << 62;
const RECORD: u64 = 1 << 61;

/// What a hit leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind", content = "number")]
pub enum HitKey {
    /// A document of a harvest; in a foreign collection, its running number.
    Document(RequestId),
    /// A database behind a form or another interface.
    Database(DatabaseId),
    /// A record of a repository, by its number in the catalog.
    Record(i64),
}

impl HitKey {
    pub fn of(key: u64) -> HitKey {
        let number = |bits: u64| i64::try_from(key & (bits - 1)).unwrap_or(i64::MAX);
        if key & DATABASE != 0 {
            HitKey::Database(DatabaseId(number(DATABASE)))
        } else if key & RECORD != 0 {
            HitKey::Record(number(RECORD))
        } else {
            HitKey::Document(RequestId(number(RECORD)))
        }
    }

    /// The key in the index.
    pub fn key(self) -> u64 {
        match self {
            HitKey::Document(request) => request.0.unsigned_abs(),
            HitKey::Database(database) => DATABASE | database.0.unsigned_abs(),
            HitKey::Record(record) => RECORD | record.unsigned_abs(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_read_as_they_were_made() {
        let numbers = [0, 1, 7, 1 << 40, (1 << 61) - 1];
        for number in numbers {
            let all = [
                HitKey::Document(RequestId(number)),
                HitKey::Database(DatabaseId(number)),
                HitKey::Record(number),
            ];
            assert_eq!(all.map(|it| HitKey::of(it.key())), all, "{number}");
        }
        assert_eq!(HitKey::Database(DatabaseId(5)).key(), 4_611_686_018_427_387_909);
        assert_eq!(HitKey::Record(5).key(), 2_305_843_009_213_693_957);
        assert_eq!(HitKey::Document(RequestId(5)).key(), 5);
        // Nobody makes such keys, but an index may be damaged.
        assert_eq!(HitKey::of(1 << 63), HitKey::Document(RequestId(0)));
    }
}
