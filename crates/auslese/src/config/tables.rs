//! All settings of `auslese.toml`: name, what may be written, default, and a line of explanation.
//!
//! The order is the order in the template and in `auslese config show`.

use super::corpus_table::CORPUS;
use super::describe_table::DESCRIBE;
use super::hidden_table::HIDDEN;
use super::language_table::LANGUAGE;
use super::schema::Kind::{Choice, List, Named, Number, Records, Size, Switch, Text, Whole};
use super::schema::Preset::{Is, Required, Unset};
use super::schema::{Kind, Preset, Setting, Table};
use super::search_table::SEARCH;
use super::serve_table::SERVE;
use super::store_table::STORE;
use super::text_forms::{
    CATALOG_URL, CONTACT, DURATION, FILE_PREFIX, HEADER_WORDS, HOST, HOST_PATTERN, NETWORK, PATH,
    SCOPE_RULE, SOCKET, WEB_URL, WORDS,
};

pub(super) const fn setting(
    key: &'static str,
    kind: Kind,
    default: Preset,
    about: &'static str,
) -> Setting {
    Setting { key, kind, default, about }
}

pub(super) const COUNT: Kind = Whole(1..=i64::MAX);
pub(super) const SHARE: Kind = Number(0.0..=1.0);
const PRIORITY: Kind = Whole(i16::MIN as i64..=i16::MAX as i64);

