//! The committer keeps the account of URL templates, and quarantines those that are traps.
//!
//! Every page that is stored is compared with what pages of its make have shown before, and counted.
//! When a window is closed, the templates it tells of are judged; what is quarantined is stored with the
//! window that showed it. If a window is refused, its counts are forgotten with it. Templates are read
//! when their server is leased, and left to the catalog when it is given back.
//!
//! An address of a quarantined template is held back before it counts as seen: when the template is
//! released, it comes as if it had never been met. What was queued before is refused when its turn
//! comes, with the template as its cause, and waits again after a release.

use crate::found::Found;
use crate::sifting::Source;
use auslese_catalog::StoredTemplate;
use auslese_crawl::{
    NoveltyMemory, Shown, Template, TemplateCounts, TemplateStanding, TrapSettings, judge_template,
};
use auslese_model::{
    Cause, CauseKind, Pending, RequestId, ServerId, TemplateChange, TemplateState,
};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

/// Servers whose templates are counted although nobody has leased them yet. Those beyond are counted
/// when they are.
const UNLEASED_SERVERS: usize = 50_000;

/// Embedded files of one make that bring something new whatever they are.
const EMBEDDED_FILES: u64 = 16;

/// Endings of addresses that are files rather than pages: a page that leads to a new one brings
/// something new, even if it says nothing itself.
#[rustfmt::skip]
const FILE_ENDINGS: &[&str] = &[
    "7z", "avi", "bmp", "bz2", "csv", "djvu", "doc", "docx", "dvi", "eps", "epub", "flac", "gif", "gz", "ico",
    "jpeg", "jpg", "m4a", "mov", "mp3", "mp4", "mpeg", "mpg", "odp", "ods", "odt", "ogg", "pdf", "png", "ppt",
    "pptx", "ps", "rtf", "svg", "tar", "tex", "tgz", "tif", "tiff", "wav", "webm", "webp", "wmv", "xls", "xlsx",
    "xz", "zip",
];

/// What the committer knows of templates.
#[derive(Debug)]
pub(crate) struct TrapWatch {
    settings: TrapSettings,
    memory: NoveltyMemory,
    servers: FxHashMap<ServerId, Templates>,
    /// What was embedded, by the kin of its template.
    embedded: FxHashMap<ServerId, FxHashMap<Arc<str>, Embedded>>,
    held: HeldBack,
    /// Which pages of the window at hand said something new: should it be entered again, they would be
    /// compared with themselves.
    said: FxHashMap<RequestId, bool>,
}

type Templates = FxHashMap<Arc<str>, Account>;

#[derive(Debug, Clone, Copy, Default)]
struct Account {
    counts: TemplateCounts,
    state: TemplateState,
    /// A person holds it back.
    by_hand: bool,
}

/// Embedded files of one make.
#[derive(Debug, Clone, Copy, Default)]
struct Embedded {
    files: u64,
    novel: u64,
}

impl Embedded {
    /// Whether most of them were what others had been before, as the pictures of a counter are.
    fn is_stale(self) -> bool {
        self.files >= EMBEDDED_FILES && self.novel * 2 < self.files
    }
}

/// What one window adds to the accounts, until it is stored.
#[derive(Debug, Default)]
pub(crate) struct TrapWindow {
    added: FxHashMap<(ServerId, Arc<str>), Added>,
    /// Templates that were not met before, by server.
    new: FxHashMap<ServerId, usize>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Added {
    /// As it will be.
    counts: TemplateCounts,
    before: TemplateCounts,
    offered: u64,
    withheld: u64,
}

impl TrapWatch {
    pub(crate) fn new(settings: TrapSettings, held: HeldBack) -> TrapWatch {
        TrapWatch {
            settings,
            memory: NoveltyMemory::default(),
            servers: FxHashMap::default(),
            embedded: FxHashMap::default(),
            held,
            said: FxHashMap::default(),
        }
    }

    /// Begins a window, which may be entered more than once.
    pub(crate) fn begin_window(&mut self) {
        self.said.clear();
    }

    /// Begins the account of a server that was never met before.
    pub(crate) fn meet(&mut self, server: ServerId) {
        if self.settings.quarantine && self.servers.len() < UNLEASED_SERVERS {
            self.servers.entry(server).or_default();
        }
    }

