//! TLS connections that never come about. Wrong certificates are in [`Identity`] itself.

use crate::answer::Step;
use crate::tls::Identity;
use std::time::Duration;

/// The server closes after the client's greeting.
pub fn handshake_closed() -> Identity {
    Identity::Script(vec![Step::Close])
}

pub fn handshake_reset() -> Identity {
    Identity::Script(vec![Step::Reset])
}

/// The server never answers the greeting.
pub fn handshake_stalled() -> Identity {
    Identity::Script(vec![Step::Wait(Duration::from_secs(86_400))])
}

/// The server speaks plain HTTP on its TLS port.
pub fn handshake_in_plain_http() -> Identity {
    let answer = "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    Identity::Script(vec![Step::send(answer)])
}

/// Bytes that are no TLS record.
pub fn handshake_garbage() -> Identity {
    Identity::Script(vec![Step::send([0xff; 64])])
}

/// All of them with their names.
pub fn all_handshakes() -> Vec<(&'static str, Identity)> {
    vec![
        ("handshake closed", handshake_closed()),
        ("handshake reset", handshake_reset()),
        ("handshake stalled", handshake_stalled()),
        ("handshake in plain HTTP", handshake_in_plain_http()),
        ("handshake garbage", handshake_garbage()),
        ("no certificate", Identity::Missing),
    ]
}
