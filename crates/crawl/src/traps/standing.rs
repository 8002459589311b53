//! Whether an address is held back, by the standing of its template and its family.
//!
//! A template that is quarantined holds its addresses back. One that has had its budget and passed, or
//! that a person released, lets them pass whatever its family is. Before that, its family speaks for it:
//! a trap that makes a new template with every page is known by what they have in common. Templates for
//! which there was no room are counted together, and stand together.

use super::Template;

/// How a template stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TemplateStanding {
    /// Not judged yet; its family speaks for it.
    Watched,
    /// It has had its budget, and its pages are news; or a person released it.
    Free,
    Quarantined,
}

impl Template {
    /// The template that holds the address back, if one does.
    pub fn held_by(&self, standing: impl Fn(&str) -> Option<TemplateStanding>) -> Option<&str> {
        let own = standing(&self.text);
        match own {
            Some(TemplateStanding::Quarantined) => return Some(&self.text),
            Some(TemplateStanding::Free) => return None,
            Some(TemplateStanding::Watched) | None => {}
        }
        let family = self.family.as_deref();
        match family.and_then(&standing) {
            Some(TemplateStanding::Quarantined) => family,
            Some(TemplateStanding::Free | TemplateStanding::Watched) => None,
            None if own.is_some() => None,
            None => (standing(Template::OTHERS) == Some(TemplateStanding::Quarantined))
                .then_some(Template::OTHERS),
        }
    }

    /// The templates an address is counted in: its own and its family, as far as there is room for
    /// them beside those that are known.
    pub fn counted_in(
        &self,
        is_known: impl Fn(&str) -> bool,
        mut room: usize,
    ) -> (&str, Option<&str>) {
        let mut has_place = |text: &str| {
            let has_place = is_known(text) || room > 0;
            room = room.saturating_sub(usize::from(!is_known(text)));
            has_place
        };
        let own = has_place(&self.text);
        let family = self.family.as_deref().filter(|family| has_place(family));
        match (own, family) {
            (true, family) => (&self.text, family),
            (false, Some(family)) => (family, None),
            (false, None) => (Template::OTHERS, None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use TemplateStanding::{Free, Quarantined, Watched};
    use url::Url;

    #[test]
    fn who_speaks_for_an_address() {
        let template = Template::of(&Url::parse("http://h.example/list?a=1&b=2").unwrap());
        #[rustfmt::skip]
        let cases = [
            // own                family             others             held by
            (None,                None,              None,              None),
            (Some(Watched),       Some(Watched),     Some(Quarantined), None),
            (Some(Quarantined),   Some(Free),        None,              Some("/list?a&b")),
            (Some(Watched),       Some(Quarantined), None,              Some("/list?*")),
            (None,                Some(Quarantined), None,              Some("/list?*")),
            (Some(Free),          Some(Quarantined), None,              None),
            (None,                None,              Some(Quarantined), Some(Template::OTHERS)),
            (None,                Some(Watched),     Some(Quarantined), None),
        ];
        for (own, family, others, expected) in cases {
            let standing = |text: &str| match text {
                "/list?a&b" => own,
                "/list?*" => family,
                _ => others,
            };
            assert_eq!(template.held_by(standing), expected, "{own:?} {family:?} {others:?}");
        }
    }

    #[test]
    fn room_for_templates_is_limited() {
        let template = Template::of(&Url::parse("http://h.example/list?a=1").unwrap());
        let none = |_: &str| false;
        let family = |text: &str| text == "/list?*";
        assert_eq!(template.counted_in(none, 2), ("/list?a", Some("/list?*")));
        assert_eq!(template.counted_in(none, 1), ("/list?a", None));
        assert_eq!(template.counted_in(family, 0), ("/list?*", None));
        assert_eq!(template.counted_in(none, 0), (Template::OTHERS, None));
    }
}
