//! How bytes reach the world: address guard, resolver, `connect_to`, TLS, and a raw HTTP/1.1
//! client with limits, connection reuse and proxy; and, for discovery, records of the DNS, server
//! certificates and bare conversations.
//!
//! An archive needs what was on the wire: header bytes with their case, order and faults, chunk
//! framing, lengths that lie. So the client is our own; it keeps everything it read, understands
//! what it can, and counts the rest as oddities ([`oddity`]). Every packet leaves through the
//! [`guard`], which judges the resolved address; a `connect_to` entry then says which socket is
//! really dialled, so that tests and the demo take the same path as a crawl of the web.
//!
//! Links, redirects, robots and delays are not known here: one call, one exchange.
//!
//! ```
//! use auslese_model::{CauseKind, Headers, Request};
//! use auslese_net::{Net, NetSettings, Wanted};
//!
//! let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
//! runtime.block_on(async {
//!     let net = Net::new(NetSettings::default()).unwrap();
//!     // An odd spelling of a loopback address: the guard refuses it before anything is sent.
//!     let request = Request::get("http://0x7f.1/secret".parse().unwrap());
//!     let cause = net.fetch(&request, &Headers::default(), &|_| Wanted::Body).await.unwrap_err();
//!     assert_eq!(cause.kind, CauseKind::Guarded);
//!     assert_eq!(cause.detail, "127.0.0.1 is a loopback address");
//! });
//! ```

mod certificate;
mod chunked;
mod compose;
mod connection;
mod content;
mod converse;
mod dial;
mod error;
mod framing;
pub mod guard;
mod head;
mod net;
pub mod oddity;
mod perform;
mod pool;
mod proxy;
mod receive;
mod records;
mod resolve;
mod settings;
mod sink;
mod tls;

pub use certificate::{Certificate, CertificateOf};
pub use content::{DecodeLimits, DecodedBody, decode_content};
pub use converse::{Conversation, ConverseLimits};
pub use error::NetError;
pub use guard::{AddressKind, Embedding, GuardVerdict};
pub use net::{Net, SendPermission};
pub use perform::{BodyHook, ResponseHead, Wanted};
pub use records::{RecordKind, Records, reverse_name};
pub use resolve::{DnsRecord, Resolution};
pub use settings::{Certificates, ConnectTo, Credential, Limits, NetSettings};
