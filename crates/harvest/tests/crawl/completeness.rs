//! Pages that crawlers lose, and pages that they invent.

use crate::field::Field;
use auslese_crawl::Scope;
use auslese_harvest::CrawlEnd;
use auslese_model::State;
use auslese_testnet::{Answer, Identity, Internet, Site, Zone, generated_site};
use std::collections::BTreeSet;
use std::io::Write;

#[test]
fn a_site_is_archived_completely() {
    let site = generated_site("www.uni.example", 200, 1);
    let documents = site.documents();
    let field = Field::new(Internet::new().site(site));
    let report = field.crawl(&["http://www.uni.example/"], |_| {});
    assert_eq!(report.end, CrawlEnd::Done);
    let captures = field.captures();
    for document in &documents {
        let url = format!("http://www.uni.example{}", document.path);
        let capture = captures.get(&url).unwrap_or_else(|| panic!("{url} is missing"));
        assert_eq!(field.body(capture), document.body.to_vec(), "{url}");
    }
    assert_eq!(captures.len(), documents.len());
    assert_eq!(field.requests_twice(), Vec::<String>::new());
    assert_eq!(report.status.requests[&State::Queued], 0);
    field.verify();
}

/// Where a link stands, and what the server is then asked for: the spelling of the link.
#[test]
fn links_wherever_they_stand() {
    let html = |body: &str| Answer::page(body);
    let css = |body: &str| Answer::file("text/css", body);
    let xml = |body: &str| Answer::file("application/xml", body);
    let style = "<style>/* url(/nie1.png) */ p { background: url( \"/hg2.png\" ) }</style>\
                 <p style='background:url(&quot;/hg3.png&quot;)'>";
    let base = "<base href='unter/'><a href='seite'>x</a><base href='/anders/'>";
    let srcset =
        "<img srcset='/k1.png 1x, /k2.png 2x'><source srcset=\"/k3.png 480w,/k4,5.png 9w\">";
    let refresh = "<meta http-equiv='Refresh' content=\"0; URL='weiter.html'\">";
    let iframe = "<frameset><frame src='l.html'><frame src=r.html></frameset><iframe src='/if'>";
    let feed = "<rss><channel><item><link>http://www.uni.example/meldung?id=1&amp;x=2</link></item>\
                </channel></rss>";
    let index = "<sitemapindex><sitemap><loc>http://www.uni.example/karte1.xml</loc></sitemap>\
                 <sitemap><loc>http://www.uni.example/karte2.xml.gz</loc></sitemap></sitemapindex>";
    let urlset =
        |path: &str| format!("<urlset><url><loc>http://www.uni.example{path}</loc></url></urlset>");
    let packed = Answer::file("application/x-gzip", gzip(urlset("/gepackt").as_bytes()));
    #[rustfmt::skip]
    let cases: Vec<(&str, Answer, &[&str])> = vec![
        // path             answer                                       what it leads to
        ("/a.css",          css("@import 'b.css'; p{background:url(img/1.png)} /*url(/nie2.png)*/"),
                                                                         &["/b.css", "/img/1.png"]),
        ("/b.css",          css("@import url(\"c.css\") screen;"),       &["/c.css"]),
        ("/c.css",          css("@font-face{src:url('schrift.woff2')}"), &["/schrift.woff2"]),
        ("/stil",           html(style),                                 &["/hg2.png", "/hg3.png"]),
        ("/prozent",        html("<a href='/100%25.html'><a href='/50%.html'><a href='/%zz?a=%'>"),
                                                                         &["/100%25.html", "/50%.html", "/%zz?a=%"]),
        ("/schraeg",        html("<a href='/x//y///z.html'>"),           &["/x//y///z.html"]),
        ("/punkte",         html("<a href='/p/./q/../r.html#teil'>"),    &["/p/r.html"]),
        ("/schreibung",     html("<a href='/%7Euser/%C3%BC?b=2&amp;a=1&utm_source=x'>"),
                                                                         &["/%7Euser/%C3%BC?b=2&a=1&utm_source=x"]),
        ("/umlaut",         html("<a href='/übung.html?w=ü'>"),          &["/%C3%BCbung.html?w=%C3%BC"]),
        ("/latin1",         Answer::file("text/html; charset=iso-8859-1", &b"<a href='/k\xfcr?q=\xfc'>"[..]),
                                                                         &["/k%C3%BCr?q=%FC"]),
        ("/rahmen/",        html(iframe),                                &["/rahmen/l.html", "/rahmen/r.html", "/if"]),
        ("/basis",          html(base),                                  &["/unter/seite"]),
        ("/satz",           html(srcset),                                &["/k1.png", "/k2.png", "/k3.png", "/k4,5.png"]),
        ("/neu",            html(refresh),                               &["/weiter.html"]),
        ("/neu2",           html("x").header("Refresh", "5;url=/weiter2"), &["/weiter2"]),
        ("/kopf",           html("x").header("Link", "</naechste>; rel=\"next\", </stil.css>; rel=preload; as=style"),
                                                                         &["/naechste", "/stil.css"]),
        ("/umzug",          Answer::redirect(301, "neue%20adresse?x#teil"), &["/neue%20adresse?x"]),
        ("/umzug2",         Answer::redirect(307, "//www.uni.example/ab"), &["/ab"]),
        ("/feed",           Answer::file("application/rss+xml", feed),   &["/meldung?id=1&x=2"]),
        ("/faul",           html("<img data-src='/faul.png'><object data='/o.swf'><applet code=A.class codebase=/j/>\
                                  <td background='/alt.gif'><img usemap=#m><area href='/karte'>"),
                                                                         &["/faul.png", "/o.swf", "/j/A.class", "/alt.gif", "/karte"]),
        ("/gz",             Answer::page("<a href='/hinter-gzip'>").gzip(), &["/hinter-gzip"]),
        ("/stueckweise",    Answer::page("<a href='/hinter-stuecken'>").chunked(3), &["/hinter-stuecken"]),
        ("/typlos",         Answer::body("<!DOCTYPE html><a href='/hinter-typlos'>"), &["/hinter-typlos"]),
        ("/index.xml",      xml(index),                                  &["/karte1.xml", "/karte2.xml.gz"]),
        ("/karte1.xml",     xml(&urlset("/gelistet")),                   &["/gelistet"]),
        ("/karte2.xml.gz",  packed,                                      &["/gepackt"]),
        // What leads nowhere.
        ("/fehlt",          html("<a href='/nie3'>").status(404),        &[]),
        ("/kaputt",         html("<a href='/nie4'>").status(403),        &[]),
        ("/kommentar",      html("<!-- <a href='/nie5'> --><script>'<a href=\"/nie6\">'</script>"), &[]),
        ("/andere",         html("<a href='mailto:a@b.example'><a href='javascript:x()'><a href='ftp://f/'>\
                                  <a href='data:text/html,<a href=/nie7>'><a href='http://['>"), &[]),
        ("/formular",       html("<form action='/nie8'><input name=q></form>"), &[]),
        ("/text",           Answer::file("text/plain", "<a href='/nie9'>"), &[]),
        ("/doppelt",        html("<a href='/a.css'><a href='#x'><a href='http://WWW.uni.example:80/a.css#y'>"), &[]),
    ];
    let mut site = Site::new("http://www.uni.example");
    let mut expected: BTreeSet<String> =
        ["/", "/robots.txt"].map(|path| format!("http://www.uni.example{path}")).into();
    let mut start = String::new();
    for (path, answer, targets) in &cases {
        site = site.answer(path, answer.clone());
        // The sitemaps are found through robots.txt alone.
        if !path.contains(".xml") {
            start += &format!("<a href='{path}'>");
        }
        let url = |path: &str| format!("http://www.uni.example{path}");
        expected.insert(url(path));
        expected.extend(targets.iter().map(|target| url(target)));
    }
    let robots = Answer::file("text/plain", "Sitemap: http://www.uni.example/index.xml\n");
    let site = site.page("/", start).answer("/robots.txt", robots);
    let field = Field::new(Internet::new().site(site));
    let report = field.crawl(&["http://www.uni.example/"], |_| {});
    let asked = field.asked();
    let missing: Vec<_> = expected.difference(&asked).collect();
    let invented: Vec<_> = asked.difference(&expected).collect();
    assert!(
        missing.is_empty() && invented.is_empty(),
        "missing {missing:?}, too much {invented:?}"
    );
    assert_eq!(field.requests_twice(), Vec::<String>::new());
    assert_eq!(field.captures().len(), expected.len());
    assert_eq!(report.end, CrawlEnd::Done);
    field.verify();
}

