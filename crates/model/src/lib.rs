//! The nouns of auslese, shared by all stages: hosts, requests, exchanges, captures, and the plain
//! values that stages hand to the store.
//!
//! Nothing here reads or writes anything. A type lives in this crate when two rooms exchange it;
//! whatever only one room needs stays there.
//!
//! ```
//! use auslese_model::{Origin, Request};
//! let request = Request::get("http://www.example.org:8080/a//b?x=1".parse().unwrap());
//! assert_eq!(request.origin(), Origin::parse("http://www.example.org:8080").unwrap());
//! assert_eq!(request.url.as_str(), "http://www.example.org:8080/a//b?x=1");
//! ```

mod capture;
mod cause;
mod citation;
mod dbcontent;
mod description;
mod digest;
mod document;
mod evidence;
mod exchange;
mod frontier;
mod headers;
mod hidden;
mod host;
mod http_date;
mod lookup;
mod problem;
mod request;
mod request_key;
mod soif;
mod table;
mod time;

pub use capture::{Capture, HeaderFields, Place, Storage};
pub use cause::{Cause, CauseKind};
pub use citation::{Citation, CitationEvidence, CitedAuthor, WorkIdentifier};
pub use dbcontent::{ContentAttribute, DbContent, MAX_DBCONTENT_LINES};
pub use description::{DescribedCapture, Description, Field, FoundAt, MarkKind, RuleId, Statement};
pub use digest::{Algorithm, Digest};
pub use document::{
    Confidence, Conformance, Content, CorpusRule, CorpusVerdict, Counts, Document, Format, Keeping,
    LanguageNote, Part, Relation, TargetKind,
};
pub use evidence::{
    Candidate, Case, Evidence, EvidenceGroup, Indicator, Membership, OpenQuestion, Verdict,
};
pub use exchange::{
    Body, BodyReader, Exchange, Fetched, Oddity, Response, Timings, TlsNote, Truncation,
    VersionText,
};
pub use frontier::{
    Change, Clock, Commit, HopPath, KnownCopy, Lease, NewServer, Offer, Pending, RobotsCopy,
    ServerLink, ServerSigns, State, StateChange, TemplateChange, TemplateState, WarcProgress,
};
pub use headers::Headers;
pub use hidden::{Cooperation, DatabaseId, DatabaseKind};
pub use host::{HostName, Origin, Scheme};
pub use http_date::{DateReading, read_http_date};
pub use lookup::{LookupAnswer, LookupKey, LookupKind, LookupRecord};
pub use problem::Problem;
pub use request::{CaptureId, Method, Request, RequestId, RunId, ServerId};
pub use request_key::{RequestKey, TextKey};
pub use soif::{
    MAX_SOIF_NAME, MAX_SOIF_VALUE, SOIF_MEDIA_TYPE, SoifAttribute, SoifError, SoifLists,
    SoifObject, SoifReading, SoifWriter, read_soif, read_soif_lenient, write_soif,
};
pub use table::{Cell, Column, ColumnKind};
pub use time::Timestamp;
