//! The page that means harm, as it is sent: nothing that a browser may follow leads to its server.

use crate::support::{Front, Warc};
use auslese_markup::{css_links, parse};

fn hostile() -> Warc {
    let html = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nSet-Cookie: hacked=1\r\nRefresh: 0; url=http://attack.example/refresh\r\nLink: <http://attack.example/link-header>; rel=preload; as=style\r\nService-Worker-Allowed: /\r\nX-Frame-Options: DENY\r\nContent-Security-Policy: script-src *";
    let typed = |media_type: &str| format!("HTTP/1.1 200 OK\r\nContent-Type: {media_type}");
    Warc::default()
        .answer(2, "http://hostile.example/", html, include_bytes!("../hostile/page.html"))
        .answer(
            2,
            "http://hostile.example/inner.html",
            html,
            include_bytes!("../hostile/inner.html"),
        )
        .answer(
            2,
            "http://hostile.example/style.css",
            &typed("text/css"),
            include_bytes!("../hostile/style.css"),
        )
        .answer(
            2,
            "http://hostile.example/drawing.svg",
            &typed("image/svg+xml"),
            include_bytes!("../hostile/drawing.svg"),
        )
        .answer(
            2,
            "http://hostile.example/worker.js",
            &typed("text/javascript"),
            include_bytes!("../hostile/worker.js"),
        )
}

#[tokio::test]
async fn nothing_of_it_leads_out() {
    let front = Front::of(hostile()).await;
    for path in ["", "inner.html", "drawing.svg"] {
        let page = front.replay(&format!("/h/2026mp_/http://hostile.example/{path}")).await;
        crate::check_headers(&page, &front);
        let link = page.header("link");
        assert!(!link.contains("attack.example") && !link.contains("preload"), "{link}");
        let parsed = parse(&page.body, Some("utf-8"));
        for node in parsed.tree().ids() {
            for attribute in parsed.tree().attributes(node) {
                let (name, value) = (attribute.name(), attribute.value.as_str());
                let is_passive = name.starts_with("archived-") || name.starts_with("on");
                let is_inside =
                    |value: &str| !value.contains("attack.example") || value.starts_with("/h/");
                let is_kept = match name {
                    "style" | "fill" | "filter" => {
                        css_links(value).iter().all(|link| is_inside(link))
                    }
                    "content" | "srcset" | "srcdoc" => {
                        !value.contains(" http")
                            && !value.contains("=http")
                            && !value.starts_with("http")
                    }
                    _ => is_inside(value),
                };
                assert!(is_passive || is_kept, "{path}: {name}={value}");
            }
        }
    }
    let sheet = front.replay("/h/2026mp_/http://hostile.example/style.css").await;
    let links = css_links(&sheet.text());
    assert_eq!(links.len(), 5, "{links:?}");
    assert!(
        links.iter().all(|link| link.starts_with("/h/20260102030405mp_/http://attack.example/")),
        "{links:?}"
    );
}

#[tokio::test]
async fn what_it_says_is_still_readable() {
    let front = Front::of(hostile()).await;
    let page = front.replay("/h/2026mp_/http://hostile.example/").await.text();
    assert!(page.contains("Größe, Übermut, Ärger") && page.contains("Ohne Skripte zu sehen."));
}