#[rustfmt::skip]
pub(crate) const TABLES: &[Table] = &[
    Table { path: "harvest", about: "Who collects what.", settings: &[
        setting("name", Text(WORDS), Unset,
            "Name of the harvest, written into the archive files."),
        setting("contact", Text(CONTACT), Unset,
            "Mail address or web page where server operators reach you; needed for any host outside this machine."),
        setting("user_agent", Text(HEADER_WORDS), Is("\"auslese/{version} (+{contact})\""),
            "How the crawler introduces itself; {version} and {contact} are filled in."),
        setting("institutions", Records(INSTITUTION), Is("[]"),
            "The institutions collected: { label = \"GI\", root = \"https://www.uni-giessen.example/\" }."),
    ]},
    Table { path: "harvest.sample", about: "How the institutions were drawn from a longer list (written by `auslese init --sample`).", settings: &[
        setting("list", Text(PATH), Unset, "The list they were drawn from."),
        setting("of", COUNT, Unset, "How many institutions the list held."),
        setting("take", COUNT, Unset, "How many were drawn."),
        setting("seed", Whole(0..=i64::MAX), Unset, "The seed of the drawing: the same list and seed give the same sample."),
    ]},
    Table { path: "crawl", about: "What is fetched, and in which order.", settings: &[
        setting("seeds", List(&Text(WEB_URL)), Is("[]"),
            "Addresses to begin with, besides the roots of the institutions."),
        setting("seeds_file", Text(PATH), Unset,
            "A file with further addresses, one per line or as objects of SOIF, of which only the documents themselves are fetched."),
        setting("seeds_sample", COUNT, Unset,
            "How many addresses of that file are drawn; all, if it is not set."),
        setting("seeds_sample_seed", Whole(0..=i64::MAX), Is("0"),
            "The seed of that drawing: the same file and seed give the same sample."),
        setting("scope", List(&Text(SCOPE_RULE)), Is("[]"),
            "Rules in order, the last that has an opinion decides; without any, the hosts that belong to the institutions, or without a profile of them the hosts of the seeds."),
        setting("hosts", Named(HOST_PATTERN, HOST_EXCEPTIONS), Is("{}"),
            "Exceptions for hosts, such as [crawl.hosts.\"www.uni.example\"] or [crawl.hosts.\".intern.example\"] with delay, obey_robots, connections."),
    ]},
    Table { path: "crawl.politeness", about: "How servers are treated.", settings: &[
        setting("delay", Text(DURATION), Is("\"2s\""),
            "Least pause from the end of an answer to the next request; \"0\" switches all pauses off."),
        setting("factor", Number(0.0..=1000.0), Is("1.0"),
            "Pause at least this many times as long as the last answer took."),
        setting("max_delay", Text(DURATION), Is("\"30s\""),
            "The most that factor may make of it."),
        setting("max_crawl_delay", Text(DURATION), Is("\"30s\""),
            "The most that a Crawl-delay in robots.txt may ask for."),
        setting("max_retry_after", Text(DURATION), Is("\"10m\""),
            "The most that a Retry-After header may ask for."),
        setting("backoff", Text(DURATION), Is("\"2s\""),
            "Pause after the first failure; it doubles with each further one."),
        setting("max_backoff", Text(DURATION), Is("\"5m\""),
            "The longest such pause."),
        setting("give_up_after", Whole(1..=1_000_000), Is("10"),
            "Failures in a row after which a server is given up for this run."),
        setting("connections", Whole(1..=10_000), Is("256"),
            "Connections at a time, over all servers."),
        setting("per_server", Whole(1..=1_000), Is("1"),
            "Connections at a time to one server."),
        setting("per_server_without_delay", Whole(1..=1_000), Is("8"),
            "The same where the delay is 0."),
        setting("per_group", Whole(1..=1_000), Is("1"),
            "Connections at a time to one group of servers that share a pause."),
        setting("lookups", Whole(1..=10_000), Is("32"),
            "Hosts whose addresses are asked for at a time, to find their group."),
        setting("group_by", Choice(&["address", "server"]), Is("\"address\""),
            "Who shares a pause: all servers at one address, or none."),
    ]},
    Table { path: "crawl.robots", about: "How robots.txt is treated; exceptions for hosts of your own belong into [crawl.hosts].", settings: &[
        setting("obey", Switch, Is("true"),
            "Whether robots.txt is asked for and obeyed."),
        setting("agent", Text(HEADER_WORDS), Is("\"auslese\""),
            "The name that is looked up in robots.txt."),
        setting("keep", Text(DURATION), Is("\"1d\""),
            "How long an answer is used."),
        setting("unreachable_for", Text(DURATION), Is("\"1h\""),
            "How long a server is left alone whose robots.txt cannot be read."),
        setting("redirects", Whole(0..=255), Is("5"),
            "Redirects of robots.txt that are followed."),
    ]},
    Table { path: "crawl.retry", about: "When a request that failed is sent again.", settings: &[
        setting("attempts", Whole(1..=1_000), Is("3"), "Attempts in all, the first included."),
        setting("wait", Text(DURATION), Is("\"5s\""), "Wait before the second attempt; each further one waits four times as long."),
        setting("max_wait", Text(DURATION), Is("\"10m\""), "The longest wait."),
    ]},
    Table { path: "crawl.budget", about: "Where a crawl ends; what is left stays in the queue.", settings: &[
        setting("max_pages", COUNT, Unset, "Most answers in all."),
        setting("max_bytes", Size(1), Unset, "Most data in all."),
        setting("max_time", Text(DURATION), Unset, "Longest time a crawl may take."),
    ]},
    Table { path: "crawl.budget.per_server", about: "The same for every server by itself; its time begins with its first request.", settings: &[
        setting("max_pages", COUNT, Unset, "Most answers of one server."),
        setting("max_bytes", Size(1), Unset, "Most data of one server."),
        setting("max_time", Text(DURATION), Unset, "Longest time for one server."),
    ]},
    Table { path: "crawl.finds", about: "Which links are taken from an answer.", settings: &[
        setting("nofollow", Choice(&["ignore", "pages", "links"]), Is("\"ignore\""),
            "Which requests not to follow links are honoured: none, those of pages, those of pages and single links."),
        setting("honour_noarchive", Switch, Is("false"),
            "Whether pages that ask for it are kept out of the archive."),
        setting("max_urls", Whole(1..=100_000_000), Is("50000"),
            "Addresses taken from one answer; the rest is ignored and noted."),
        setting("max_url_bytes", Whole(16..=1_048_576), Is("8192"),
            "Characters of the longest address taken."),
    ]},
    Table { path: "crawl.canonical", about: "When two addresses count as the same; what is sent is always the address as found.", settings: &[
        setting("drop_session_ids", Switch, Is("true"), "Leave out session ids."),
        setting("drop_tracking", Switch, Is("true"), "Leave out parameters that only trace where a visitor came from."),
        setting("sort_query", Switch, Is("false"), "Sort the remaining parameters by name."),
        setting("drop_parameters", List(&Text(WORDS)), Is("[]"), "Names of further parameters to leave out; a final * stands for any ending."),
    ]},
    Table { path: "crawl.priority", about: "What comes first on a server: lower numbers.", settings: &[
        setting("seed", PRIORITY, Is("0"), "Seeds."),
        setting("sitemap", PRIORITY, Is("10"), "Sitemap files."),
        setting("page", PRIORITY, Is("100"), "Pages, before their distance is added."),
        setting("per_hop", PRIORITY, Is("10"), "Added for every link between a page and its seed."),
        setting("resource", PRIORITY, Is("2000"), "Images, style sheets, scripts."),
    ]},
    Table { path: "crawl.frontier", about: "What of the queues is held in memory.", settings: &[
        setting("queue", Whole(1..=1_000_000), Is("256"), "Requests of one server; the rest waits in the catalog."),
        setting("seen_bytes", Size(0), Is("\"192 MiB\""),
            "Memory for remembering known addresses, enough for some 14 million; more go to disk."),
    ]},
    Table { path: "crawl.traps", about: "When addresses without end that bring nothing new are left alone.", settings: &[
        setting("quarantine", Switch, Is("true"), "Whether templates of addresses that bring nothing new are quarantined."),
        setting("budget", Whole(1..=1_000_000_000), Is("200"),
            "Pages of one template, or of one family of templates, that are fetched whatever they bring."),
        setting("novelty", SHARE, Is("0.1"),
            "Share of the last 64 pages with something new below which a template counts as a trap."),
        setting("templates", Whole(1..=1_000_000), Is("1000"),
            "Templates of one server that are told apart; further ones are counted together."),
    ]},
    Table { path: "discover", about: "Which hosts belong to the institutions, and how that is found out.", settings: &[
        setting("method", Choice(&["weighted", "paper"]), Is("\"weighted\""),
            "How evidence becomes a verdict: by weights, or binary as in the paper."),
        setting("net", Choice(&["range", "scanned", "scanned-public"]), Is("\"range\""),
            "Which addresses count as the network: all of the ranges, those at which a scan found a web server, or of these the public ones."),
        setting("similarity", SHARE, Is("0.9"),
            "Similarity of two names from which on they count as the same."),
        setting("member", SHARE, Is("0.7"),
            "Score from which on a host belongs."),
        setting("review", SHARE, Is("0.4"),
            "Score below which a host is foreign; in between it waits for a person."),
        setting("off", List(&Choice(INDICATORS)), Is("[]"),
            "Indicators that are not looked at."),
        setting("always", List(&Text(HOST_PATTERN)), Is("[]"),
            "Hosts that always belong, whatever is seen."),
        setting("never", List(&Text(HOST_PATTERN)), Is("[]"),
            "Hosts that never belong."),
        setting("keep", Text(DURATION), Is("\"30d\""),
            "How long a verdict is relied on."),
        setting("retry", Text(DURATION), Is("\"1h\""),
            "When a verdict with open questions is tried again."),
        setting("patience", Text(DURATION), Is("\"1m\""),
            "How long a crawl waits for the verdict on one host before it leaves its links for later."),
        setting("at_once", Whole(1..=1_000), Is("16"),
            "Hosts that are judged at a time."),
        setting("bridge_hops", Whole(0..=10), Is("0"),
            "Pages of foreign hosts that may be read in a row for their links; they are never kept."),
        setting("sweep", Switch, Is("true"),
            "Whether the reverse names of all addresses of the ranges are asked for."),
        setting("imprint", Switch, Is("true"),
            "Whether the start page and the imprint of the institution are read for its profile."),
        setting("imports", List(&Text(PATH)), Is("[]"),
            "Files with host names to judge: certificate logs, CDX, host lists, web server configurations."),
        setting("own_hosts", List(&Text(PATH)), Is("[]"),
            "Host lists that you vouch for: every host in them belongs."),
        setting("shortest_v4_prefix", Whole(0..=32), Is("13"),
            "A larger IPv4 range is never taken for one institution's."),
        setting("shortest_v6_prefix", Whole(0..=128), Is("28"),
            "The same for IPv6."),
    ]},
    Table { path: "discover.weights", about: "How strongly each sign speaks for a host.", settings: &[
        setting("net", SHARE, Is("1.0"), "An address in a range of the institution."),
        setting("own_name_server", SHARE, Is("1.0"), "A name server of its own: in its range or under its domain."),
        setting("shared_name_server", SHARE, Is("0.2"), "A name server that others use as well."),
        setting("email_domain", SHARE, Is("0.9"), "The registrant's mail address is in a domain of the institution."),
        setting("holder", SHARE, Is("0.7"), "The registrant has its name."),
        setting("postal_address", SHARE, Is("0.3"), "The registrant has its postal address; counts with the name only."),
        setting("mail_routing", SHARE, Is("0.5"), "Its mail goes through servers of the institution."),
        setting("certificate", SHARE, Is("0.5"), "A certificate names it together with members."),
        setting("pointer", SHARE, Is("0.4"), "A reverse name that leads back."),
        setting("redirect", SHARE, Is("0.4"), "It redirects to a member."),
        setting("imprint", SHARE, Is("0.4"), "Its imprint names the institution."),
        setting("full_imprint", SHARE, Is("0.9"), "Its imprint names body, postcode and mail address."),
        setting("token", SHARE, Is("0.3"), "It has a verification token of the institution."),
        setting("links", SHARE, Is("0.1"), "It and members link to each other."),
        setting("list", SHARE, Is("1.0"), "It stands in a list that you vouch for."),
    ]},
    Table { path: "discover.lookup", about: "How registries are asked.", settings: &[
        setting("order", Choice(&["rdap-then-whois", "whois-then-rdap", "rdap-only", "whois-only"]), Is("\"rdap-then-whois\""),
            "Which service of a registry is asked first, and which if that tells no registrant."),
        setting("whois_servers", Records(REGISTRY), Is("[]"),
            "WHOIS servers by ending, before the built-in ones: { ending = \"de\", server = \"whois.denic.de\" }."),
        setting("whois_queries", Records(QUERY), Is("[]"),
            "What is sent to servers that want more than the name: { server = \"whois.denic.de\", about = \"domain\", line = \"-T dn,ace {}\" }."),
        setting("whois_root", Text(WORDS), Is("\"whois.iana.org\""),
            "The WHOIS server that knows all others."),
        setting("rdap_servers", Records(REGISTRY), Is("[]"),
            "RDAP servers by ending, before the built-in ones: { ending = \"de\", server = \"https://rdap.denic.de/\" }."),
        setting("rdap_bootstrap", Text(WORDS), Is("\"https://data.iana.org/rdap/\""),
            "Where the list of all RDAP servers is; an empty text for nowhere."),
        setting("interval", Text(DURATION), Is("\"2s\""), "One question to a registry in this time, on average."),
        setting("burst", Whole(1..=1_000), Is("3"), "Questions that a rested registry gets at once."),
        setting("back_off", Text(DURATION), Is("\"1m\""), "How long a registry is left alone that says \"too many questions\"; doubled each time."),
        setting("back_off_max", Text(DURATION), Is("\"1h\""), "The longest such time."),
        setting("dead_after", Whole(1..=1_000), Is("2"), "Questions in a row without an answer after which a server counts as dead."),
        setting("dead_for", Text(DURATION), Is("\"5m\""), "How long a dead server is not asked anything."),
        setting("question", Text(DURATION), Is("\"20s\""), "Time for one question, waiting for its turn included."),
        setting("keep_found", Text(DURATION), Is("\"30d\""), "How long an answer holds."),
        setting("keep_absent", Text(DURATION), Is("\"1d\""), "How long \"there is no such thing\" holds."),
        setting("keep_failed", Text(DURATION), Is("\"5m\""), "How long a question that failed is not asked again."),
        setting("keep_dns_min", Text(DURATION), Is("\"1h\""), "Answers of the DNS hold at least this long."),
        setting("keep_dns_max", Text(DURATION), Is("\"1d\""), "And at most this long."),
        setting("whois_bytes", Size(1), Is("\"64 KiB\""), "How much of a WHOIS answer is read."),
        setting("networks_bytes", Size(1), Is("\"512 KiB\""), "How much of a list of networks is read."),
        setting("page_bytes", Size(1), Is("\"512 KiB\""), "How much of a page is read."),
        setting("redirects", Whole(0..=20), Is("5"), "Redirects of a page or an RDAP server that are followed."),
        setting("agent", Text(HEADER_WORDS), Is("\"auslese\""), "The name that is looked up in robots.txt."),
        setting("memory_bytes", Size(0), Is("\"256 MiB\""), "Memory for answers."),
    ]},
    Table { path: "discover.scan", about: "The scan of the institution's ranges for web servers; it is made only if you ask for it.", settings: &[
        setting("on", Switch, Is("false"), "Whether `discover` and `run` scan; only do so in networks you may scan."),
        setting("ports", List(&Whole(1..=65_535)), Is("[80, 443]"), "Ports to try; those that end in 443 with TLS."),
        setting("exclude", List(&Text(NETWORK)), Is("[]"), "Addresses that are left alone."),
        setting("i_own", List(&Text(NETWORK)), Is("[]"), "Ranges that you may scan although the profile does not name them."),
        setting("large", Switch, Is("false"), "Whether more than 65,536 addresses are meant."),
        setting("in_flight", Whole(1..=64), Is("64"), "Addresses worked on at a time; of each sixteen neighbours always one."),
        setting("per_second", Whole(1..=50), Is("50"), "Connections per second."),
        setting("patience", Text(DURATION), Is("\"1s 500ms\""), "Time to connect."),
        setting("answer", Text(DURATION), Is("\"5s\""), "Time for a handshake, or for an answer."),
        setting("vantage", Text(WORDS), Is("\"unknown\""), "From where is scanned, such as \"inside\"; kept with the results."),
    ]},
    Table { path: "archive", about: "How answers are stored.", settings: &[
        setting("prefix", Text(FILE_PREFIX), Is("\"auslese\""),
            "First part of the names of archive files."),
        setting("digest", Choice(&["sha256", "sha1"]), Is("\"sha256\""),
            "Check sums; sha1 only for older indexes that know nothing else."),
        setting("rotate_at", Size(1), Is("\"1 GB\""),
            "Size at which a new archive file is begun."),
        setting("level", Whole(0..=12), Is("1"),
            "Compression from 0 (none) and 1 (quick) to 12 (small)."),
        setting("framing", Choice(&["decoded", "wire"]), Is("\"decoded\""),
            "Store chunked answers without chunk framing (all checkers agree) or as on the wire (`warcio check` complains)."),
        setting("worker", Text(FILE_PREFIX), Unset,
            "Name of this worker, and last part of the names of its archive files. Without it \"main\"; with a PostgreSQL catalog the name of the machine and some digits, kept in the harvest."),
        setting("durability", Choice(&["process", "power"]), Is("\"process\""),
            "What a commit survives: the death of the process, or a power failure too (slower)."),
        setting("revisit", Choice(&["url", "digest", "off"]), Is("\"url\""),
            "Store an unchanged answer as a reference: to the same address, to any with the same content, or never."),
        setting("header_only_types", List(&Text(WORDS)), Is("[]"),
            "Media types of which only the header row is kept, such as \"video/*\"."),
        setting("header_only_suffixes", List(&Text(WORDS)), Is("[]"),
            "Endings of addresses of which only the header row is kept, such as \".iso\"."),
        setting("header_only_above", Size(0), Unset,
            "Size beyond which only the header row of an answer is kept."),
        setting("max_size", Size(1), Unset,
            "Size of the archive at which the crawl pauses."),
    ]},
    STORE,
    CORPUS,
    LANGUAGE,
    DESCRIBE,
    HIDDEN,
    SEARCH,
    SERVE,
    Table { path: "catalog", about: "The database; without a URL it is the file catalog.sqlite of the harvest.", settings: &[
        setting("url", Text(CATALOG_URL), Unset,
            "A PostgreSQL database, for harvests that several machines share."),
        setting("password_file", Text(PATH), Unset,
            "File that holds its password; the environment variable AUSLESE_CATALOG_PASSWORD goes before it."),
        setting("lease", Text(DURATION), Is("\"1m\""),
            "How long a worker that says nothing keeps its hosts, from 1s to 1h; then others go on with them."),
    ]},
    Table { path: "net", about: "How the network is reached.", settings: &[
        setting("file", Text(PATH), Unset,
            "Further file with network settings, as `auslese demo --net-only` writes it; the option --net goes before it."),
        setting("dns", List(&Text(SOCKET)), Is("[]"),
            "Name servers to ask; those of the system if the list is empty."),
        setting("allow_private", Switch, Is("false"),
            "Whether private and local addresses may be crawled."),
        setting("allow", List(&Text(NETWORK)), Is("[]"),
            "Single private ranges that may be crawled all the same."),
        setting("connect_to", Records(CONNECT_TO), Is("[]"),
            "Other places to dial for some addresses: { addresses = \"198.18.0.0/15\", port = 80, to = \"127.0.0.1:8080\" }."),
        setting("only_mapped", Switch, Is("false"),
            "Whether addresses without an entry in connect_to are out of reach."),
        setting("proxy", Text(WEB_URL), Unset,
            "A proxy through which all requests go."),
        setting("ca_files", List(&Text(PATH)), Is("[]"),
            "Further certificate authorities to trust, in PEM files."),
        setting("certificates", Choice(&["note", "refuse"]), Is("\"note\""),
            "What is done about a broken certificate: archive and note it, or refuse the host."),
        setting("credentials", Records(CREDENTIAL), Is("[]"),
            "What is shown to hosts that are open to some only; it is never archived: { host = \"db.uni.example\", token_file = \"token\" }."),
    ]},
    Table { path: "net.limits", about: "What a single request may cost.", settings: &[
        setting("resolve", Text(DURATION), Is("\"10s\""), "Time to find the address of a host."),
        setting("connect", Text(DURATION), Is("\"10s\""), "Time to connect to one address."),
        setting("tls", Text(DURATION), Is("\"10s\""), "Time to agree on encryption."),
        setting("header", Text(DURATION), Is("\"30s\""), "Time from the request to the complete header."),
        setting("idle", Text(DURATION), Is("\"30s\""), "Longest silence within an answer."),
        setting("total", Text(DURATION), Is("\"20m\""), "Time for a whole request."),
        setting("min_rate", Size(0), Is("\"256 B\""), "Least amount that an answer must bring per second; \"0 B\" for any."),
        setting("grace", Text(DURATION), Is("\"30s\""), "The span over which min_rate is measured."),
        setting("header_bytes", Size(1), Is("\"256 KiB\""), "Longest header."),
        setting("body_bytes", Size(1), Is("\"256 MiB\""), "Longest body; the rest is cut off, and the cut declared."),
        setting("memory_bytes", Size(0), Is("\"1 MiB\""), "How much of a body is held in memory before it moves to a file."),
        setting("keep_alive", Text(DURATION), Is("\"30s\""), "How long an unused connection is kept for the next request."),
        setting("connections_per_origin", Whole(1..=1_000), Is("6"), "Connections to one server at a time, whatever the crawl asks for."),
        setting("idle_connections", Whole(0..=100_000), Is("512"), "Unused connections kept in all."),
        setting("addresses_tried", Whole(1..=100), Is("4"), "How many addresses of a host are tried until one connects."),
        setting("lookups", Whole(1..=100_000), Is("128"), "Hosts whose addresses are asked for at a time."),
        setting("ttl_min", Text(DURATION), Is("\"1m\""), "Shortest time that a found address is believed."),
        setting("ttl_max", Text(DURATION), Is("\"1d\""), "Longest time that a found address is believed."),
        setting("ttl_failed", Text(DURATION), Is("\"30s\""), "How long a host whose address was not found is not asked for again."),
        setting("names_cached", Whole(0..=100_000_000), Is("100000"), "Hosts whose addresses are remembered."),
    ]},
];

