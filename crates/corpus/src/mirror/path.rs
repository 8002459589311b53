//! Decides where in a mirror a document lies, from its address alone.
//!
//! `HOST/DIRECTORY/…/FILE`, with the names as on the server wherever they are harmless. No two
//! requests get the same path, even if case does not count; files and directories cannot clash,
//! because a file's name has a dot or a mark and a directory's has none or another; no name is
//! `..`, hidden, a device, or longer than [`MAX_MIRROR_NAME`]. [`url_of`] gives the address back.
//! Only shortened names need the mirror's manifest for that.

use super::name::{NameWriter, Unreadable, is_device, is_name, mark, raw_character, read_name};
use data_encoding::HEXLOWER;
use sha2::{Digest as _, Sha256};
use std::fmt;
use std::net::Ipv6Addr;
use url::{Host, Url};

/// Bytes of one name in a mirror. File systems allow 255 and some less, such as encrypted ones.
pub const MAX_MIRROR_NAME: usize = 180;

/// Bytes of a path in a mirror. Some systems allow 1,024 in all, and the mirror lies somewhere.
pub const MAX_MIRROR_PATH: usize = 700;

/// Bytes of a shortened name that are kept for people to recognise.
const KEPT_OF_LONG_NAME: usize = 80;

/// Longer suffixes are no suffixes.
const MAX_SUFFIX: usize = 8;

/// Tells requests to one address apart: the key of a request that is no plain GET.
pub type RequestMark = [u8; 16];

/// A path in a mirror, relative, with slashes. Its characters need no escaping in a link.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MirrorPath(String);

impl MirrorPath {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for MirrorPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Where a document lies; `None` for addresses that are not `http` or `https`. Fragment and
/// credentials do not count. The media type decides whether a suffix is added, so that the file
/// opens from disk.
///
/// ```
/// use auslese_corpus::mirror_path;
/// let path = |url: &str| {
///     mirror_path(&url.parse().unwrap(), Some("text/html"), None).unwrap().to_string()
/// };
/// assert_eq!(path("https://www.uni.example/a/b.html"), "www.uni.example/a/b.html");
/// assert_eq!(path("https://www.uni.example/a/"), "www.uni.example/a/index.html");
/// assert_eq!(path("http://www.uni.example/show.php?id=3"), "www.uni.example@http/show.php@qid=3@.html");
/// ```
pub fn mirror_path(
    url: &Url,
    media_type: Option<&str>,
    request: Option<&RequestMark>,
) -> Option<MirrorPath> {
    let kind = Kind::of(media_type);
    let request = request.map(|mark| HEXLOWER.encode(mark));
    let address = Address::of(url, request)?;
    let suffix = kind.missing_suffix(address.suffix());
    let as_index = kind == Kind::Html && address.is_plain_directory();
    Some(MirrorPath(address.path(suffix, as_index)))
}

/// What a path in a mirror stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PathOrigin {
    /// The request, with its mark if it was no plain GET.
    Request { url: Url, request: Option<RequestMark> },
    /// A part was too long; the manifest of the mirror knows the address.
    Shortened,
    /// No document lies here.
    None,
}

/// The address of the document at a path. Also right if a file system changed the case of names.
pub fn url_of(path: &str) -> PathOrigin {
    match read_path(path) {
        Ok((url, request)) => PathOrigin::Request { url, request },
        Err(Unreadable::Shortened) => PathOrigin::Shortened,
        Err(Unreadable::Foreign) => PathOrigin::None,
    }
}

/// Whether a path could be one of a document: a check before files are touched.
pub(super) fn is_document_path(path: &str) -> bool {
    path.len() <= MAX_MIRROR_PATH
        && path.contains('/')
        && path.split('/').all(|name| is_name(name) && name.len() <= MAX_MIRROR_NAME)
        && path.split('/').next() != Some(super::OWN_FOLDER)
}

/// Media types whose files must have a certain suffix to open from disk as what they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Html,
    Css,
    Script,
    Svg,
    Pdf,
    Other,
}

impl Kind {
    fn of(media_type: Option<&str>) -> Kind {
        let essence = media_type.unwrap_or("").split(';').next().unwrap_or("").trim();
        match essence.to_ascii_lowercase().as_str() {
            "text/html" | "application/xhtml+xml" => Kind::Html,
            "text/css" => Kind::Css,
            "text/javascript" | "application/javascript" | "application/x-javascript" => {
                Kind::Script
            }
            "image/svg+xml" => Kind::Svg,
            "application/pdf" => Kind::Pdf,
            _ => Kind::Other,
        }
    }

