//! Keys of CDXJ lines. The right column was recorded from cdxj-indexer 1.5.0, which makes the
//! keys that pywb looks up.

use auslese_archive::surt;

#[test]
fn keys_are_those_of_cdxj_indexer() {
    #[rustfmt::skip]
    let cases = [
        ("http://www.example.org/", "org,example)/"),
        ("http://example.org", "org,example)/"),
        ("https://www.example.org:443/a", "org,example)/a"),
        ("http://www.example.org:8080/a/", "org,example:8080)/a"),
        ("https://example.org:80/", "org,example:80)/"),
        ("http://www2.Example.ORG/Path/To/Page.HTML", "org,example)/path/to/page.html"),
        ("http://wwwx.example.org/", "org,example,wwwx)/"),
        ("http://www.de/", "de)/"),
        ("http://example.org/a//b/./c/../d/", "org,example)/a/b/d"),
        ("http://example.org/../../a", "org,example)/a"),
        ("http://example.org/%7Euser/%2525/%41", "org,example)/~user/%25/a"),
        ("http://example.org/a%2Fb%3Fc%23d", "org,example)/a/b?c%23d"),
        ("http://example.org/%C3%84%c3%a4", "org,example)/%c3%84%c3%a4"),
        ("http://example.org/%E4", "org,example)/%e4"),
        ("http://xn--mnchen-3ya.example/", "example,xn--mnchen-3ya)/"),
        ("http://münchen.example/straße", "example,xn--mnchen-3ya)/stra%c3%9fe"),
        ("http://example.org/?b=2&a=1&B=0", "org,example)/?a=1&b=0&b=2"),
        ("http://example.org/?b&a=&a&a=1", "org,example)/?a&a=&a=1&b"),
        ("http://example.org/?", "org,example)/"),
        ("http://example.org/a?#frag", "org,example)/a"),
        ("http://example.org/a?q=%26%3D+x%20y", "org,example)/a?=+x%20y&q="),
        ("http://example.org/a?x=1&PHPSESSID=0123456789abcdef0123456789abcdef&y=2", "org,example)/a?x=1&y=2"),
        ("http://example.org/a?jsessionid=0123456789abcdef0123456789ABCDEF", "org,example)/a"),
        ("http://example.org/a?a=1&sid=0123456789abcdef0123456789abcdef", "org,example)/a?&a=1"),
        ("http://example.org/a?ASPSESSIONIDABCDEFGH=ABCDEFGHIJKLMNOPQRSTUVWX&z=1", "org,example)/a?z=1"),
        ("http://example.org/a?cfid=12&cftoken=34&q=1", "org,example)/a?q=1"),
        ("http://example.org/(S(abcdefghijklmnopqrstuvwx))/page.aspx?x=1", "org,example)/page.aspx?x=1"),
        ("http://example.org/(abcdefghijklmnopqrstuvwx)/dir/page.aspx", "org,example)/dir/page.aspx"),
        ("http://example.org/(abcdefghijklmnopqrstuvwx)/page.html", "org,example)/(abcdefghijklmnopqrstuvwx)/page.html"),
        ("http://192.0.2.17:81/x", "17,2,0,192:81)/x"),
        ("http://[2001:db8::1]/x", "2001:db8::1)/x"),
        ("http://[2001:db8::1]:8080/x", "2001:db8::1:8080)/x"),
        ("http://user:pw@example.org/x", "org,example)/x"),
        ("http://user@www.example.org:81/x", "org,example:81)/x"),
        ("dns:www.example.org", "dns:www.example.org"),
        ("dns:WWW.Example.ORG", "dns:www.example.org"),
        ("whois://whois.example.net/example.org", "net,example,whois)/example.org"),
        ("urn:uuid:1234", "urn:uuid:1234"),
        ("http://example.org/a;jsessionid=0123456789abcdef0123456789abcdef?x=1", "org,example)/a;jsessionid=0123456789abcdef0123456789abcdef?x=1"),
        (r#"http://example.org/"quoted"/<tag>/{x}|y^z`~"#, r#"org,example)/"quoted"/<tag>/{x}|y^z`~"#),
        ("http://example.org/a+b/c,d/e'f(g)!h*", "org,example)/a+b/c,d/e'f(g)!h*"),
        ("ftp://ftp.example.org/pub/", "org,example,ftp)/pub"),
        ("http://example.org./dot", "org,example)/dot"),
        ("http://example..org/dots", "org,example)/dots"),
        ("http://3221226001/number", "17,2,0,192)/number"),
        ("http://example.org/a/b/..", "org,example)/a"),
        ("http://example.org/a/b/.", "org,example)/a/b"),
        ("http://example.org//", "org,example)/"),
        ("http://example.org/a?x=http://b.example/?y=1", "org,example)/a?x=http://b.example/?y=1"),
        ("http://example.org/a?&&", "org,example)/a?&&"),
        ("http://example.org/%20lead%20", "org,example)/%20lead%20"),
        ("HTTP://EXAMPLE.ORG/UPPER", "org,example)/upper"),
        ("http://http://example.org/twice", "org,example)/twice"),
        ("http://https://example.org/twice", "org,example)/twice"),
        ("http:////example.org/slashes", "org,example)/slashes"),
        ("example.org/no-scheme", "org,example)/no-scheme"),
        ("http://example.org:99999/bad-port", "http://example.org:99999/bad-port"),
        ("http://example.org:/empty-port", "org,example)/empty-port"),
        ("http://example.org/%zz%4", "org,example)/%25zz%254"),
        ("http://a_b.example.org/_x", "org,example,a_b)/_x"),
    ];
    for (url, key) in cases {
        assert_eq!(surt(url), key, "{url}");
    }
}

#[test]
fn hostile_addresses_take_linear_time() {
    let url = format!("http://example.org/%{}41", "25".repeat(200_000));
    assert_eq!(surt(&url), "org,example)/a");
    for repeated in
        ["cfid=", "cfid=1&cftoken=", "sid=", "/", "(abcdefghijklmnopqrstuvwx)/", "..", "@", "["]
    {
        let long = repeated.repeat(200_000 / repeated.len());
        surt(&format!("http://example.org/?{long}"));
        surt(&format!("http://example.org/{long}"));
        surt(&format!("http://{long}"));
    }
}
