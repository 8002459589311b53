//! Tables after RFC 9309 and after what Google documents, and any bytes at all.

use super::*;
use proptest::prelude::*;

fn allowed_for(agent: &str, robots: &str, path: &str) -> bool {
    let url = Url::parse("http://h.example").unwrap().join(path).unwrap();
    let rules = RobotsRules::from_answer(200, robots.as_bytes(), agent);
    rules.judge(&url).refusal().is_none()
}

fn allowed(robots: &str, path: &str) -> bool {
    allowed_for("auslese", &format!("User-agent: *\n{robots}"), path)
}

#[test]
fn patterns() {
    #[rustfmt::skip]
    let cases = [
        // rules                                       path                     allowed
        ("Disallow:",                                  "/a",                    true),
        ("Disallow: /",                                "/a",                    false),
        ("Disallow: /",                                "/robots.txt",           true),
        ("Disallow: /fish",                            "/fish",                 false),
        ("Disallow: /fish",                            "/fish.html",            false),
        ("Disallow: /fish",                            "/fishheads/yummy.html", false),
        ("Disallow: /fish",                            "/fish.php?id=anything", false),
        ("Disallow: /fish",                            "/Fish.asp",             true),
        ("Disallow: /fish",                            "/catfish",              true),
        ("Disallow: /fish",                            "/?id=fish",             true),
        ("Disallow: /fish*",                           "/fishheads",            false),
        ("Disallow: /fish/",                           "/fish",                 true),
        ("Disallow: /fish/",                           "/fish/?id=anything",    false),
        ("Disallow: /*.php",                           "/folder/filename.php?p", false),
        ("Disallow: /*.php",                           "/windows.PHP",          true),
        ("Disallow: /*.php$",                          "/folder/filename.php",  false),
        ("Disallow: /*.php$",                          "/filename.php?p",       true),
        ("Disallow: /*.php$",                          "/filename.php/",        true),
        ("Disallow: /*.php$",                          "/a.php.php",            false),
        ("Disallow: /fish*.php",                       "/fishheads/catfish.php?x", false),
        ("Disallow: /fish*.php",                       "/Fish.PHP",             true),
        ("Disallow: /a*b*c$",                          "/abcbc",                false),
        ("Disallow: /a*b*c$",                          "/abcbd",                true),
        ("Disallow: /ab*ba$",                          "/aba",                  true),
        ("Disallow: /$",                               "/",                     false),
        ("Disallow: /$",                               "/a",                    true),
        ("Disallow: *",                                "/a",                    false),
        ("Disallow: *.gif$",                           "/a/b.gif",              false),
        ("Disallow: private/",                         "/private/x",            false),
        // The longest match decides, Allow wins a tie.
        ("Allow: /p\nDisallow: /",                     "/page",                 true),
        ("Allow: /folder\nDisallow: /folder",          "/folder/page",          true),
        ("Disallow: /folder\nAllow: /folder",          "/folder/page",          true),
        ("Allow: /page\nDisallow: /*.htm",             "/page.htm",             false),
        ("Allow: /$\nDisallow: /",                     "/",                     true),
        ("Allow: /$\nDisallow: /",                     "/page.htm",             false),
        ("Allow: /example/page/\nDisallow: /example/page/disallowed.gif", "/example/page/disallowed.gif", false),
        // One spelling for path and pattern.
        ("Disallow: /foo/bar?baz=quz",                 "/foo/bar?baz=quz",      false),
        ("Disallow: /foo/bar?baz=https://foo.bar",     "/foo/bar?baz=https%3A%2F%2Ffoo.bar", false),
        ("Disallow: /foo/bar?baz=https%3A%2F%2Ffoo.bar", "/foo/bar?baz=https://foo.bar", false),
        ("Disallow: /foo/bar/ツ",                      "/foo/bar/%E3%83%84",    false),
        ("Disallow: /foo/bar/%E3%83%84",               "/foo/bar/ツ",           false),
        ("Disallow: /foo/bar/%e3%83%84",               "/foo/bar/ツ",           false),
        ("Disallow: /foo/bar/%62%61%7A",               "/foo/bar/baz",          false),
        ("Disallow: /foo/bar/baz",                     "/foo/bar/%62%61%7A",    false),
        ("Disallow: /a%2Fb",                           "/a/b",                  true),
        ("Disallow: /a%2A",                            "/a*c",                  false),
        ("Disallow: /a%2A",                            "/abc",                  true),
        ("Disallow: /a%24",                            "/a$",                   false),
        ("Disallow: /a$b",                             "/a$b",                  false),
        ("Disallow: /*/private",                       "/x?next=/private",      false),
    ];
    for (rules, path, expected) in cases {
        assert_eq!(allowed(rules, path), expected, "{rules} | {path}");
    }
}

