//! Servers in the range that have no name, as a scan of any real range finds them: a station worth
//! keeping, a redirect to a name, and the devices that are in every network.

use super::small::page;
use crate::answer::Answer;
use crate::site::Site;

const DEFAULT_PAGE: &str = "198.18.1.84";
const PRINTER: &str = "198.18.1.85";
const LOGIN: &str = "198.18.1.86";

/// What is answered to whoever asks by address.
pub(super) fn sites() -> Vec<Site> {
    let at = |address: &str| Site::new(format!("http://{address}"));
    let measured = page(
        "Messstation Klosterwehr",
        "Wasserstand 84 cm, fallend. Die Station hat keinen Namen bekommen, nur eine Adresse.",
        "",
    );
    vec![
        at("198.18.1.82").otherwise(Answer::redirect(302, "http://herbarium-werth.example/")),
        at("198.18.1.83").page("/", measured),
        at(DEFAULT_PAGE).answer("/", default_page()),
        at(PRINTER).answer("/", printer()),
        at(LOGIN).answer("/", login()),
    ]
}

/// Servers in the range whose pages nobody wants to keep.
pub(super) const DEVICES: &[(&str, &str)] = &[
    (DEFAULT_PAGE, "a web server nobody has set up"),
    (PRINTER, "a printer"),
    (LOGIN, "a switch that shows its login page only"),
];

/// As long as the page that Debian's package brings: by software and length clients know it.
const DEFAULT_PAGE_BYTES: usize = 10_701;

fn default_page() -> Answer {
    let page = "<!DOCTYPE html>\n<html><head><title>Apache2 Debian Default Page: It works</title></head>\n\
                <body><h1>It works!</h1></body></html>\n";
    let padding = " ".repeat(DEFAULT_PAGE_BYTES - page.len());
    Answer::page(format!("{page}{padding}")).header("Server", "Apache/2.4.62 (Debian)")
}

fn printer() -> Answer {
    Answer::page(
        "<!DOCTYPE html>\n<html><head><title>HP LaserJet P4015 - Gerätestatus</title></head>\n\
         <body><h1>HP LaserJet P4015</h1><p>Bereit. Schwarze Tonerpatrone: 41 %</p>\n\
         <p>Papierfach 2: leer</p></body></html>\n",
    )
    .header("Server", "Virata-EmWeb/R6_2_1")
}

fn login() -> Answer {
    Answer::page(
        "<!DOCTYPE html>\n<html><head><title>Login</title></head>\n<body><form action=\"/\" \
         method=\"post\"><input name=\"user\"><input type=\"password\" name=\"password\">\
         <button>Login</button></form></body></html>\n",
    )
    .header("Server", "GoAhead-Webs")
}
