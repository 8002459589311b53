//! The settings as they are written: names, defaults, and places in the file.

use serde::Deserialize;
use std::collections::BTreeMap;
use toml::Spanned;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Written {
    #[serde(default = "listen")]
    pub(super) listen: Spanned<String>,
    #[serde(default)]
    pub(super) documents: Documents,
    #[serde(default)]
    pub(super) databases: BTreeMap<String, Spanned<Database>>,
    #[serde(default = "access")]
    pub(super) access: Spanned<Access>,
    #[serde(default)]
    pub(super) limits: Limits,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Documents {
    pub(super) root: Option<Spanned<String>>,
    pub(super) ids: BTreeMap<String, Spanned<String>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Database {
    pub(super) dsn_env: Option<String>,
    pub(super) dsn_file: Option<String>,
    pub(super) schema: Option<Spanned<String>>,
    pub(super) allow: Vec<Spanned<String>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Access {
    pub(super) anonymous: bool,
    pub(super) addresses: Vec<Spanned<String>>,
    pub(super) proxies: Vec<Spanned<String>>,
    pub(super) clients: Vec<Spanned<Client>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Client {
    pub(super) name: String,
    pub(super) token_env: Option<String>,
    pub(super) token_file: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Limits {
    pub(super) values: Spanned<u64>,
    pub(super) value_characters: Spanned<u64>,
    pub(super) attribute_bytes: Spanned<u64>,
    pub(super) fragment_bytes: Spanned<u64>,
    pub(super) statement_seconds: Spanned<u64>,
    pub(super) interval_seconds: Spanned<u64>,
}

impl Default for Limits {
    fn default() -> Limits {
        let nowhere = |number| Spanned::new(0..0, number);
        Limits {
            values: nowhere(100_000),
            value_characters: nowhere(1_000),
            attribute_bytes: nowhere(8 << 20),
            fragment_bytes: nowhere(64 << 20),
            statement_seconds: nowhere(30),
            interval_seconds: nowhere(3_600),
        }
    }
}

/// This machine only; a proxy with TLS stands before it.
fn listen() -> Spanned<String> {
    Spanned::new(0..0, "127.0.0.1:8480".to_owned())
}

fn access() -> Spanned<Access> {
    Spanned::new(0..0, Access::default())
}
