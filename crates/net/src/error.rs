//! Why a [`crate::Net`] cannot be set up. A failed fetch is no error but a
//! [`auslese_model::Cause`].

use std::io;
use std::path::PathBuf;

#[derive(Debug, thiserror::Error)]
pub enum NetError {
    #[error("cannot read certificates from {file}")]
    CaFile {
        file: PathBuf,
        #[source]
        cause: rustls::pki_types::pem::Error,
    },
    #[error("{file} holds no usable certificate")]
    NoCertificate { file: PathBuf },
    #[error("cannot set up TLS")]
    Tls(#[source] rustls::Error),
    #[error("the proxy {url} cannot be used: {reason}")]
    Proxy { url: String, reason: &'static str },
    #[error("only_mapped and proxy exclude each other: a proxy dials what it likes")]
    ProxyAndOnlyMapped,
    #[error("the setting {setting} holds a line break or another control character")]
    ControlCharacter { setting: &'static str },
    #[error("cannot write to the spill directory {directory}")]
    SpillDirectory {
        directory: PathBuf,
        #[source]
        cause: io::Error,
    },
}
