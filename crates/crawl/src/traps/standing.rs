//! Whether an address is held back, by the standing of its template and its family.
//!
//! A template that is quarantined holds its addresses back. One whose pages are news, that has had its budget
//! and passed, or that a person released, lets them pass whatever its family is: the articles of a content
//! manager stand beside its calendar, both of them `/index.php?*`. For the others the family speaks, since a
//! trap may make a new template with every page. A family that is quarantined lets each new template show
//! some pages, until it has spent as many on what was stale as its budget allows once more. Templates for which there was no
//! room are counted together, and stand together.

use super::{Template, TemplateCounts, TrapSettings};
use auslese_model::TemplateState;

/// Pages a template has shown before its family speaks for it.
const TRIED: u64 = 3;

/// How a template stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TemplateStanding {
    /// Too little of it was seen.
    Untried,
    /// It shows little that is new, and is not judged yet; its family speaks for it.
    Watched,
    /// Its pages are news, or it has had its budget and passed.
    Free,
    /// A person let it pass.
    Released,
    /// It is quarantined; as a family it lets templates pass that are untried.
    Trying,
    /// It is quarantined, and what is untried is held back with it.
    Quarantined,
    /// A person holds it back, and as a family all that was not released.
    Held,
}

impl TemplateStanding {
    /// The standing of a template by what is known of it; `by_hand` if a person decided on it.
    pub fn of(
        state: TemplateState,
        by_hand: bool,
        counts: &TemplateCounts,
        settings: &TrapSettings,
    ) -> TemplateStanding {
        match state {
            TemplateState::Released => TemplateStanding::Released,
            TemplateState::Quarantined if by_hand => TemplateStanding::Held,
            TemplateState::Quarantined if has_trials_left(counts, settings) => {
                TemplateStanding::Trying
            }
            TemplateState::Quarantined => TemplateStanding::Quarantined,
            TemplateState::Open if counts.is_proven(settings) => TemplateStanding::Free,
            TemplateState::Open if counts.fetched < TRIED => TemplateStanding::Untried,
            TemplateState::Open if is_news(counts) => TemplateStanding::Free,
            TemplateState::Open => TemplateStanding::Watched,
        }
    }

    fn holds_back(self) -> bool {
        use TemplateStanding::{Held, Quarantined, Trying};
        matches!(self, Trying | Quarantined | Held)
    }
}

/// Whether at least half of the last pages brought something new.
fn is_news(counts: &TemplateCounts) -> bool {
    let (pages, novel) = counts.recently();
    novel * 2 >= pages
}

/// Whether a family that is quarantined can afford further stale pages: its budget, beyond what it
/// took to be quarantined.
fn has_trials_left(counts: &TemplateCounts, settings: &TrapSettings) -> bool {
    let stale = counts.fetched.saturating_sub(counts.novel);
    let spent = counts.novel.saturating_mul(super::STALE_FOR_EACH).max(settings.budget);
    stale < spent.saturating_add(settings.budget)
}

impl Template {
    /// The template that holds the address back, if one does.
    pub fn held_by(&self, standing: impl Fn(&str) -> Option<TemplateStanding>) -> Option<&str> {
        use TemplateStanding::{Free, Held, Quarantined, Released, Trying, Untried};
        let own = standing(&self.text);
        if own.is_some_and(TemplateStanding::holds_back) {
            return Some(&self.text);
        }
        let family = self.family.as_deref();
        match (own, family.and_then(&standing)) {
            (Some(Released), _) => None,
            (_, Some(Held)) => family,
            (Some(Free), _) | (None | Some(Untried), Some(Trying)) => None,
            (_, Some(Quarantined | Trying)) => family,
            (None, None) => standing(Template::OTHERS)
                .is_some_and(TemplateStanding::holds_back)
                .then_some(Template::OTHERS),
            _ => None,
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
    use TemplateStanding::{Free, Held, Quarantined, Released, Trying, Untried, Watched};
    use url::Url;

    #[test]
    fn who_speaks_for_an_address() {
        let template = Template::of(&Url::parse("http://h.example/list?a=1&b=2").unwrap());
        let (text, family) = (Some("/list?a&b"), Some("/list?*"));
        #[rustfmt::skip]
        let cases = [
            // own                family             others             held by
            (None,                None,              None,              None),
            (Some(Watched),       Some(Watched),     Some(Quarantined), None),
            (Some(Quarantined),   Some(Free),        None,              text),
            (Some(Trying),        None,              None,              text),
            (Some(Held),          Some(Released),    None,              text),
            (Some(Watched),       Some(Trying),      None,              family),
            (Some(Watched),       Some(Quarantined), None,              family),
            (Some(Untried),       Some(Trying),      None,              None),
            (Some(Untried),       Some(Quarantined), None,              family),
            (None,                Some(Trying),      None,              None),
            (None,                Some(Quarantined), None,              family),
            (Some(Free),          Some(Quarantined), None,              None),
            (Some(Free),          Some(Held),        None,              family),
            (Some(Released),      Some(Held),        None,              None),
            (None,                None,              Some(Quarantined), Some(Template::OTHERS)),
            (None,                None,              Some(Trying),      Some(Template::OTHERS)),
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
    fn the_standing_follows_from_what_was_seen() {
        let settings = TrapSettings { budget: 20, ..TrapSettings::default() };
        let check = |state, pages: &[(u64, bool)], expected| {
            let mut counts = TemplateCounts::default();
            for (count, is_novel) in pages {
                (0..*count).for_each(|_| counts.note(*is_novel, true, None));
            }
            let standing = TemplateStanding::of(state, false, &counts, &settings);
            assert_eq!(standing, expected, "{state:?} {pages:?}");
        };
        check(TemplateState::Open, &[(2, false)], Untried);
        check(TemplateState::Open, &[(3, false)], Watched);
        check(TemplateState::Open, &[(2, true), (1, false)], Free);
        check(TemplateState::Open, &[(5, true), (6, false)], Watched);
        check(TemplateState::Open, &[(5, true), (15, false)], Free);
        check(TemplateState::Released, &[], Released);
        // Twenty stale pages to be quarantined, and twenty to try others with.
        check(TemplateState::Quarantined, &[(39, false)], Trying);
        check(TemplateState::Quarantined, &[(40, false)], Quarantined);
        check(TemplateState::Quarantined, &[(10, true), (49, false)], Trying);
        check(TemplateState::Quarantined, &[(10, true), (50, false)], Quarantined);
        let counts = TemplateCounts::default();
        let held = TemplateStanding::of(TemplateState::Quarantined, true, &counts, &settings);
        assert_eq!(held, Held);
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
