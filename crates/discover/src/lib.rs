//! Which domains belong to the organisation.
//!
//! Phase one ([`gather`]) asks registries, name servers and the start page about one domain and
//! makes a [`Profile`]: address ranges, name servers, registrant. Phase two ([`Investigator`]) asks
//! about any other host as much as is needed for a verdict; what is worth asking, and what follows
//! from the answers, is decided by the pure module [`judge`]. All questions go through [`lookup`],
//! which is polite and remembers. Hosts that no link leads to come from [`scan`], from the
//! configurations of web servers ([`read_vhosts`]) and from lists ([`read_import`]).
//!
//! ```
//! use auslese_discover::{parse_whois, similarity};
//! let answer = b"Domain: uni.example\n[Holder]\nName: Universitaet Musterstadt\n";
//! let registration = parse_whois(answer);
//! let holder = registration.registrant.holder().unwrap();
//! assert!(similarity("Universität Musterstadt", holder).score > 0.9);
//! assert!(similarity("Universität Musterstadt", "Fachhochschule Musterstadt").score < 0.9);
//! ```

pub mod evaluate;
mod gather;
pub mod heritrix;
mod imports;
mod imprint;
mod investigate;
pub mod judge;
pub mod lookup;
mod profile;
mod rdap;
mod registrable;
mod registration;
pub mod review;
pub mod scan;
mod settings;
mod similarity;
mod vhosts;
mod whois;

pub use gather::{GatherSettings, gather};
pub use imports::{
    DropReason, Dropped, Import, ImportError, ImportFormat, ImportedCertificate, ImportedHost,
    read_import,
};
pub use investigate::{Investigator, Occasion};
pub use profile::{MailServer, NameServer, Profile, Range, RefusedRange};
pub use rdap::{RDAP_BYTES, parse_rdap, parse_rdap_networks};
pub use registrable::registrable_domain;
pub use registration::{Party, Registration, RegistrationState, blocks};
pub use settings::{JudgeSettings, Method, NetCounts, Weights};
pub use similarity::{
    Ground, HolderName, MAX_NAME, MIN_COVERAGE, SEPARATED_SHARE, Side, Similarity, TokenClass,
    TokenReason, address_similarity, similarity,
};
pub use vhosts::{
    Endpoint, FoundAddress, FoundName, Place, Reported, VhostError, VhostFormat, VhostReport,
    WhyReported, read_vhosts,
};
pub use whois::parse_whois;
