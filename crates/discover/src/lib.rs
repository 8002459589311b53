//! Which domains belong to the organisation.
//!
//! ```
//! use auslese_discover::registrable_domain;
//! use auslese_model::HostName;
//! let host = HostName::parse("www.math.uni-giessen.de").unwrap();
//! assert_eq!(registrable_domain(&host), Some("uni-giessen.de"));
//! ```

mod profile;
mod registrable;
mod registration;
mod settings;

pub use profile::{MailServer, NameServer, Profile, Range, RefusedRange};
pub use registrable::registrable_domain;
pub use registration::{Party, Registration, RegistrationState, blocks};
pub use settings::{JudgeSettings, Method, NetCounts, Weights};
