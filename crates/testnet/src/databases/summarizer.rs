//! The hotel database of a provider with a summarizer of his own: a DBContent document, and what
//! answers for it with all values of the columns that the document names.

use super::hotels::HotelDatabase;
use super::{fields, for_bearer};
use crate::answer::Answer;
use crate::site::Site;
use auslese_model::{SOIF_MEDIA_TYPE, SoifLists, SoifObject, write_soif};
use fields::{Charset, Fields};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The offer of a database.
#[derive(Debug, Clone)]
pub struct DbContentOffer {
    pub database: Arc<HotelDatabase>,
    /// The address of the page with the form.
    pub interface: String,
    /// If there is one, the summarizer answers only those who show it.
    pub token: Option<String>,
}

impl DbContentOffer {
    pub const DOCUMENT: &str = "/db/hotels.DBContent";
    pub const SUMMARIZER: &str = "/cgi-bin/summarizer";

    /// Puts document and summarizer on a site.
    pub fn add_to(&self, site: Site) -> Site {
        let document = self.document(site.origin_text());
        let fragment = Answer::file(&format!("{SOIF_MEDIA_TYPE}; charset=utf-8"), self.fragment());
        let summarizer =
            Answer::from_fn(move |asked| match Fields::of(asked, Charset::Utf8).get("config") {
                "../db/hotels.DBContent" => fragment.clone(),
                "" => Answer::error(400),
                _ => Answer::error(403),
            });
        site.file(Self::DOCUMENT, "application/x-dbcontent", document)
            .answer(Self::SUMMARIZER, for_bearer(self.token.as_deref(), summarizer))
    }

    fn document(&self, origin: &str) -> String {
        format!(
            "Summarizer:  {origin}{}\nURL:         {}\nTitle:       Hotelführer\n\
             Description: Hotels und Pensionen mit Anschrift\n\
             Keywords:    Hotel, Zimmer, Unterkunft, Pension, Preis\nDatabase:    hotels\n\
             Table:       hotel\nAttribute:   name\nAttribute:   ort\n\
             Table:       region\nAttribute:   region\n",
            Self::SUMMARIZER,
            self.interface
        )
    }

    /// All different values, in their order, as a database gives them.
    fn fragment(&self) -> Vec<u8> {
        let database = &self.database;
        let names: BTreeSet<&str> = database.hotels().iter().map(|it| &*it.name).collect();
        let towns: BTreeSet<&str> = database.hotels().iter().map(|it| &*it.town).collect();
        let regions = database.regions().iter().copied();
        let mut object = SoifObject::new("DBFRAGMENT", Some(&self.interface));
        object.add_all("hotel.name", names, SoifLists::Joined);
        object.add_all("hotel.ort", towns, SoifLists::Joined);
        object.add_all("region.region", regions, SoifLists::Joined);
        let mut bytes = Vec::new();
        write_soif(&object, &mut bytes);
        bytes
    }
}