    /// Takes over what the catalog knows of some servers.
    pub(crate) fn load(&mut self, servers: &[ServerId], templates: Vec<StoredTemplate>) {
        for server in servers {
            self.servers.insert(*server, Templates::default());
        }
        for stored in templates {
            let by_hand = stored.is_held_by_hand();
            let StoredTemplate { fetched, novel, recent, leading, state, .. } = stored;
            let counts = TemplateCounts { fetched, novel, recent, leading, variants: 0 };
            let account = Account { counts, state, by_hand };
            self.servers.entry(stored.server).or_default().insert(stored.template.into(), account);
        }
        servers.iter().for_each(|server| self.hold(*server));
    }

    /// Leaves servers to the catalog.
    pub(crate) fn forget(&mut self, servers: &[ServerId]) {
        for server in servers {
            self.servers.remove(server);
            self.embedded.remove(server);
            self.held.set(*server, None);
        }
    }

    /// The template for which an address is held back, if it is. Seeds never are, nor questions to
    /// databases.
    pub(crate) fn holder(&self, server: ServerId, found: &Found) -> Option<Arc<str>> {
        let is_ours = found.via.is_none() || found.hops.trailing('Q') > 0;
        if is_ours || found.request.body.is_some() || !self.held.concerns(server) {
            return None;
        }
        self.held.holder(server, &Template::of(&found.request.url))
    }

    /// Counts an address that is held back.
    pub(crate) fn withhold(&self, server: ServerId, holder: &Arc<str>, window: &mut TrapWindow) {
        if let Some(added) = self.added(server, holder, window) {
            added.withheld += 1;
        }
    }

    pub(crate) fn holds_nothing(&self) -> bool {
        self.held.is_empty()
    }

    /// Whether anything is known of a server here.
    pub(crate) fn knows(&self, server: ServerId) -> bool {
        self.servers.contains_key(&server)
    }

    /// Counts a new request, and tells what it is, seen from its source.
    pub(crate) fn offer(
        &self,
        server: ServerId,
        found: &Found,
        source: &Source<'_>,
        window: &mut TrapWindow,
    ) -> Offered {
        let Source { from, kin, .. } = source;
        if !self.servers.contains_key(&server) && kin.is_none() {
            return Offered::default();
        }
        let template = Template::of(&found.request.url);
        let elsewhere = kin.is_some_and(|kin| kin != template.kin());
        let (own, family) = self.places(server, &template, window);
        for text in [Some(own), family].into_iter().flatten() {
            if let Some(added) = self.added(server, &text, window) {
                added.offered += 1;
            }
        }
        let here = *from == Some(server);
        let file = elsewhere && is_file(found) && !self.is_stale_file(server, &template);
        Offered { file, elsewhere, here }
    }

    /// Whether files of this make have shown to be always the same.
    fn is_stale_file(&self, server: ServerId, template: &Template) -> bool {
        let files = self.embedded.get(&server).and_then(|known| known.get(template.kin()));
        files.is_some_and(|files| files.is_stale())
    }

    /// Counts a page, or what one embeds.
    pub(crate) fn answer(&mut self, answer: &Shows<'_>, window: &mut TrapWindow) {
        let Shows { request, server, counted, shown, .. } = answer;
        let template = &counted.template;
        if !self.servers.contains_key(server) {
            return;
        }
        let places = counted.is_page.then(|| self.places(*server, template, window));
        // What is counted together is compared with each other, or each of many templates would be news.
        let kin = match &places {
            Some((own, _)) if **own == *Template::OTHERS => Template::OTHERS,
            _ => template.kin(),
        };
        let says_news = match self.said.get(request) {
            Some(says_news) => *says_news,
            None => {
                let is_new = |shown| self.memory.is_new((*server, kin), shown);
                let says_news = shown.is_some_and(is_new);
                self.said.insert(*request, says_news);
                if counted.is_embedded {
                    self.note_embedded(*server, template, says_news);
                }
                says_news
            }
        };
        if let Some(places) = places {
            self.note_page(answer, says_news || answer.brings_files, places, window);
        }
    }

    fn note_embedded(&mut self, server: ServerId, template: &Template, is_novel: bool) {
        let known = self.embedded.entry(server).or_default();
        if known.len() < self.settings.templates || known.contains_key(template.kin()) {
            let embedded = known.entry(template.kin().into()).or_default();
            embedded.files += 1;
            embedded.novel += u64::from(is_novel);
        }
    }

