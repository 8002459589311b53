//! Which form a control belongs to, by the parser's form pointer and by `form` attributes.

use auslese_markup::parse;

#[test]
fn owners() {
    #[rustfmt::skip]
    let cases = [
        ("<form id=a><input name=x></form><input name=y>",                     "x:a y:-"),
        ("<table><form id=a><tr><td><input name=x></td></tr></form></table><input name=y>", "x:a y:-"),
        ("<form id=a><div></form><input name=x></div><input name=y>",           "x:a y:-"),
        ("<form id=a><form id=b><input name=x></form><input name=y>",           "x:a y:-"),
        ("<form id=a></form><form id=b></form><input name=x form=b><select name=y form=a></select>", "x:b y:a"),
        ("<form id=a><input name=x form=nowhere><input name=y form></form>",    "x:- y:-"),
        ("<form id=a><p id=p></p><input name=x form=p></form>",                 "x:-"),
        ("<form id=a><template><input name=x></template><input name=y></form>", "x:a y:a"),
        ("<form id=a><table><input name=x><tr><td><select name=y></select></table></form>", "x:a y:a"),
        ("<form id=a><svg><foreignObject><input name=x></foreignObject></svg></form>", "x:a"),
        ("<table><tr><form id=a><td><input name=x></td></form><form id=b><td><button name=y>z</button></td></form></tr></table>", "x:a y:b"),
    ];
    for (html, expected) in cases {
        let page = parse(html.as_bytes(), Some("utf-8"));
        let tree = page.tree();
        let found: Vec<String> = tree
            .ids()
            .filter_map(|id| Some((id, tree.element(id)?.attribute("name")?)))
            .map(|(id, name)| {
                let form = tree.form_owner(id).and_then(|form| tree.element(form));
                format!("{name}:{}", form.and_then(|form| form.attribute("id")).unwrap_or("-"))
            })
            .collect();
        assert_eq!(found.join(" "), expected, "{html}");
    }
}
