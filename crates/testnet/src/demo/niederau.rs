//! Fachhochschule Niederau, the second institution.

use super::files::{self, NIEDERAU};
use super::university::redirect_to;
use super::zone_with_servers;
use crate::picture::png;
use crate::site::Site;
use crate::zone::Zone;

const HOST: &str = "www.fh-niederau.example";

pub(super) fn zone() -> Zone {
    zone_with_servers("fh-niederau.example", ["203.0.113.2", "203.0.113.3"], "203.0.113.4")
        .address("@", "203.0.113.10")
        .address("www", "203.0.113.10")
}

pub(super) fn sites() -> [Site; 3] {
    let weir = png(20, 10, |x, y| if y > 5 { [40, 80, 140] } else { [90 + (x * 5) as u8, 90, 80] });
    [
        Site::new("http://fh-niederau.example").otherwise(redirect_to("http", HOST)),
        Site::new("https://fh-niederau.example").otherwise(redirect_to("http", HOST)),
        files::site(&format!("http://{HOST}"), HOST, NIEDERAU).file("/wehr.png", "image/png", weir),
    ]
}
