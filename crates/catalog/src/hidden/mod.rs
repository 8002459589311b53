//! Databases behind forms and other interfaces: where they are, how they were asked, what is in them.

mod asking;
mod choosing;
mod database;
mod record;
mod value;

pub use asking::{Asked, StoredValue};
pub use choosing::DatabaseFilter;
pub use database::{HiddenDatabase, NewDatabase};
pub use record::{NewRecord, StoredRecord};
pub use value::{AttributeCount, MAX_VALUE_MATCHES, ValueMatch};
