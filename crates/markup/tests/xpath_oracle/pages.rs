//! Pages of many shapes, made the same way every time.

use std::fmt::Write;

pub(crate) fn pages(count: u64) -> Vec<String> {
    (0..count)
        .map(|number| Maker { state: number * 7919 + 17, html: String::new() }.page(number))
        .collect()
}

/// Writes a page by throwing dice.
struct Maker {
    state: u64,
    html: String,
}

const WORDS: [&str; 16] = [
    "x",
    "Straße",
    "über",
    "Zusammenfassung",
    "3",
    "7",
    "12",
    "4.5",
    "&amp;",
    "Universität",
    "1 &lt; 2",
    "a\nb",
    "Größe",
    "Maßstab",
    "𝔄bc",
    "end",
];
const CLASSES: [&str; 6] = ["a", "b", "a b", "b c", "one", "teaser"];

const INLINE: [(&str, &str); 5] = [
    ("b", "</b>"),
    ("i", "</i>"),
    ("a href='mailto:x@y.example'", "</a>"),
    ("a href='p.pdf'", "</a>"),
    ("em", "</em>"),
];

impl Maker {
    fn page(mut self, number: u64) -> String {
        self.head(number);
        for _ in 0..3 + self.die(5) {
            match (number + self.die(3)) % 12 {
                0 => self.prose(3),
                1 => self.nested("div", 4),
                2 => self.table(2),
                3 => self.list(3),
                4 => self.form(),
                5 => self.drawing(),
                6 => self.formula(),
                7 => self.definitions(),
                8 => self.old_style(),
                9 => self.article(),
                10 => self.unclosed(),
                _ => self.headings(),
            }
            if self.die(3) == 0 {
                let word = self.word();
                write!(self.html, "<!-- c {word} -->").unwrap();
            }
        }
        self.html
    }

    fn die(&mut self, sides: u64) -> u64 {
        self.state = self.state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.state >> 33) % sides
    }

    fn word(&mut self) -> &'static str {
        WORDS[self.die(WORDS.len() as u64) as usize]
    }

    fn add(&mut self, text: &str) {
        self.html.push_str(text);
    }

    fn words(&mut self) {
        for _ in 0..=self.die(4) {
            let word = self.word();
            write!(self.html, "{word} ").unwrap();
        }
    }

    /// Attributes after a name, sometimes.
    fn open(&mut self, name: &str) {
        write!(self.html, "<{name}").unwrap();
        if self.die(3) == 0 {
            let class = CLASSES[self.die(6) as usize];
            write!(self.html, " class='{class}'").unwrap();
        }
        if self.die(6) == 0 {
            let id = self.die(50);
            write!(self.html, " id=n{id}").unwrap();
        }
        if self.die(8) == 0 {
            // Other tools know the language by the second only.
            let tag = ["de", "en", "de-AT"][self.die(3) as usize];
            write!(self.html, " lang={tag} xml:lang={tag}").unwrap();
        }
        self.add(">");
    }

    fn head(&mut self, number: u64) {
        if number.is_multiple_of(5) {
            self.add("<!-- before -->");
        }
        let doctypes =
            ["", "<!doctype html>", "<!DOCTYPE HTML PUBLIC \"-//W3C//DTD HTML 3.2//EN\">"];
        self.add(doctypes[number as usize % 3]);
        self.add("<html lang=de xml:lang=de><head><title>");
        self.words();
        self.add(
            "</title><meta name=author content='Jürgen Groß'><meta name=keywords content='a, b'>",
        );
        if number.is_multiple_of(2) {
            self.add("<meta http-equiv=refresh content='5'><style>p { x: y }</style><script>if (a<b) c()</script>");
        }
        self.add("</head><body>");
    }

    fn prose(&mut self, count: u64) {
        for _ in 0..=self.die(count) {
            self.open("p");
            self.words();
            for (start, end) in INLINE {
                if self.die(3) == 0 {
                    self.open(start);
                    self.words();
                    self.add(end);
                    self.words();
                }
            }
            self.add("</p>\n");
        }
    }

    fn nested(&mut self, name: &str, depth: u64) {
        self.open(name);
        if depth > 0 {
            for _ in 0..=self.die(2) {
                self.prose(1);
                self.nested(name, depth - 1);
            }
        }
        write!(self.html, "</{name}>").unwrap();
    }

    fn table(&mut self, depth: u64) {
        self.add("<table border=0>");
        for _ in 0..=self.die(3) {
            self.open("tr");
            for _ in 0..=self.die(3) {
                let span = self.die(3);
                if span > 0 {
                    write!(self.html, "<td colspan={span}>").unwrap()
                } else {
                    self.open("td")
                }
                if depth > 0 && self.die(3) == 0 {
                    self.table(depth - 1)
                } else {
                    self.words()
                }
                self.add("</td>");
            }
            self.add("</tr>");
        }
        self.add("</table>");
    }

    fn list(&mut self, depth: u64) {
        let name = if self.die(2) == 0 { "ul" } else { "ol" };
        self.open(name);
        for _ in 0..=self.die(4) {
            self.open("li");
            self.words();
            if depth > 0 && self.die(3) == 0 {
                self.list(depth - 1);
            }
        }
        write!(self.html, "</{name}>").unwrap();
    }

    fn form(&mut self) {
        self.add("<form action=x method=post><label for=n1>");
        self.words();
        self.add("</label><input name=q id=n1><input type=text name=r><input type=hidden name=s value='a\"b'>");
        self.add("<select name=t><option>x<option selected>3<option value=''>7</select><textarea>\n x</textarea>");
        self.add("<button disabled>OK</button></form>");
    }

    fn drawing(&mut self) {
        self.add(
            "<svg viewBox='0 0 9 9'><title>Bild</title><g><circle r=3 /><a xlink:href='#x'><text>",
        );
        self.words();
        self.add("</text></a></g><foreignObject><p>x<b>3</b></p></foreignObject></svg>");
    }

    fn formula(&mut self) {
        self.add("<p>x <math><mrow><mi>x</mi><mo>=</mo><mn>3</mn></mrow></math> x</p>");
    }

    fn definitions(&mut self) {
        self.add("<dl>");
        for _ in 0..=self.die(3) {
            self.add("<dt>");
            self.words();
            for _ in 0..self.die(3) {
                self.add("<dd>");
                self.words();
            }
        }
        self.add("</dl>");
    }

    fn old_style(&mut self) {
        for size in 1..=1 + self.die(6) {
            write!(self.html, "<center><font size={size} color=red><b>").unwrap();
            self.words();
            self.add("</b></font></center><br><hr noshade><img src=a.gif>");
        }
        self.add("<blockquote><pre>a\n  b</pre></blockquote><address>x</address>");
    }

    fn article(&mut self) {
        self.add("<article itemscope><header><h1 itemprop=name data-x='ä'>");
        self.words();
        self.add("</h1><time datetime=2004-03-12>x</time></header><section>");
        self.prose(2);
        self.add("</section><template><p>x</p></template><noscript><img src=b.gif alt=''></noscript></article>");
    }

    fn unclosed(&mut self) {
        self.add("<p>x<b>3<i>7</b>x</i><div>x<p>3<table><tr><td>x<td>3</table>x<ul><li>x<li>3</ul></div>");
    }

    fn headings(&mut self) {
        for level in 1..=1 + self.die(4) {
            write!(self.html, "<h{level}>").unwrap();
            self.words();
            write!(self.html, "</h{level}>").unwrap();
            self.prose(1);
        }
    }
}