#[test]
fn groups() {
    const NEWS: &str = "User-agent: auslese-news\nDisallow: /n\n\nUser-agent: *\nDisallow: /s\n\n\
                        User-agent: auslese\nDisallow: /a\n\nuser-agent: AUSLESE-NEWS\nDisallow: /m";
    const SHARED: &str =
        "User-agent: a\nUser-agent: auslese\nDisallow: /x\nUser-agent: b\nAllow: /x";
    const DELAYED: &str = "User-agent: *\nCrawl-delay: 5\nUser-agent: badbot\nDisallow: /";
    const MAPPED: &str = "User-agent: auslese\nSitemap: http://h.example/s.xml\nDisallow: /x";
    const SPLIT: &str = "User-agent: a\nSitemap: /s\nUser-agent: auslese\nDisallow: /x";
    #[rustfmt::skip]
    let cases = [
        // robots  agent            path  allowed
        (NEWS,     "auslese-news",  "/n", false),
        (NEWS,     "auslese-news",  "/m", false),
        (NEWS,     "auslese-news",  "/a", true),
        (NEWS,     "auslese",       "/a", false),
        (NEWS,     "auslese",       "/n", true),
        (NEWS,     "auslese-image", "/a", false),
        (NEWS,     "auslesezeit",   "/a", true),
        (NEWS,     "auslesezeit",   "/s", false),
        (SHARED,   "auslese",       "/x", false),
        (SHARED,   "A",             "/x", false),
        (SHARED,   "b",             "/x", true),
        (SHARED,   "c",             "/x", true),
        (DELAYED,  "auslese",       "/x", true),
        (DELAYED,  "badbot",        "/x", false),
        (MAPPED,   "auslese",       "/x", false),
        (SPLIT,    "a",             "/x", false),
        ("Disallow: /",                              "auslese", "/x", true),
        ("User-agent: auslese/2.0 (x)\nDisallow: /", "auslese", "/x", false),
        ("User-agent: *",                            "auslese", "/x", true),
    ];
    for (robots, agent, path, expected) in cases {
        assert_eq!(allowed_for(agent, robots, path), expected, "{robots} | {agent} | {path}");
    }
}

#[test]
fn lines_as_servers_write_them() {
    #[rustfmt::skip]
    let cases = [
        "\u{feff}User-agent: *\nDisallow: /x",
        "User-agent: *\r\nDisallow: /x\r\n",
        "User-agent: *\rDisallow: /x\r",
        "USER-AGENT:*\n\n\ndisallow:/x",
        "  User-agent :  * # all\n  Disallow :  /x # not this\n",
        "User-agent *\nDisallow /x",
        "Useragent: *\nDisalow: /x",
        "<html>\nUser-agent: *\nNoise\nDisallow: /x",
    ];
    for robots in cases {
        assert!(!allowed_for("auslese", robots, "/x"), "{robots:?}");
        assert!(allowed_for("auslese", robots, "/y"), "{robots:?}");
    }
}

#[test]
fn delays() {
    let seconds = |number| Some(Duration::from_secs(number));
    #[rustfmt::skip]
    let cases = [
        ("7",                seconds(7)),
        ("1,5",              Some(Duration::from_millis(1500))),
        ("30s",              seconds(30)),
        ("2 # seconds",      seconds(2)),
        ("999999999999",     seconds(999_999_999_999)),
        ("1e25",             Some(Duration::MAX)),
        ("1e400",            Some(Duration::MAX)),
        ("inf",              Some(Duration::MAX)),
        ("Infinity",         Some(Duration::MAX)),
        ("-inf",             None),
        ("-3",               None),
        ("NaN",              None),
        ("soon",             None),
        ("",                 None),
    ];
    for (text, expected) in cases {
        let robots = format!("User-agent: *\nCrawl-delay: {text}");
        let rules = RobotsRules::from_answer(200, robots.as_bytes(), "auslese");
        assert_eq!(rules.crawl_delay(), expected, "{text}");
    }
}