#[rustfmt::skip]
const INSTITUTION: &[Setting] = &[
    setting("label", Text(WORDS), Required, "Short name; every host found is marked with it."),
    setting("root", Text(WEB_URL), Required, "Where the crawl begins."),
];

/// Indicators that can be switched off; what people said always counts.
#[rustfmt::skip]
const INDICATORS: &[&str] = &[
    "net", "name-server", "email-domain", "holder", "postal-address", "mail-routing", "certificate", "pointer",
    "redirect", "imprint", "token", "links", "list",
];

#[rustfmt::skip]
const REGISTRY: &[Setting] = &[
    setting("ending", Text(WORDS), Required, "The end of the domains it knows."),
    setting("server", Text(WORDS), Required, "Its host, or for RDAP its address."),
];

#[rustfmt::skip]
const QUERY: &[Setting] = &[
    setting("server", Text(WORDS), Required, "The server meant."),
    setting("about", Choice(&["domain", "address", "organisation", "networks"]), Required, "What is asked about."),
    setting("line", Text(WORDS), Required, "What is sent, with {} where the name goes."),
];

#[rustfmt::skip]
const HOST_EXCEPTIONS: &[Setting] = &[
    setting("delay", Text(DURATION), Unset, "In place of the delay of [crawl.politeness]."),
    setting("obey_robots", Switch, Unset, "In place of obey of [crawl.robots]; false only for hosts of your own."),
    setting("connections", Whole(1..=1_000), Unset, "In place of per_server of [crawl.politeness]."),
];

