//! An organisation that only its own pages tell of: no registry answers here.

use crate::world::{lookups, run, whois_only};
use auslese_discover::{GatherSettings, Investigator, JudgeSettings, gather};
use auslese_model::{HostName, Indicator, Membership};
use auslese_testnet::{Answer, Internet, Running, Site, Zone};

const IMPRINT: &str = "<h1>Impressum</h1><p>Universität Hohenwerth</p><p>Schlossplatz 1</p>\
    <p>99998 Hohenwerth</p>";
const NUMBER: &str = "<p>Umsatzsteuer-Identifikationsnummer: DE 123 456 789.</p>";

fn site(host: &str, imprint: &str) -> Site {
    Site::new(format!("http://{host}"))
        .page("/", "<a href=/wer>Impressum</a>")
        .page("/wer", format!("{imprint}<p>Impressum</p><p>Datenschutz</p>"))
}

fn internet() -> Running {
    let mail = "<p>agentur@blau.example</p><p>post@verwaltung.uni.example</p>";
    let home = Answer::redirect(301, "http://www.uni.example/");
    Internet::new()
        .zone(Zone::new("uni.example").mx("@", 0, "."))
        .site(site("www.uni.example", &format!("{IMPRINT}{NUMBER}{mail}")))
        .site(site("mail.example", &format!("{IMPRINT}{mail}")))
        .site(site("number.example", &format!("{IMPRINT}{NUMBER}")))
        .site(site("other-number.example", &format!("{IMPRINT}<p>DE 987 654 321</p>")))
        .site(Site::new("http://redirect.example").answer("/", home))
        .start()
        .unwrap()
}

#[test]
fn whom_imprints_speak_for() {
    let internet = internet();
    run(async {
        let lookups = lookups(&internet, whois_only());
        let start = "http://www.uni.example/".parse().unwrap();
        let profile = gather(&lookups, "U", &start, &GatherSettings::default()).await;
        assert_eq!(profile.name.as_deref(), Some("Universität Hohenwerth"));
        assert_eq!(profile.imprint.email.as_deref(), Some("post@verwaltung.uni.example"));
        assert_eq!(profile.vat_ids, ["DE123456789"]);
        assert!(profile.mail_servers.is_empty(), "0 . is no exchanger: {profile:?}");
        let settings = JudgeSettings::default();
        let investigator = Investigator::new(lookups, vec![profile], settings, &[]).unwrap();
        #[rustfmt::skip]
        let cases = [
            ("mail.example",         Some(Indicator::Imprint)),
            ("number.example",       Some(Indicator::Imprint)),
            ("other-number.example", None),
            // Whoever redirects there has no imprint of its own.
            ("redirect.example",     None),
        ];
        for (host, decided_by) in cases {
            let verdict = investigator.investigate(&HostName::parse(host).unwrap()).await;
            assert_eq!(verdict.decided_by, decided_by, "{verdict:?}");
            let is_member = verdict.membership == Membership::Member;
            assert_eq!(is_member, decided_by.is_some(), "{verdict:?}");
        }
    });
}
