//! Which records a list has, and where its next page begins.

use super::super::fields::Fields;
use super::{OaiFault, OaiGranularity, OaiRepository, Refusal, RepositoryRecord};

/// What a page of a list is to show. As a token it is written with `!` between its parts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Wanted {
    offset: usize,
    /// From 0.
    pub(super) page: usize,
    from: String,
    until: String,
    set: String,
}

impl Wanted {
    pub(super) fn of_arguments(
        fields: &Fields,
        granularity: OaiGranularity,
    ) -> Result<Wanted, Refusal> {
        let [from, until, set] = ["from", "until", "set"].map(|name| fields.get(name).to_owned());
        let is_date = |text: &str| match text.len() {
            0 | 10 => true,
            20 => granularity == OaiGranularity::Second && text.ends_with('Z'),
            _ => false,
        };
        let alike = from.is_empty() || until.is_empty() || from.len() == until.len();
        if !is_date(&from) || !is_date(&until) || !alike || (!until.is_empty() && from > until) {
            let words = format!("from {from} until {until} is no range of dates");
            return Err(("badArgument", words));
        }
        Ok(Wanted { from, until, set, ..Wanted::default() })
    }

    pub(super) fn of_token(token: &str) -> Option<Wanted> {
        let parts: Vec<&str> = token.split('!').collect();
        let [offset, page, from, until, set] = parts[..] else { return None };
        let (offset, page) = (offset.parse().ok()?, page.parse().ok()?);
        let [from, until, set] = [from, until, set].map(str::to_owned);
        Some(Wanted { offset, page, from, until, set })
    }

    fn token(&self) -> String {
        let Wanted { offset, page, from, until, set } = self;
        format!("{offset}!{page}!{from}!{until}!{set}")
    }

    fn fits(&self, record: &RepositoryRecord) -> bool {
        let date =
            |precision: &str| record.datestamp.get(..precision.len()).unwrap_or(&record.datestamp);
        (self.from.is_empty() || date(&self.from) >= self.from.as_str())
            && (self.until.is_empty() || date(&self.until) <= self.until.as_str())
            && (self.set.is_empty() || record.sets.contains(&self.set))
    }
}

impl OaiRepository {
    pub(super) fn list(&self, verb: &str, wanted: &Wanted) -> Result<String, Refusal> {
        if !wanted.set.is_empty() && self.sets.is_empty() {
            return Err(("noSetHierarchy", "there are no sets".to_owned()));
        }
        let found: Vec<&RepositoryRecord> =
            self.records.iter().filter(|record| wanted.fits(record)).collect();
        let left = found.get(wanted.offset..).unwrap_or_default();
        if left.is_empty() {
            return Err(("noRecordsMatch", "nothing fits".to_owned()));
        }
        let size = self.page_size.max(1);
        let records: String = left
            .iter()
            .take(size)
            .map(|record| match verb {
                "ListIdentifiers" => record.header(self.granularity),
                _ => record.whole(self.granularity),
            })
            .collect();
        let next = self.next_token(wanted, left.len() > size);
        let token = match (next, wanted.page) {
            (None, 0) => String::new(),
            (next, _) => self.token_element(next, wanted.offset, found.len()),
        };
        Ok(format!("<{verb}>\n{records}{token}</{verb}>\n"))
    }

    fn next_token(&self, wanted: &Wanted, goes_on: bool) -> Option<String> {
        let mut next = wanted.clone();
        next.page += 1;
        for fault in &self.faults {
            match fault {
                OaiFault::Repeats { page } if wanted.page >= *page => return Some(next.token()),
                OaiFault::RepeatsToken { page } if wanted.page >= *page => {
                    return Some(wanted.token());
                }
                _ => {}
            }
        }
        next.offset += self.page_size.max(1);
        goes_on.then(|| next.token())
    }

    fn token_element(&self, token: Option<String>, cursor: usize, found: usize) -> String {
        let claimed = self.faults.iter().find_map(|fault| match fault {
            OaiFault::ClaimsSize(size) => Some(*size),
            _ => None,
        });
        let size = claimed.unwrap_or(found as u64);
        let token = token.unwrap_or_default();
        format!(
            "<resumptionToken completeListSize=\"{size}\" cursor=\"{cursor}\">{token}</resumptionToken>\n"
        )
    }
}