#[test]
fn hosts_of_all_kinds() {
    #[rustfmt::skip]
    let cases = [
        // site                             address          page
        ("https://sicher.uni.example",      "198.18.1.1",    "https://sicher.uni.example/"),
        ("https://tor.uni.example:8443",    "198.18.1.2",    "https://tor.uni.example:8443/a"),
        ("http://sechs.uni.example",        "2001:db8::6",   "http://sechs.uni.example/"),
        ("http://[2001:db8::7]",            "2001:db8::7",   "http://[2001:db8::7]/"),
        ("http://198.18.1.3:8080",          "198.18.1.3",    "http://198.18.1.3:8080/b"),
        ("http://www.müller.example",       "198.18.1.4",    "http://www.xn--mller-kva.example/ü"),
        ("http://alias.uni.example",        "198.18.1.5",    "http://alias.uni.example/"),
    ];
    let start: String = cases.iter().map(|case| format!("<a href='{}'>", case.2)).collect();
    let zone =
        Zone::new("uni.example").cname("alias", "wirklich").address("wirklich", "198.18.1.5");
    let mut net = Internet::new().zone(zone);
    net = net.site(Site::new("http://www.uni.example").at("198.18.1.9").page("/", start));
    for (origin, address, page) in cases {
        let path = &page[page.rfind('/').unwrap()..].replace('ü', "%C3%BC");
        let mut site = Site::new(origin).page(path, format!("das ist {page}"));
        if !origin.contains("//[") && !origin.contains("//198") && !origin.contains("alias") {
            site = site.at(address);
        }
        net = net.site(site);
    }
    let field = Field::new(net);
    field
        .crawl(&["http://www.uni.example/"], |job| job.scope = Scope::parse("accept any").unwrap());
    let captures = field.captures();
    for (_, address, page) in cases {
        let url = page.replace('ü', "%C3%BC");
        let capture = captures.get(&url).unwrap_or_else(|| panic!("{url} is missing"));
        assert_eq!(String::from_utf8(field.body(capture)).unwrap(), format!("das ist {page}"));
        assert_eq!(capture.address.unwrap().to_string(), address, "{url}");
        assert_eq!(capture.tls_problem, None, "{url}");
    }
    field.verify();
}

