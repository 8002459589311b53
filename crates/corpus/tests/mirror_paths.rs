//! Where documents lie in a mirror: hostile addresses, and what holds for all of them.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use auslese_corpus::{
    MAX_MIRROR_NAME, MAX_MIRROR_PATH, PathOrigin, RequestMark, mirror_path, url_of,
};
use proptest::prelude::*;
use std::collections::{HashMap, HashSet};
use url::Url;

const HTML: Option<&str> = Some("text/html; charset=utf-8");
const PLAIN: Option<&str> = Some("text/plain");

fn path(url: &str, media_type: Option<&str>) -> String {
    mirror_path(&Url::parse(url).unwrap(), media_type, None).unwrap().to_string()
}

#[test]
fn addresses_and_paths() {
    #[rustfmt::skip]
    let cases = [
        // address                                media type         path
        ("https://h.example/",                    HTML,              "h.example/index.html"),
        ("https://h.example/a/b.html",            HTML,              "h.example/a/b.html"),
        ("https://h.example/a/b.htm",             HTML,              "h.example/a/b.htm"),
        ("https://h.example/index.html",          HTML,              "h.example/index@x.html"),
        ("https://h.example/INDEX.HTML",          HTML,              "h.example/INDEX@uff1.HTML"),
        ("https://h.example/index",               HTML,              "h.example/index@.html"),
        ("https://h.example/",                    PLAIN,             "h.example/@index@o"),
        ("https://h.example/a",                   PLAIN,             "h.example/a@o"),
        ("https://h.example/a",                   HTML,              "h.example/a@.html"),
        ("https://h.example/a/b",                 PLAIN,             "h.example/a/b@o"),
        ("https://h.example/a.html/b.html",       HTML,              "h.example/a.html@s/b.html"),
        ("https://h.example/a.php?x=1",           HTML,              "h.example/a.php@qx=1@.html"),
        ("https://h.example/a.html?x=1&y=2",      HTML,              "h.example/a.html@qx=1@z26y=2@.html"),
        ("https://h.example/a.html?",             HTML,              "h.example/a.html@q@.html"),
        ("https://h.example/?C=N;O=D",            HTML,              "h.example/@index@qC=N@z3bO=D@uf@.html"),
        ("https://h.example/s.css?v=1",           Some("text/css"),  "h.example/s.css@qv=1@.css"),
        ("https://h.example/~Mueller/CV.html",    HTML,              "h.example/~Mueller@u1/CV@u3.html"),
        ("http://h.example/",                     HTML,              "h.example@http/index.html"),
        ("http://h.example:8080/",                HTML,              "h.example@8080/index.html"),
        ("https://h.example:8080/",               HTML,              "h.example@8080s/index.html"),
        ("http://h.example:443/",                 HTML,              "h.example@443/index.html"),
        ("http://[2001:db8::1]:81/",              HTML,              "@v2001-db8--1@81/index.html"),
        ("https://127.0.0.1/x.html",              HTML,              "127.0.0.1/x.html"),
        ("https://con/aux.html",                  HTML,              "@xcon/@xaux.html"),
        ("https://h.example/nul",                 PLAIN,             "h.example/nul@o"),
        ("https://h.example/CON/lpt1.txt",        PLAIN,             "h.example/CON@u7/@xlpt1.txt"),
        ("https://h.example/com1/x.txt",          PLAIN,             "h.example/@xcom1/x.txt"),
        ("https://h.example/a./b%20",             PLAIN,             "h.example/a@z2e/b@20@o"),
        ("https://h.example/%2e%2e/%2E%2e/x.txt", PLAIN,             "h.example/x.txt"),
        ("https://h.example/..%2F..%2Fetc/x.txt", PLAIN,             "h.example/@z2e.@2f..@2fetc@s/x.txt"),
        ("https://h.example/..%5c..%5Cx.txt",     PLAIN,             "h.example/@z2e.@z255c..@5cx.txt"),
        ("https://h.example/.../x.txt",           PLAIN,             "h.example/@z2e.@z2e@s/x.txt"),
        ("https://h.example/a\\b.txt",            PLAIN,             "h.example/a/b.txt"),
        ("https://h.example/%00%1F%7f.txt",       PLAIN,             "h.example/@00@1f@z257f.txt"),
        ("https://h.example/%E4%FF.txt",          PLAIN,             "h.example/@e4@ff.txt"),
        ("https://h.example/ä.txt",               PLAIN,             "h.example/@c3@a4.txt"),
        ("https://h.example/%zz.txt",             PLAIN,             "h.example/@z25zz.txt"),
        ("https://h.example/.git/config",         PLAIN,             "h.example/@z2egit/config@o"),
        ("https://h.example/-rf.txt",             PLAIN,             "h.example/@z2drf.txt"),
        ("https://h.example/ABCDEF~1.HTM",        HTML,              "h.example/ABCDEF@z7e1@uff1.HTM"),
        ("https://h.example/a//b.txt",            PLAIN,             "h.example/a/@s/b.txt"),
        ("https://h.example/a:b*c|d@e.txt",       PLAIN,             "h.example/a@z3ab@z2ac@z7cd@z40e.txt"),
        ("https://h.example./x.txt",              PLAIN,             "h.example@z2e/x.txt"),
        ("https://my_host.example/x.txt",         PLAIN,             "my_host.example/x.txt"),
        ("https://h.example/@auslese/x.txt",      PLAIN,             "h.example/@z40auslese/x.txt"),
    ];
    for (url, media_type, expected) in cases {
        assert_eq!(path(url, media_type), expected, "{url}");
        check(url, media_type, None);
    }
}

