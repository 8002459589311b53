//! What a child process is told when it is started: one argument, so that it can be seen in a
//! process list and tried by hand.

use crate::limits::Limits;
use serde::{Deserialize, Serialize};
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

/// What a child process is to do, and within which limits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Orders {
    /// Read documents from standard input until it ends.
    Documents(DocumentOrders),
    /// Become another program.
    Helper(HelperOrders),
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct DocumentOrders {
    pub(crate) memory: u64,
    pub(crate) cpu_seconds: u64,
    pub(crate) document_bytes: u64,
    pub(crate) answer_bytes: u64,
    pub(crate) documents: u32,
    pub(crate) kept_memory: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct HelperOrders {
    pub(crate) program: PathBuf,
    pub(crate) arguments: Vec<String>,
    pub(crate) memory: u64,
    pub(crate) cpu_seconds: u64,
    /// The process id of whoever started it: the helper must not outlive it.
    pub(crate) parent: u32,
}

impl DocumentOrders {
    pub(crate) fn within(limits: &Limits) -> DocumentOrders {
        DocumentOrders {
            memory: limits.memory,
            cpu_seconds: cpu_seconds(limits.time),
            document_bytes: limits.document_bytes,
            answer_bytes: limits.answer_bytes,
            documents: limits.documents_per_process,
            kept_memory: limits.kept_memory,
        }
    }
}

/// A process has one thread that works, so the wall clock strikes first; the processor's clock is
/// for the case that nobody is left to look at it.
pub(crate) fn cpu_seconds(time: std::time::Duration) -> u64 {
    time.as_secs().saturating_add(2)
}

impl Orders {
    pub(crate) fn to_argument(&self) -> OsString {
        serde_json::to_string(self).expect("orders hold text and numbers only").into()
    }

    pub(crate) fn from_argument(argument: &OsStr) -> Result<Orders, String> {
        let text = argument.to_str().ok_or("the orders are not text")?;
        serde_json::from_str(text).map_err(|error| format!("the orders cannot be read: {error}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_read_as_given() {
        let documents = Orders::Documents(DocumentOrders::within(&Limits::default()));
        let helper = Orders::Helper(HelperOrders {
            program: "/usr/bin/gs".into(),
            arguments: vec!["-q".to_owned(), "-".to_owned()],
            memory: 1,
            cpu_seconds: 2,
            parent: 3,
        });
        for orders in [documents, helper] {
            assert_eq!(Orders::from_argument(&orders.to_argument()), Ok(orders));
        }
        let error = Orders::from_argument(OsStr::new("{}")).unwrap_err();
        assert!(error.starts_with("the orders cannot be read"), "{error}");
    }
}