    /// The suffix to add to a file that has another or none.
    fn missing_suffix(self, present: &str) -> Option<&'static str> {
        let accepted: &[&'static str] = match self {
            // Not .xhtml: a browser would read the file as XML, which most of them are not.
            Kind::Html => &["html", "htm", "shtml"],
            Kind::Css => &["css"],
            Kind::Script => &["js", "mjs"],
            Kind::Svg => &["svg"],
            Kind::Pdf => &["pdf"],
            Kind::Other => return None,
        };
        let has_one = accepted.iter().any(|suffix| suffix.eq_ignore_ascii_case(present));
        if has_one { None } else { accepted.first().copied() }
    }
}

/// The parts of an address that become names.
struct Address<'u> {
    url: &'u Url,
    server: String,
    directories: Vec<&'u str>,
    segment: &'u str,
    query: Option<&'u str>,
    request: Option<String>,
}

impl<'u> Address<'u> {
    fn of(url: &'u Url, request: Option<String>) -> Option<Address<'u>> {
        let server = server_name(url)?;
        let mut directories: Vec<&str> = url.path().split('/').skip(1).collect();
        let segment = directories.pop()?;
        Some(Address { url, server, directories, segment, query: url.query(), request })
    }

    fn is_plain_directory(&self) -> bool {
        self.segment.is_empty() && self.query.is_none() && self.request.is_none()
    }

    /// The suffix that the file's name has if none is added.
    fn suffix(&self) -> &str {
        if self.query.is_some() { "" } else { split_suffix(self.segment).1.trim_start_matches('.') }
    }

    fn path(&self, suffix: Option<&str>, as_index: bool) -> String {
        let file = if as_index { "index.html".to_owned() } else { self.file_name(suffix) };
        let mut path = self.server.clone();
        for directory in &self.directories {
            path.push('/');
            path.push_str(&directory_name(directory));
        }
        path.push('/');
        path.push_str(&file);
        if path.len() > MAX_MIRROR_PATH {
            let digest = digest(&[self.url_text(), self.request.as_deref().unwrap_or("")]);
            let name = finished_file(format!("@{}{digest}", mark::LONG), self.long_suffix(suffix));
            return format!("{}/{name}", self.server);
        }
        path
    }

    fn url_text(&self) -> &str {
        &self.url[..url::Position::AfterQuery]
    }

    fn file_name(&self, suffix: Option<&str>) -> String {
        let mut writer = NameWriter::default();
        if self.segment.is_empty() {
            writer.text.push_str(mark::INDEX);
        } else {
            writer.segment(self.segment);
        }
        let segment_end = writer.text.len();
        if let Some(query) = self.query {
            writer.text.push('@');
            writer.text.push(mark::QUERY);
            writer.query(query);
        }
        let mut marks = writer.capitals();
        if let Some(request) = &self.request {
            marks.push('@');
            marks.push(mark::REQUEST);
            marks.push_str(request);
        }
        let own = if self.query.is_none() { split_suffix(&writer.text).1 } else { "" };
        let stem = &writer.text[..writer.text.len() - own.len()];
        let added = suffix.map(|suffix| format!("@{}{suffix}", mark::SUFFIX)).unwrap_or_default();
        let name = finished_file(format!("{stem}{marks}"), format!("{own}{added}"));
        if name.len() <= MAX_MIRROR_NAME {
            return name;
        }
        let query = self.query.map(|query| format!("?{query}")).unwrap_or_default();
        let digest = digest(&[self.segment, &query, self.request.as_deref().unwrap_or("")]);
        let kept = beginning(&writer.text[..segment_end]);
        finished_file(format!("{kept}@{}{digest}", mark::LONG), self.long_suffix(suffix))
    }

    /// The suffix of a shortened name: it cannot be read back, so it needs no mark.
    fn long_suffix(&self, added: Option<&str>) -> String {
        match added.unwrap_or(self.suffix()) {
            "" => String::new(),
            suffix => format!(".{suffix}"),
        }
    }
}

/// A stem and a suffix with its dot; a suffix is a few letters and digits.
fn split_suffix(name: &str) -> (&str, &str) {
    match name.rfind('.') {
        Some(dot)
            if dot > 0
                && (2..=MAX_SUFFIX + 1).contains(&(name.len() - dot))
                && name[dot + 1..].bytes().all(|byte| byte.is_ascii_alphanumeric()) =>
        {
            name.split_at(dot)
        }
        _ => (name, ""),
    }
}

fn finished_file(stem: String, suffix: String) -> String {
    let mut name = format!("{stem}{suffix}");
    if name.eq_ignore_ascii_case("index.html") {
        name = format!("{stem}@{}{suffix}", mark::PLAIN);
    }
    if !name.contains('.') {
        name.push('@');
        name.push(mark::FILE);
    }
    harmless(name)
}

fn directory_name(raw: &str) -> String {
    let mut writer = NameWriter::default();
    writer.segment(raw);
    let capitals = writer.capitals();
    let mut name = writer.text;
    let is_long = name.len() + capitals.len() + 4 > MAX_MIRROR_NAME;
    if is_long {
        name = format!("{}@{}{}", beginning(&name), mark::LONG, digest(&[raw]));
    } else {
        name.push_str(&capitals);
    }
    if is_long || name.is_empty() || name.contains('.') {
        name.push('@');
        name.push(mark::DIRECTORY);
    }
    harmless(name)
}

fn harmless(name: String) -> String {
    if is_device(&name) { format!("@{}{name}", mark::PLAIN) } else { name }
}

/// What is kept of a name that is too long; no mark is cut in two.
fn beginning(name: &str) -> &str {
    let mut kept = &name[..name.len().min(KEPT_OF_LONG_NAME)];
    if let Some(at) = kept.rfind('@').filter(|at| at + 4 > kept.len()) {
        kept = &kept[..at];
    }
    kept
}

fn digest(parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part);
        hash.update([0]);
    }
    HEXLOWER.encode(&hash.finalize()[..16])
}