/// Of two addresses that some file system might take for one.
#[test]
fn clashes() {
    #[rustfmt::skip]
    let groups: [&[&str]; 10] = [
        &["https://h.example/a", "https://h.example/a/", "https://h.example/a/b", "https://h.example/a@.html"],
        &["https://h.example/a.html", "https://h.example/a.html/", "https://h.example/a.html/b"],
        &["https://h.example/Readme", "https://h.example/README", "https://h.example/readme"],
        &["https://h.example/A/x", "https://h.example/a/x", "https://h.example/a/X"],
        &["https://h.example/%2F", "https://h.example/%2f", "https://h.example//", "https://h.example/@2f"],
        &["https://h.example/x?y", "https://h.example/x%3Fy", "https://h.example/x@qy", "https://h.example/x"],
        &["http://h.example/", "https://h.example/", "http://h.example:443/", "https://h.example:80/"],
        &["https://h.example/", "https://h.example/index.html", "https://h.example/Index.html", "https://h.example/@index"],
        &["https://h.example/con", "https://h.example/CON", "https://h.example/con.", "https://h.example/con%20"],
        &["https://h.example/%41", "https://h.example/A", "https://h.example/a", "https://h.example/%61"],
    ];
    for group in groups {
        for media_type in [HTML, PLAIN] {
            let paths: Vec<String> =
                group.iter().map(|url| path(url, media_type).to_lowercase()).collect();
            let different: HashSet<&String> = paths.iter().collect();
            assert_eq!(different.len(), group.len(), "{paths:?}");
            for a in &paths {
                let as_directory = format!("{a}/");
                assert!(!paths.iter().any(|b| b.starts_with(&as_directory)), "{paths:?}");
            }
        }
    }
}

#[test]
fn long_names_are_shortened_and_still_differ() {
    let long = "x".repeat(5_000);
    let urls = [
        format!("https://h.example/{long}"),
        format!("https://h.example/{long}.html"),
        format!("https://h.example/{long}y.html"),
        format!("https://h.example/{}.html", long.to_uppercase()),
        format!("https://h.example/{long}/a.html"),
        format!("https://h.example/{long}/b.html"),
        format!("https://h.example/a?{long}"),
        format!("https://h.example/?{long}"),
        format!("https://h.example/{}", "%2F".repeat(1_000)),
        format!("https://h.example/{}", "d/".repeat(2_000)),
        format!("https://h.example/{}e", "d/".repeat(2_000)),
        format!("https://h.example/{}", "Aa".repeat(80)),
    ];
    let mut seen = HashSet::new();
    for url in &urls {
        assert!(seen.insert(path(url, HTML).to_lowercase()), "{url}");
        check(url, HTML, None);
        assert_eq!(url_of(&path(url, HTML)), PathOrigin::Shortened);
        assert!(path(url, HTML).ends_with(".html"));
    }
    let parent = |url: &str| path(url, HTML).rsplit_once('/').unwrap().0.to_owned();
    assert_eq!(parent(&urls[4]), parent(&urls[5]), "one directory stays one directory");
}

