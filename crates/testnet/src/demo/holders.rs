//! Who holds the domains and ranges of the demo, as one would tell a registry.

use crate::registry::Contact;

/// A contact in a table.
#[derive(Debug, Clone, Copy)]
pub(super) struct Holder {
    pub(super) organization: &'static str,
    pub(super) street: &'static str,
    /// Postcode and town.
    pub(super) town: (&'static str, &'static str),
    pub(super) email: &'static str,
}

const HOHENWERTH: (&str, &str) = ("99998", "Hohenwerth");
const NIEDERAU: (&str, &str) = ("99997", "Niederau");
const NORDHAFEN: (&str, &str) = ("99991", "Nordhafen");
const WERTHSTADT: (&str, &str) = ("99990", "Werthstadt");

pub(super) const UNIVERSITY: Holder = holder(
    "Universität Hohenwerth",
    "Schlossplatz 1",
    HOHENWERTH,
    "hostmaster@uni-hohenwerth.example",
);
/// Registered with a mail address of the provider.
pub(super) const COMPUTING_CENTRE: Holder = Holder {
    organization: "Universität Hohenwerth, Rechenzentrum",
    email: "domains@webhaus.example",
    ..UNIVERSITY
};
pub(super) const UNIVERSITY_ASCII: Holder = Holder {
    organization: "Universitaet Hohenwerth",
    email: "domains@webhaus.example",
    ..UNIVERSITY
};
pub(super) const HYDROLOGY: Holder = holder(
    "Universität Hohenwerth, Institut für Hydrologie",
    "Klosterberg 4",
    HOHENWERTH,
    "domains@webhaus.example",
);
pub(super) const SPORTS: Holder = holder(
    "Universität Hohenwerth - Hochschulsport",
    "Schlossplatz 1",
    HOHENWERTH,
    "domains@webhaus.example",
);
pub(super) const CIRCLE: Holder = holder(
    "Projektstelle Werther Kreis",
    "Gerbergasse 9",
    HOHENWERTH,
    "werther-kreis@uni-hohenwerth.example",
);
pub(super) const CHILDREN: Holder = holder(
    "Koordination Kinderuni",
    "Gerbergasse 9",
    HOHENWERTH,
    "kinderuni@uni-hohenwerth.example",
);
pub(super) const COLLEGE: Holder =
    holder("Fachhochschule Niederau", "Am Wehr 3", NIEDERAU, "hostmaster@fh-niederau.example");
pub(super) const COLLEGE_ELSEWHERE: Holder = Holder { email: "domains@webhaus.example", ..COLLEGE };
pub(super) const RESEARCH_NET: Holder = holder(
    "Forschungsnetz Werth e.V.",
    "Leitungsweg 12",
    WERTHSTADT,
    "noc@forschungsnetz-werth.example",
);
pub(super) const WATER_INSTITUTE: Holder = holder(
    "Institut für Gewässerkunde Werth gGmbH",
    "Uferstraße 40",
    WERTHSTADT,
    "edv@institut-gewaesser.example",
);
pub(super) const PROVIDER: Holder =
    holder("Webhaus Werth GmbH", "Industriering 7", NIEDERAU, "noc@webhaus.example");
pub(super) const DATA_CENTRE: Holder =
    holder("Rechenzentrum Nord eG", "Hafenstraße 3", NORDHAFEN, "noc@rz-nord.example");
/// A service that hides who holds a domain.
pub(super) const PROXY: Holder = holder(
    "Whois Privacy Proxy Service Werth",
    "Postfach 100",
    NIEDERAU,
    "contact@whois-privacy-proxy.example",
);
pub(super) const HOLIDAY_FLATS: Holder = holder(
    "Ferienwohnungen Hohenwerth GmbH",
    "Seeweg 5",
    HOHENWERTH,
    "buchung@uni-hohenwerth-ferien.example",
);
pub(super) const OTHER_SCHOOL: Holder = holder(
    "Fachhochschule Hohenwerth",
    "Bahnhofstraße 20",
    HOHENWERTH,
    "edv@fh-hohenwerth.example",
);
pub(super) const BAKERY: Holder =
    holder("Bäckerei Werth", "Marktplatz 3", HOHENWERTH, "laden@baeckerei-werth.example");
pub(super) const CINEMA: Holder =
    holder("Lichtspiele Niederau GmbH", "Brückenstraße 1", NIEDERAU, "kasse@kino.throttle-example");
pub(super) const FREE_RIDER: Holder =
    holder("Trittbrett Marketing", "Industriering 9", NIEDERAU, "info@trittbrett.example");
pub(super) const PRINTER: Holder =
    holder("Druckerei Werth OHG", "Gerbergasse 2", HOHENWERTH, "post@druckerei-werth.example");
pub(super) const DANCERS: Holder =
    holder("Tanzclub Werth e.V.", "Gerbergasse 30", HOHENWERTH, "vorstand@tanzclub-werth.example");
pub(super) const BANK: Holder =
    holder("Bank im Werthtal eG", "Marktplatz 1", HOHENWERTH, "edv@bank.example");
pub(super) const COURSEWARE: Holder =
    holder("Lernsoftware Vertrieb GmbH", "Hafenstraße 8", NORDHAFEN, "it@lernsoftware.example");
pub(super) const TRAVEL: Holder = holder(
    "Sonnenreisen Nordhafen",
    "Hafenstraße 11",
    NORDHAFEN,
    "info@ferien-uni-hohenwerth.example",
);
pub(super) const TOWN: Holder =
    holder("Stadt Hohenwerth", "Rathausplatz 2", HOHENWERTH, "edv@stadt-hohenwerth.example");
pub(super) const NEWSPAPER: Holder = holder(
    "Werthtal Verlag GmbH",
    "Marktplatz 8",
    HOHENWERTH,
    "technik@hohenwerther-anzeiger.example",
);
pub(super) const JOURNAL: Holder = holder(
    "Wissenschaft Nord e.V.",
    "Hafenstraße 20",
    NORDHAFEN,
    "redaktion@wissenschaft-nord.example",
);
pub(super) const LIBRARIES: Holder = holder(
    "Bibliotheksverbund Werth",
    "Leitungsweg 14",
    WERTHSTADT,
    "edv@bibliotheksverbund-werth.example",
);
pub(super) const DELIVERY: Holder =
    holder("Werth Content Delivery AG", "Hafenstraße 40", NORDHAFEN, "noc@cdn-werth.example");

const fn holder(
    organization: &'static str,
    street: &'static str,
    town: (&'static str, &'static str),
    email: &'static str,
) -> Holder {
    Holder { organization, street, town, email }
}

impl Holder {
    pub(super) fn contact(self) -> Contact {
        let (postcode, city) = self.town;
        Contact::organization(self.organization)
            .address(self.street, postcode, city, "DE")
            .email(self.email)
    }

    /// The same for the database of ranges, whose objects are older than umlauts there.
    pub(super) fn net_contact(self) -> Contact {
        let mut contact = self.contact();
        for text in [&mut contact.organization, &mut contact.street] {
            for (umlaut, spelled) in [('ä', "ae"), ('ö', "oe"), ('ü', "ue"), ('ß', "ss")] {
                *text = text.replace(umlaut, spelled);
            }
        }
        contact
    }
}