    fn note_page(
        &self,
        page: &Shows<'_>,
        is_novel: bool,
        (own, family): (Arc<str>, Option<Arc<str>>),
        window: &mut TrapWindow,
    ) {
        let Shows { server, counted: Counted { template, .. }, leads_on, .. } = page;
        let mut is_proven = false;
        if let Some(added) = self.added(*server, &own, window) {
            is_proven = added.counts.is_proven(&self.settings);
            // Where there is no room, the family stands for its templates.
            let variant = template.variant.filter(|_| template.family.as_deref() == Some(&own));
            added.counts.note(is_novel, *leads_on, variant);
        }
        if let Some(family) = family.filter(|_| !is_proven)
            && let Some(added) = self.added(*server, &family, window)
        {
            added.counts.note(is_novel, *leads_on, template.variant);
        }
    }

    /// The templates under which an address is counted.
    fn places(
        &self,
        server: ServerId,
        template: &Template,
        window: &TrapWindow,
    ) -> (Arc<str>, Option<Arc<str>>) {
        let known = self.servers.get(&server);
        let new = window.new.get(&server).copied().unwrap_or(0);
        let taken = known.map_or(0, |known| known.len()) + new;
        let room = self.settings.templates.saturating_sub(taken);
        let is_known = |text: &str| {
            known.is_some_and(|known| known.contains_key(text))
                || new > 0 && window.added.contains_key(&(server, Arc::from(text)))
        };
        let (own, family) = template.counted_in(is_known, room);
        (own.into(), family.map(Arc::from))
    }

    fn added<'a>(
        &self,
        server: ServerId,
        text: &Arc<str>,
        window: &'a mut TrapWindow,
    ) -> Option<&'a mut Added> {
        let known = self.servers.get(&server)?;
        let new = &mut window.new;
        Some(window.added.entry((server, text.clone())).or_insert_with(|| {
            let account = known.get(text);
            if account.is_none() {
                *new.entry(server).or_default() += 1;
            }
            let counts = account.map(|account| account.counts).unwrap_or_default();
            Added { counts, before: counts, offered: 0, withheld: 0 }
        }))
    }

    /// What a window says of templates, and which of them are quarantined by it.
    pub(crate) fn close(&self, window: &TrapWindow) -> Vec<TemplateChange> {
        let mut changes: Vec<TemplateChange> = Vec::with_capacity(window.added.len());
        for ((server, template), added) in &window.added {
            let account = self.servers.get(server).and_then(|known| known.get(template));
            let is_open = account.is_none_or(|account| account.state == TemplateState::Open);
            let fetched = added.counts.fetched - added.before.fetched;
            let why = judge_template(&added.counts, &self.settings)
                .filter(|_| is_open && fetched > 0)
                .map(|why| why.to_string());
            changes.push(TemplateChange {
                server: *server,
                template: template.clone(),
                offered: added.offered,
                withheld: added.withheld,
                fetched,
                novel: added.counts.novel - added.before.novel,
                recent: added.counts.recent,
                leading: added.counts.leading,
                quarantined: why,
            });
        }
        changes
    }

    /// Follows a window that is stored; what of it is a quarantine.
    pub(crate) fn keep<'a>(
        &mut self,
        window: TrapWindow,
        changes: &'a [TemplateChange],
    ) -> Vec<&'a TemplateChange> {
        for ((server, template), added) in window.added {
            if let Some(known) = self.servers.get_mut(&server) {
                known.entry(template).or_default().counts = added.counts;
            }
        }
        let mut quarantined = Vec::new();
        let mut concerned = BTreeSet::new();
        for change in changes {
            let known = self.servers.get_mut(&change.server);
            let account = known.and_then(|known| known.get_mut(&change.template));
            if let (Some(account), Some(_)) = (account, &change.quarantined) {
                account.state = TemplateState::Quarantined;
                quarantined.push(change);
                concerned.insert(change.server);
            }
            // Where something is held back, templates stand otherwise with what is known of them.
            if change.fetched > 0 && self.held.concerns(change.server) {
                concerned.insert(change.server);
            }
        }
        concerned.into_iter().for_each(|server| self.hold(server));
        quarantined
    }

    /// Tells everybody how the templates of a server stand, if any is quarantined.
    fn hold(&self, server: ServerId) {
        let known = self.servers.get(&server).filter(|known| {
            self.settings.quarantine
                && known.values().any(|account| account.state == TemplateState::Quarantined)
        });
        let standings = known.map(|known| {
            let standing = |account: &Account| {
                let Account { state, by_hand, counts } = account;
                TemplateStanding::of(*state, *by_hand, counts, &self.settings)
            };
            known.iter().map(|(text, account)| (text.clone(), standing(account))).collect()
        });
        self.held.set(server, standings);
    }
}

