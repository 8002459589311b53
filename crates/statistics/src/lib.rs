//! The numbers about a harvest as tables: institutions, types, languages, servers, sizes, ages, elements, copies, rounds.
//!
//! A [`Table`] is a value with a name, a head and rows whose cells know what they are, so the same table is printed,
//! drawn, and handed to spreadsheets and programs. [`gather`] asks the catalog for tables by their [names](NAMES).
//!
//! ```
//! use auslese_statistics::{Cell, Table};
//!
//! let rows = vec![vec![Cell::Text("text/html".into()), Cell::Bytes(1_500)]];
//! let table = Table { name: "types", title: "Media types", head: vec!["type", "data"], rows };
//! assert_eq!(table.csv(), "type,data\r\ntext/html,1500\r\n");
//! assert_eq!(table.rows[0][1].text(), "1.5 KB");
//! ```

mod orality;
mod rule_words;
mod table;
mod tables;

pub use orality::MAX_ORALITY_DOCUMENTS;
pub use rule_words::rule_words;
pub use table::{Cell, Table, size_text};
pub use tables::{NAMES, gather};
