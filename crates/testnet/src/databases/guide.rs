//! A hotel guide behind a form that its provider has described, after the example of Weber (Rostock
//! 2001): one query per region brings everything.
//!
//! What makes such databases difficult is an option each: other methods and encodings, further elements
//! that must be filled in, a field without fixed values, answers on several pages or cut off, servers
//! that are busy, links that lead elsewhere, and a question before the answer.

use super::fields::{Charset, Fields};
use super::for_bearer;
use super::guide_pages::Pages;
use super::hotels::{Hotel, HotelDatabase, region_of};
use crate::answer::Answer;
use crate::generated::Numbers;
use crate::request::Asked;
use crate::site::Site;
use auslese_model::Method;
use std::sync::Arc;

/// A database of hotels behind a form.
#[derive(Debug, Clone)]
pub struct HotelGuide {
    pub database: Arc<HotelDatabase>,
    pub options: GuideOptions,
}

/// How the guide is to be asked, and how it answers; by default as in the paper.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GuideOptions {
    /// Of the form; further pages of an answer are always links.
    pub method: Method,
    pub charset: Charset,
    pub described: Described,
    pub essential: Essential,
    pub regions: RegionControl,
    /// Hotels of an answer; it says how many there would be.
    pub cap: Option<usize>,
    /// Hotels of a page; without it an answer is one page.
    pub page_size: Option<usize>,
    /// Of a hundred requests for answers so many get 503.
    pub busy_percent: u64,
    /// Links with numbers and "weiter" that lead to no further page of the answer.
    pub decoys: bool,
    /// Every visit of the form begins a session, which all links carry on.
    pub sessions: bool,
    pub between: Between,
    pub seed: u64,
}

impl Default for GuideOptions {
    fn default() -> GuideOptions {
        GuideOptions {
            method: Method::Get,
            charset: Charset::Utf8,
            described: Described::OnPage,
            essential: Essential::Region,
            regions: RegionControl::Radio,
            cap: None,
            page_size: None,
            busy_percent: 0,
            decoys: false,
            sessions: false,
            between: Between::Nothing,
            seed: 1,
        }
    }
}

/// Where the `DB.*` metadata stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Described {
    OnPage,
    /// In a file that the page names; perhaps only for those with a token.
    InFile {
        token: Option<String>,
    },
    Nowhere,
}

/// The elements without which there is no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Essential {
    Region,
    RegionAndPrice,
    RegionPriceAndKind,
    /// The beginning of a town's name, `X%`.
    Town,
}

impl Essential {
    /// Internal names, in the order of the form.
    pub(super) fn elements(self) -> &'static [&'static str] {
        match self {
            Essential::Region => &["region"],
            Essential::RegionAndPrice => &["region", "preis"],
            Essential::RegionPriceAndKind => &["region", "preis", "art"],
            Essential::Town => &["ort"],
        }
    }
}

/// What stands between query and answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Between {
    Nothing,
    /// A page with a link to the answer, which `DB.Step` describes.
    Notice,
    /// A page with a form that nobody has described.
    Question,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RegionControl {
    Radio,
    Select,
}

impl HotelGuide {
    /// A guide as in the paper, to so many hotels.
    pub fn new(hotels: usize, seed: u64) -> HotelGuide {
        let options = GuideOptions { seed, ..GuideOptions::default() };
        HotelGuide { database: Arc::new(HotelDatabase::new(hotels, seed)), options }
    }

    pub fn with(mut self, options: GuideOptions) -> HotelGuide {
        self.options = options;
        self
    }

    /// Puts the form into a directory of a site, such as `/hotels/`, and what it needs beside it:
    /// `ergebnis`, `guide.conf` and `karte`.
    pub fn add_to(self, site: Site, directory: &str) -> Site {
        let guide = Arc::new(self);
        let (asker, answerer) = (Arc::clone(&guide), Arc::clone(&guide));
        let form = match guide.options.sessions {
            true => Answer::from_fn(move |asked| asker.new_session(asked.earlier)),
            false => guide.pages("").form(),
        };
        let mut site = site
            .answer(directory, form)
            .answer(
                &format!("{directory}ergebnis"),
                Answer::from_fn(move |asked| answerer.result(asked)),
            )
            .answer(&format!("{directory}karte"), guide.pages("").map());
        if let Described::InFile { token } = &guide.options.described {
            let file = Answer::file("text/plain; charset=utf-8", guide.pages("").config());
            let file = for_bearer(token.as_deref(), file);
            site = site.answer(&format!("{directory}guide.conf"), file);
        }
        site
    }

    fn pages<'a>(&'a self, session: &'a str) -> Pages<'a> {
        Pages { database: &self.database, options: &self.options, session }
    }

    fn new_session(&self, number: u64) -> Answer {
        let session = Numbers::apart(self.options.seed, number as usize).next();
        self.pages(&format!("{session:016x}")).form()
    }

    fn result(&self, asked: &Asked) -> Answer {
        let options = &self.options;
        let mut luck = Numbers::apart(options.seed ^ 3, asked.earlier as usize);
        if luck.next() % 100 < options.busy_percent {
            return Answer::error(503).header("Retry-After", "1");
        }
        let fields = Fields::of(asked, options.charset);
        let by_link = ["seite", "gelesen"].iter().any(|name| !fields.get(name).is_empty());
        if options.method == Method::Post && asked.method != "POST" && !by_link {
            return Answer::error(405).header("Allow", "POST");
        }
        let pages = self.pages(fields.get("sitzung"));
        if options.essential.elements().iter().any(|name| fields.get(name).is_empty()) {
            return pages.incomplete();
        }
        match options.between {
            Between::Notice if fields.get("gelesen").is_empty() => pages.notice(&fields),
            Between::Question if fields.get("personen").is_empty() => pages.question(&fields),
            _ => pages.result(&fields, &self.found(&fields)),
        }
    }

    /// The hotels that fit what is filled in.
    fn found(&self, fields: &Fields) -> Vec<&Hotel> {
        let (region, price, kind) = (fields.get("region"), fields.get("preis"), fields.get("art"));
        let start = fields.get("ort").trim_end_matches('%').to_lowercase();
        let fits = |hotel: &&Hotel| {
            (region.is_empty() || region_of(region) == Some(hotel.region))
                && (price.is_empty() || price == hotel.price)
                && (kind.is_empty() || kind == hotel.kind)
                && hotel.town.to_lowercase().starts_with(&start)
        };
        self.database.hotels().iter().filter(fits).collect()
    }
}