#[rustfmt::skip]
const CREDENTIAL: &[Setting] = &[
    setting("host", Text(HOST), Required, "The host."),
    setting("user", Text(HEADER_WORDS), Unset, "A name; with it the secret is a password (Basic), without it a token (Bearer)."),
    setting("token_file", Text(PATH), Unset, "The file with the secret, relative to the harvest."),
    setting("token_variable", Text(WORDS), Unset, "Or the environment variable with it."),
    setting("over_http", Switch, Is("false"), "Whether it is shown without encryption, too."),
];

#[rustfmt::skip]
const CONNECT_TO: &[Setting] = &[
    setting("addresses", Text(NETWORK), Required, "The addresses meant."),
    setting("port", Whole(1..=65_535), Unset, "The port meant; any if not given."),
    setting("to", Text(SOCKET), Required, "Where the connection really goes."),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_used_once() {
        for table in TABLES {
            for (place, setting) in table.settings.iter().enumerate() {
                let twice = table.settings[..place].iter().any(|other| other.key == setting.key);
                let path = format!("{}.{}", table.path, setting.key);
                let is_table = TABLES.iter().any(|other| other.path == path);
                assert!(!twice && !is_table, "{path}");
                assert_ne!(setting.default, Required, "{path}: only entries of lists can lack one");
                assert!(setting.about.ends_with(['.', '?']), "{path}: {}", setting.about);
            }
        }
    }
}