/// What a new request is, seen from the page that named it.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Offered {
    /// A file of another make than the page.
    pub(crate) file: bool,
    /// Of another make than the page.
    pub(crate) elsewhere: bool,
    /// On the server of the page.
    pub(crate) here: bool,
}

/// As what an answer is counted.
#[derive(Debug)]
pub(crate) struct Counted {
    pub(crate) template: Template,
    /// What is embedded is no page, as long as it is none by itself, such as a frame: the same pictures on
    /// many pages say nothing about these.
    pub(crate) is_page: bool,
    pub(crate) is_embedded: bool,
}

impl Counted {
    /// The make of a page.
    pub(crate) fn kin(&self) -> Option<&str> {
        self.is_page.then(|| self.template.kin())
    }
}

/// An answer that is to be counted, with what it shows.
#[derive(Debug)]
pub(crate) struct Shows<'a> {
    pub(crate) request: RequestId,
    pub(crate) server: ServerId,
    pub(crate) counted: &'a Counted,
    /// What it says; none if that counts for nothing, as of an error page.
    pub(crate) shown: Option<Shown<'a>>,
    /// It leads to files not known before, or to a page elsewhere.
    pub(crate) brings_files: bool,
    /// It leads to addresses of its server that were not known before.
    pub(crate) leads_on: bool,
}

fn is_file(found: &Found) -> bool {
    let name = found.request.url.path().rsplit('/').next().unwrap_or("");
    let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    found.hops.trailing('E') > 0
        || ending.is_some_and(|ending| FILE_ENDINGS.binary_search(&ending.as_str()).is_ok())
}

type Standings = FxHashMap<Arc<str>, TemplateStanding>;

/// Which templates are held back, for everybody who asks.
#[derive(Debug, Clone, Default)]
pub(crate) struct HeldBack {
    servers: Arc<RwLock<FxHashMap<ServerId, Standings>>>,
    any: Arc<AtomicBool>,
}

impl HeldBack {
    fn set(&self, server: ServerId, standings: Option<Standings>) {
        if standings.is_none() && self.is_empty() {
            return;
        }
        let mut servers = self.servers.write().unwrap_or_else(PoisonError::into_inner);
        match standings {
            Some(standings) => drop(servers.insert(server, standings)),
            None => drop(servers.remove(&server)),
        }
        self.any.store(!servers.is_empty(), Ordering::Release);
    }

    pub(crate) fn is_empty(&self) -> bool {
        !self.any.load(Ordering::Acquire)
    }

    fn concerns(&self, server: ServerId) -> bool {
        let servers = || self.servers.read().unwrap_or_else(PoisonError::into_inner);
        !self.is_empty() && servers().contains_key(&server)
    }

    fn holder(&self, server: ServerId, template: &Template) -> Option<Arc<str>> {
        let servers = self.servers.read().unwrap_or_else(PoisonError::into_inner);
        let standings = servers.get(&server)?;
        template.held_by(|text| standings.get(text).copied()).map(Arc::from)
    }

    /// Why a request is not to be sent, if so. Seeds are, and questions to databases.
    pub(crate) fn cause(&self, pending: &Pending) -> Option<Cause> {
        if pending.via.is_none()
            || pending.hops.trailing('Q') > 0
            || pending.request.body.is_some()
            || !self.concerns(pending.server)
        {
            return None;
        }
        let holder = self.holder(pending.server, &Template::of(&pending.request.url))?;
        Some(Cause::new(CauseKind::Trap, &*holder))
    }
}

#[cfg(test)]
mod tests {
    use super::FILE_ENDINGS;

    #[test]
    fn endings_are_sorted() {
        assert!(FILE_ENDINGS.is_sorted());
    }
}