#[test]
fn other_records() {
    let robots = "User-agent: *\nCrawl-delay: 1.5\nSitemap: http://h.example/a:b.xml#x\n\
                  Host: h.example\nnonsense\nsitemap:/s.xml\nCrawl-delay: soon\nCrawl-delay: -3";
    let rules = RobotsRules::parse(robots.as_bytes(), "auslese");
    assert_eq!(rules.crawl_delay(), Some(Duration::from_millis(1500)));
    assert_eq!(rules.sitemaps(), ["http://h.example/a:b.xml", "/s.xml"]);
    assert_eq!(rules.unknown_lines(), 2);
}

#[test]
fn answers() {
    let url = Url::parse("http://h.example/x").unwrap();
    #[rustfmt::skip]
    let cases = [
        (200, None),
        (204, None),
        (301, None),
        (403, None),
        (404, None),
        (429, Some("robots.txt cannot be read: status 429")),
        (503, Some("robots.txt cannot be read: status 503")),
        (0,   Some("robots.txt cannot be read: no answer")),
        (999, Some("robots.txt cannot be read: status 999")),
    ];
    for (status, expected) in cases {
        let rules = RobotsRules::from_answer(status, b"", "auslese");
        let refusal = rules.judge(&url).refusal().map(|cause| cause.to_string());
        assert_eq!(refusal.as_deref(), expected, "{status}");
    }
}

#[test]
fn the_deciding_line_is_named() {
    let rules = RobotsRules::parse(b"# hello\nUser-agent: *\n\nDisallow: /x # no\n", "auslese");
    let verdict = rules.judge(&Url::parse("http://h.example/xy").unwrap());
    let cause = verdict.refusal().unwrap();
    assert_eq!(cause.to_string(), "robots.txt disallows it: line 4: Disallow: /x");
}

#[test]
fn long_files_are_read_in_part() {
    let filler = "Disallow: /filler\n".repeat(28_700);
    assert!(filler.len() > 500 << 10 && filler.len() < ROBOTS_BYTES);
    let inside = format!("User-agent: *\n{filler}Disallow: /last\n");
    assert!(!allowed_for("auslese", &inside, "/last"));
    let outside = format!("User-agent: *\n{filler}{filler}Disallow: /last\n");
    let rules = RobotsRules::parse(outside.as_bytes(), "auslese");
    assert_eq!(rules.oddities()[0].kind, "long-robots-txt");
    assert!(allowed_for("auslese", &outside, "/last"));
}

#[test]
fn many_stars_take_linear_time() {
    let pattern = format!("/{}z", "*a".repeat(5_000));
    let path = format!("/{}", "a".repeat(100_000));
    assert!(allowed(&format!("Disallow: {pattern}"), &path));
}

/// Matches by trying everything, for comparison.
fn matches_slowly(pattern: &[u8], text: &[u8]) -> bool {
    match pattern.split_first() {
        None => true,
        Some((b'$', [])) => text.is_empty(),
        Some((b'*', rest)) => (0..=text.len()).any(|skip| matches_slowly(rest, &text[skip..])),
        Some((byte, rest)) => text
            .split_first()
            .is_some_and(|(first, text)| first == byte && matches_slowly(rest, text)),
    }
}

proptest! {
    #[test]
    fn any_bytes_are_read(body in prop::collection::vec(any::<u8>(), 0..400)) {
        let rules = RobotsRules::from_answer(200, &body, "auslese");
        let _ = rules.judge(&Url::parse("http://h.example/a?b").unwrap());
    }

    #[test]
    fn wildcards_mean_what_they_say(pattern in "/[ab*]{0,6}\\$?", path in "/[ab]{0,8}") {
        let pattern_matches = Pattern::new(pattern.as_bytes()).unwrap().matches(path.as_bytes());
        prop_assert_eq!(pattern_matches, matches_slowly(pattern.as_bytes(), path.as_bytes()));
    }
}
