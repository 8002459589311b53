//! How the nouns of the model become values of columns.

use crate::engine::Value;
use auslese_model::{CaptureId, RequestId, RunId, ServerId, Timestamp};
use std::net::IpAddr;
use std::time::Duration;

/// Stands for the character U+0000, which PostgreSQL cannot store in text. The raw bytes of a
/// header keep it.
const VISIBLE_NUL: &str = "\u{2400}";

/// Text without U+0000.
pub(crate) fn storable(text: &str) -> String {
    if text.contains('\0') { text.replace('\0', VISIBLE_NUL) } else { text.to_owned() }
}

impl From<i64> for Value {
    fn from(number: i64) -> Value {
        Value::Number(Some(number))
    }
}

/// Counts and sizes beyond the range of the database stay at its end.
impl From<u64> for Value {
    fn from(number: u64) -> Value {
        Value::Number(Some(i64::try_from(number).unwrap_or(i64::MAX)))
    }
}

impl From<usize> for Value {
    fn from(number: usize) -> Value {
        Value::from(number as u64)
    }
}

impl From<u32> for Value {
    fn from(number: u32) -> Value {
        Value::from(u64::from(number))
    }
}

/// What is no number of the usual kind (NaN, infinity) is NULL: the engines treat it differently.
impl From<Option<f64>> for Value {
    fn from(fraction: Option<f64>) -> Value {
        Value::Fraction(fraction.filter(|fraction| fraction.is_finite()))
    }
}

impl From<f64> for Value {
    fn from(fraction: f64) -> Value {
        Value::from(Some(fraction))
    }
}

impl From<bool> for Value {
    fn from(flag: bool) -> Value {
        Value::Number(Some(i64::from(flag)))
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::Text(Some(storable(text)))
    }
}

impl From<&[u8]> for Value {
    fn from(bytes: &[u8]) -> Value {
        Value::Bytes(Some(bytes.to_owned()))
    }
}

impl From<Option<i64>> for Value {
    fn from(number: Option<i64>) -> Value {
        Value::Number(number)
    }
}

impl From<Option<&str>> for Value {
    fn from(text: Option<&str>) -> Value {
        Value::Text(text.map(storable))
    }
}

impl From<&Option<String>> for Value {
    fn from(text: &Option<String>) -> Value {
        Value::from(text.as_deref())
    }
}

impl From<Option<IpAddr>> for Value {
    fn from(address: Option<IpAddr>) -> Value {
        Value::Text(address.map(|address| address.to_string()))
    }
}

impl From<Timestamp> for Value {
    fn from(time: Timestamp) -> Value {
        Value::Number(Some(time.0))
    }
}

impl From<Option<Timestamp>> for Value {
    fn from(time: Option<Timestamp>) -> Value {
        Value::Number(time.map(|time| time.0))
    }
}

/// Milliseconds.
impl From<Duration> for Value {
    fn from(duration: Duration) -> Value {
        Value::Number(Some(i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)))
    }
}

macro_rules! numbers_of_rows {
    ($($id:ident)*) => {$(
        impl From<$id> for Value {
            fn from(id: $id) -> Value {
                Value::Number(Some(id.0))
            }
        }

        impl From<Option<$id>> for Value {
            fn from(id: Option<$id>) -> Value {
                Value::Number(id.map(|id| id.0))
            }
        }
    )*};
}

numbers_of_rows!(RequestId ServerId CaptureId RunId);