/// The directory of a server: the host alone for https, with what differs from that behind `@`.
fn server_name(url: &Url) -> Option<String> {
    let host = match url.host()? {
        Host::Ipv6(address) => format!("@v{}", address.to_string().replace(':', "-")),
        Host::Ipv4(address) => address.to_string(),
        Host::Domain(domain) => {
            let mut writer = NameWriter::default();
            writer.segment(domain);
            writer.text
        }
    };
    let port = match (url.scheme(), url.port()) {
        ("https", None) => String::new(),
        ("http", None) => "@http".to_owned(),
        ("http", Some(port)) => format!("@{port}"),
        ("https", Some(port)) => format!("@{port}s"),
        _ => return None,
    };
    let name = format!("{host}{port}");
    if name.len() + 2 > MAX_MIRROR_NAME {
        let digest = digest(&[&host]);
        return Some(harmless(format!("{}@{}{digest}{port}", beginning(&host), mark::LONG)));
    }
    Some(harmless(name))
}

/// Scheme, host and port as in an address.
fn read_server(name: &str) -> Result<String, Unreadable> {
    let name = name.to_ascii_lowercase();
    let mut rest = name.strip_prefix("@x").unwrap_or(&name);
    let mut host = String::new();
    while let Some(first) = rest.chars().next() {
        rest = &rest[first.len_utf8()..];
        if first != '@' {
            host.push(first);
        } else if let Some(behind) = rest.strip_prefix(mark::RAW) {
            host.push(raw_character(behind).ok_or(Unreadable::Foreign)?);
            rest = &behind[2..];
        } else if let Some(behind) = rest.strip_prefix('v') {
            let end = behind.find('@').unwrap_or(behind.len());
            let address: Ipv6Addr =
                behind[..end].replace('-', ":").parse().map_err(|_| Unreadable::Foreign)?;
            host = format!("[{address}]");
            rest = &behind[end..];
        } else if rest.starts_with(mark::LONG) {
            return Err(Unreadable::Shortened);
        } else {
            return match (rest, rest.strip_suffix('s')) {
                ("http", _) => Ok(format!("http://{host}")),
                (_, Some(port)) => Ok(format!("https://{host}:{port}")),
                (port, None) => Ok(format!("http://{host}:{port}")),
            };
        }
    }
    Ok(format!("https://{host}"))
}

fn read_path(path: &str) -> Result<(Url, Option<RequestMark>), Unreadable> {
    if !is_document_path(path) {
        return Err(Unreadable::Foreign);
    }
    let mut names = path.split('/');
    let mut text = read_server(names.next().unwrap_or_default())?;
    let file = names.next_back().unwrap_or_default();
    for directory in names {
        text.push('/');
        text.push_str(&read_name(directory)?.raw);
    }
    let as_index = file.eq_ignore_ascii_case("index.html");
    let reading = if as_index { Default::default() } else { read_name(file)? };
    text.push('/');
    text.push_str(&reading.raw);
    let url = Url::parse(&text).map_err(|_| Unreadable::Foreign)?;
    // What would be written elsewhere was not written here.
    let address = Address::of(&url, reading.request.clone()).ok_or(Unreadable::Foreign)?;
    let written = address.path(reading.suffix.as_deref(), as_index);
    if !written.eq_ignore_ascii_case(path) {
        return Err(Unreadable::Foreign);
    }
    let request = match reading.request {
        None => None,
        Some(digits) => Some(request_mark(&digits).ok_or(Unreadable::Foreign)?),
    };
    Ok((url, request))
}

fn request_mark(digits: &str) -> Option<RequestMark> {
    HEXLOWER.decode(digits.as_bytes()).ok()?.try_into().ok()
}