/// What an archive wants of broken certificates: the page, and a note. Or nothing, by setting.
#[test]
fn certificates_are_noted_or_refused() {
    #[rustfmt::skip]
    let cases = [
        ("abgelaufen",  Identity::Expired),
        ("zu-frueh",    Identity::NotYetValid),
        ("selbst",      Identity::SelfSigned),
        ("unbekannt",   Identity::UnknownAuthority),
        ("fremd",       Identity::Named(vec!["anders.example".to_owned()])),
    ];
    let mut net = Internet::new();
    for (name, identity) in &cases {
        let site = Site::new(format!("https://{name}.example")).page("/", "Inhalt");
        net = net.site(site.identity(identity.clone()));
    }
    let seeds: Vec<String> =
        cases.iter().map(|case| format!("https://{}.example/", case.0)).collect();
    let seeds: Vec<&str> = seeds.iter().map(String::as_str).collect();

    let field = Field::new(net.clone());
    field.crawl(&seeds, |_| {});
    let captures = field.captures();
    let notes = field.records();
    for seed in &seeds {
        let problem = captures[*seed].tls_problem.clone();
        let problem = problem.unwrap_or_else(|| panic!("{seed} has no problem"));
        let metadata = notes
            .iter()
            .find(|(record, _)| record.kind() == "metadata" && record.target() == Some(*seed));
        let text = String::from_utf8_lossy(&metadata.unwrap().1).into_owned();
        assert!(text.contains(&format!("tlsProblem: {problem}")), "{seed}: {text}");
    }
    field.verify();

    let field = Field::new(net);
    field.crawl(&seeds, |job| job.net.certificates = auslese_net::Certificates::Refuse);
    assert!(field.captures().is_empty());
    for seed in &seeds {
        let (_, cause) = field.state(seed).unwrap();
        assert_eq!(cause, Some(auslese_model::CauseKind::Certificate), "{seed}");
    }
    assert!(field.web.requests().is_empty());
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}