#[test]
fn requests_to_one_address_differ() {
    let url = Url::parse("https://h.example/search.cgi?x").unwrap();
    let with = |mark: Option<&RequestMark>| mirror_path(&url, HTML, mark).unwrap();
    assert_ne!(with(None), with(Some(&[1; 16])));
    assert_ne!(with(Some(&[2; 16])), with(Some(&[1; 16])));
    check(url.as_str(), HTML, Some([0xab; 16]));
}

#[test]
fn only_web_addresses_have_a_place() {
    for url in ["ftp://h.example/a", "mailto:a@h.example", "file:///etc/passwd", "data:,x"] {
        assert_eq!(mirror_path(&Url::parse(url).unwrap(), None, None), None, "{url}");
    }
    let with_more = Url::parse("https://me:secret@h.example/a.html#part").unwrap();
    assert_eq!(mirror_path(&with_more, HTML, None).unwrap().as_str(), "h.example/a.html");
}

#[test]
fn foreign_paths_have_no_address() {
    let foreign = [
        "",
        "/",
        "h.example",
        "h.example/",
        "/etc/passwd",
        "../x.html",
        "h.example/../x.html",
        "h.example/./x.html",
        "@auslese/index.html",
        "h.example/a",
        "h.example/a.html/b.html",
        "h.example/.hidden.html",
        "h.example/a b.html",
        "h.example/@z61.html",
        "h.example/@y.html",
        "h.example/@zzz.html",
        "h.example/@",
        "h.example@http@http/index.html",
        "a@b@c/x.html",
        "@v-/index.html",
        "h.example/x@p12.html",
        "h.example/ä.html",
        "h.example/x@u0.html",
        "h.example@80/index.html",
        "h.example/nul.txt",
        "h.example/%41.txt",
    ];
    for path in foreign {
        assert_eq!(url_of(path), PathOrigin::None, "{path}");
    }
}

/// What must hold for every address.
fn check(url: &str, media_type: Option<&str>, mark: Option<RequestMark>) {
    let mut url = Url::parse(url).unwrap();
    let path = mirror_path(&url, media_type, mark.as_ref()).unwrap().to_string();
    assert!(path.len() <= MAX_MIRROR_PATH, "{path}");
    assert!(path.contains('/'), "{path}");
    for name in path.split('/') {
        assert!(!name.is_empty() && name.len() <= MAX_MIRROR_NAME, "{path}");
        assert!(!name.starts_with(['.', '-']) && !name.ends_with(['.', ' ']), "{path}");
        let safe = |c: char| c.is_ascii_alphanumeric() || "._-~+,=@".contains(c);
        assert!(name.chars().all(safe), "{path}");
        let stem = name.split('.').next().unwrap().to_lowercase();
        let devices = ["con", "prn", "aux", "nul", "com1", "com9", "lpt1", "lpt9"];
        assert!(!devices.contains(&stem.as_str()), "{path}");
    }
    assert!(!path.to_lowercase().starts_with("@auslese/"), "{path}");
    url.set_fragment(None);
    let expected = PathOrigin::Request { url, request: mark };
    for path in [path.clone(), path.to_lowercase(), path.to_uppercase()] {
        let origin = url_of(&path);
        assert!(origin == expected || origin == PathOrigin::Shortened, "{path}: {origin:?}");
        assert_eq!(origin == PathOrigin::Shortened, path.to_lowercase().contains("@l"), "{path}");
    }
}

