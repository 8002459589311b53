//! OAI-PMH, the protocol by which repositories hand out their records.
//!
//! [`OaiHarvest`] says which request comes next and takes the answers, one at a time; [`read_oai`] reads an
//! answer, broken or not. For a university this is most of the hidden web, and it comes with Dublin Core.

mod discovery;
mod harvest;
mod reading;

pub use discovery::{known_oai_addresses, linked_oai_addresses};
pub use harvest::{
    MAX_OAI_REQUESTS, MAX_OAI_RESTARTS, MAX_OAI_TRIES, MAX_OAI_WAIT, OaiAsk, OaiHarvest, OaiReply,
    OaiReport, OaiSettings,
};
pub use reading::{
    Granularity, MAX_OAI_FIELDS, OaiAnswer, OaiComplaint, OaiIdentity, OaiRecord, OaiToken,
    read_oai,
};