/// Parts of addresses with everything that is dangerous somewhere.
fn part() -> impl Strategy<Value = String> {
    let dangerous = prop_oneof![
        Just("index.html"),
        Just("INDEX.html"),
        Just("index"),
        Just(".."),
        Just("."),
        Just("..."),
        Just("con"),
        Just("AUX"),
        Just("nul.txt"),
        Just("%2f"),
        Just("%2F"),
        Just("%00"),
        Just("%5c"),
        Just("%FF"),
        Just("%zz"),
        Just("%"),
        Just("@"),
        Just("@x"),
        Just("@.html"),
        Just("@s"),
        Just("@o"),
        Just("@q"),
        Just("@u1"),
        Just("@index"),
        Just("@l"),
        Just("a"),
        Just("A"),
        Just("b"),
        Just(".html"),
        Just(".HTM"),
        Just(".css"),
        Just("/"),
        Just("//"),
        Just("?"),
        Just("&"),
        Just("="),
        Just(":"),
        Just("*"),
        Just("\\"),
        Just(" "),
        Just("-"),
        Just("~"),
        Just("+"),
        Just("ä"),
        Just("\u{202e}"),
        Just("'"),
        Just("\""),
        Just("|"),
        Just("^"),
        Just("`"),
        Just("{"),
        Just(";"),
        Just("$"),
        Just("!"),
        Just("%20"),
        Just("."),
        Just("%41"),
        Just("%c3%a4"),
        Just("%C3%A4"),
        Just("[")
    ];
    prop_oneof![
        6 => dangerous.prop_map(str::to_owned),
        1 => "[ -~]{1,3}",
        1 => ("[a-zA-Z]", 60usize..250).prop_map(|(letter, count)| letter.repeat(count)),
    ]
}

fn address() -> impl Strategy<Value = Url> {
    let host = prop_oneof![
        Just("h.example"),
        Just("H.example."),
        Just("con"),
        Just("a_80.example"),
        Just("[::1]"),
        Just("10.0.0.1"),
        Just("a-b.example"),
        Just("xn--mnchen-3ya.example"),
        Just("_auslese"),
        Just("-x.example"),
        Just("a!b$c.example")
    ];
    let port = prop_oneof![
        4 => Just(""), 1 => Just(":80"), 1 => Just(":443"), 1 => Just(":8080")
    ];
    let scheme = prop_oneof![Just("http"), Just("https")];
    (scheme, host, port, proptest::collection::vec(part(), 0..7)).prop_filter_map(
        "an address",
        |(scheme, host, port, parts)| {
            let text = format!("{scheme}://{host}{port}/{}", parts.concat());
            let mut url = Url::parse(&text).ok()?;
            url.set_fragment(None);
            Some(url)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_500))]

    #[test]
    fn every_address_has_a_safe_place(url in address(), html in any::<bool>(), post in any::<bool>()) {
        check(url.as_str(), if html { HTML } else { PLAIN }, post.then_some([7; 16]));
    }

    #[test]
    fn any_path_is_read(path in "[ -~]{0,40}") {
        url_of(&path);
    }

    #[test]
    fn paths_that_look_right_are_read(path in "(h|con|@v1)(@http|@8|@z2e|@x|@l)?(/(a|B|@z|@q|@u|@x|@2f|\\.|@s|@o|@p|x\\.html){0,5}){0,3}") {
        if let PathOrigin::Request { url, request } = url_of(&path) {
            let again = |media| mirror_path(&url, media, request.as_ref()).unwrap().to_string();
            let types = [HTML, PLAIN, Some("text/css")];
            prop_assert!(
                types.into_iter().any(|media| again(media).eq_ignore_ascii_case(&path))
                    || path.contains("@."),
                "{} {}", path, url
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(80))]

    /// Files differ from files, and no file lies where a directory is needed.
    #[test]
    fn no_two_addresses_clash(urls in proptest::collection::vec((address(), any::<bool>()), 2..60)) {
        let mut files: HashMap<String, String> = HashMap::new();
        let mut directories = HashSet::new();
        // A document has one media type.
        let urls: HashMap<String, bool> =
            urls.into_iter().map(|(url, html)| (url.to_string(), html)).collect();
        for (url, html) in urls {
            let place = path(&url, if html { HTML } else { PLAIN }).to_lowercase();
            for (end, _) in place.match_indices('/') {
                directories.insert(place[..end].to_owned());
            }
            if let Some(other) = files.insert(place.clone(), url.clone()) {
                prop_assert!(false, "{} and {} both lie at {}", url, other, place);
            }
        }
        for file in files.keys() {
            prop_assert!(!directories.contains(file), "{} is a file and a directory", file);
        }
    }
}
