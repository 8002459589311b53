//! What the name of a glyph means, for fonts that say nothing else about their characters.
//!
//! Names follow the convention of Adobe's fonts (`adieresis`, `uni00E4`, `f_f_i`, `a.sc`) and that
//! of TeX's. A list of a few hundred names, letters with accents by their parts, and the forms
//! that spell a code point cover what occurs in documents.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::accents::accented;

/// Longest name that is looked at; longer ones are made up.
const MAX_GLYPH_NAME: usize = 64;

/// Parts of a name joined by `_` (a ligature) that are read.
const MAX_PARTS: usize = 8;

/// The text a glyph stands for, if its name says so.
pub(crate) fn text_of(name: &str) -> Option<String> {
    if name.len() > MAX_GLYPH_NAME || name.starts_with('.') {
        return None;
    }
    if let Some(text) = known(name) {
        return Some(text.to_owned());
    }
    let base = name.split('.').next().unwrap_or(name);
    let mut text = String::new();
    for part in base.split('_').take(MAX_PARTS) {
        text.push_str(&text_of_part(part)?);
    }
    (!text.is_empty()).then_some(text)
}

fn text_of_part(part: &str) -> Option<String> {
    if let Some(text) = known(part) {
        return Some(text.to_owned());
    }
    code_points(part)
        .or_else(|| with_accent(part).map(String::from))
        .or_else(|| variant(part).map(str::to_owned))
}

fn known(name: &str) -> Option<&'static str> {
    static NAMES: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
        let pairs = LISTS.iter().flat_map(|list| list.split_whitespace());
        let names: Vec<&str> = pairs.collect();
        names.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect()
    });
    let mut characters = name.chars();
    if let (Some(letter), None) = (characters.next(), characters.next())
        && letter.is_ascii_alphabetic()
    {
        let at = usize::from(letter as u8 - b'A');
        return ASCII_LETTERS.get(at..=at);
    }
    match name {
        "space" | "nbspace" | "nonbreakingspace" | "spacehackarabic" => Some(" "),
        _ => NAMES.get(name).copied(),
    }
}

/// `A` to `z` with what stands between them in ASCII, which is never asked for.
const ASCII_LETTERS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz";

/// `uni` and groups of four digits, or `u` and four to six.
fn code_points(part: &str) -> Option<String> {
    let hex = |digits: &str| {
        let upper =
            digits.bytes().all(|byte| byte.is_ascii_hexdigit() && !byte.is_ascii_lowercase());
        let value = upper.then(|| u32::from_str_radix(digits, 16).ok())??;
        char::from_u32(value)
    };
    if let Some(digits) = part.strip_prefix("uni").filter(|digits| digits.len() >= 4) {
        let groups = digits.as_bytes().chunks_exact(4);
        return groups.map(|group| hex(std::str::from_utf8(group).ok()?)).collect();
    }
    let digits = part.strip_prefix('u').filter(|digits| (4..=6).contains(&digits.len()))?;
    hex(digits).map(String::from)
}

/// A letter and the names of its accents, such as `adieresis` or `Scaron`.
fn with_accent(part: &str) -> Option<char> {
    let letter = part.chars().next().filter(char::is_ascii_alphabetic)?;
    let mut rest = &part[1..];
    let mut character = letter;
    if let Some(behind) = rest.strip_prefix("dotless") {
        rest = behind;
    }
    while !rest.is_empty() {
        let (name, accent) = ACCENTS.iter().find(|(name, _)| rest.starts_with(name))?;
        character = accented(character, *accent)?;
        rest = &rest[name.len()..];
    }
    (character != letter).then_some(character)
}

/// Longer names first where one begins with the other.
const ACCENTS: &[(&str, char)] = &[
    ("acute", '´'),
    ("breve", '˘'),
    ("caron", 'ˇ'),
    ("cedilla", '¸'),
    ("circumflex", 'ˆ'),
    ("commaaccent", '¸'),
    ("dieresis", '¨'),
    ("dotaccent", '˙'),
    ("dot", '˙'),
    ("grave", '`'),
    ("hungarumlaut", '˝'),
    ("macron", '¯'),
    ("ogonek", '˛'),
    ("ring", '˚'),
    ("tilde", '˜'),
];

/// Forms of a glyph that older fonts name by a word behind the name: `sevenoldstyle`, `Asmall`,
/// and the sizes of TeX's brackets and signs, `parenleftbig`.
fn variant(part: &str) -> Option<&'static str> {
    const FORMS: &[&str] = &[
        "oldstyle",
        "small",
        "superior",
        "inferior",
        "fitted",
        "bigg",
        "Bigg",
        "big",
        "Big",
        "display",
        "text",
        "tp",
        "bt",
        "ex",
        "mid",
        "taboldstyle",
        "alt",
        "math",
        "sc",
    ];
    FORMS.iter().find_map(|form| {
        let base = part.strip_suffix(form).filter(|base| !base.is_empty())?;
        known(base)
    })
}

const LISTS: [&str; 5] = [PUNCTUATION, LATIN, GREEK, MATHEMATICS, TEX];

const PUNCTUATION: &str = r##"
exclam ! quotedbl " numbersign # dollar $ percent % ampersand & quotesingle ' parenleft ( parenright )
asterisk * plus + comma , hyphen - period . slash / zero 0 one 1 two 2 three 3 four 4 five 5 six 6
seven 7 eight 8 nine 9 colon : semicolon ; less < equal = greater > question ? at @ bracketleft [
backslash \ bracketright ] asciicircum ^ underscore _ grave ` braceleft { bar | braceright }
asciitilde ~ exclamdown ¡ cent ¢ sterling £ currency ¤ yen ¥ brokenbar ¦ section § dieresis ¨
copyright © guillemotleft « guillemetleft « logicalnot ¬ sfthyphen - softhyphen - registered ®
macron ¯ overscore ¯ degree ° acute ´ mu µ mu1 µ paragraph ¶ periodcentered · middot · cedilla ¸
guillemotright » guillemetright » onequarter ¼ onehalf ½ threequarters ¾ questiondown ¿
twosuperior ² threesuperior ³ onesuperior ¹ zerosuperior ⁰ foursuperior ⁴ fivesuperior ⁵
sixsuperior ⁶ sevensuperior ⁷ eightsuperior ⁸ ninesuperior ⁹ zeroinferior ₀ oneinferior ₁
twoinferior ₂ threeinferior ₃ fourinferior ₄ fiveinferior ₅ sixinferior ₆ seveninferior ₇
eightinferior ₈ nineinferior ₉ circumflex ˆ caron ˇ breve ˘ dotaccent ˙ ring ˚ ogonek ˛ tilde ˜
ilde ˜ hungarumlaut ˝ gravecomb ̀ acutecomb ́ tildecomb ̃ hookabovecomb ̉ dotbelowcomb ̣
endash – emdash — figuredash ‒ afii00208 ― horizontalbar ― underscoredbl ‗ quoteleft ‘ quoteright ’
quotesinglbase ‚ quotereversed ‛ quotedblleft “ quotedblright ” quotedblbase „ dagger † daggerdbl ‡
bullet • onedotenleader ․ twodotenleader ‥ ellipsis … perthousand ‰ minute ′ second ″
guilsinglleft ‹ guilsinglright › exclamdbl ‼ fraction ⁄ franc ₣ lira ₤ peseta ₧ Euro € euro €
afii61248 ℅ afii61289 ℓ afii61352 № numero № trademark ™ estimated ℮ oneeighth ⅛ threeeighths ⅜
fiveeighths ⅝ seveneighths ⅞ onethird ⅓ twothirds ⅔ checkmark ✓ visiblespace ␣ openbullet ◦
filledbox ■ H22073 □ H18543 ▪ H18551 ▫ triagup ▲ triagrt ► triagdn ▼ triaglf ◄ lozenge ◊
circle ○ invbullet ◘ invcircle ◙ smileface ☺ spade ♠ club ♣ heart ♥ diamond ♦
musicalnote ♪ musicalnotedbl ♫ male ♂ female ♀ sun ☼ ff ff fi fi fl fl ffi ffi ffl ffl longst st st st
hyphenminus - minus − hyphenchar - dash - nbhyphen ‑ hyphentwo ‐
"##;

const LATIN: &str = r#"
AE Æ Eth Ð Oslash Ø Thorn Þ germandbls ß ae æ eth ð oslash ø thorn þ Aring Å aring å Dcroat Đ
dcroat đ Dslash Đ dmacron đ Hbar Ħ hbar ħ dotlessi ı IJ IJ ij ij kgreenlandic ĸ Ldot Ŀ ldot ŀ
Lslash Ł lslash ł napostrophe ŉ Eng Ŋ eng ŋ OE Œ oe œ Tbar Ŧ tbar ŧ longs ſ florin ƒ Ohorn Ơ ohorn ơ
Uhorn Ư uhorn ư AEacute Ǽ aeacute ǽ Oslashacute Ǿ oslashacute ǿ dotlessj ȷ schwa ə Schwa Ə
Germandbls ẞ SS SS ss ß Scommaaccent Ș scommaaccent ș Tcommaaccent Ț tcommaaccent ț
Dcaron Ď dcaron ď Lcaron Ľ lcaron ľ tcaron ť Tcaron Ť quoterightsingle ’
ordfeminine ª ordmasculine º Idotaccent İ Idot İ
afii10017 А afii10018 Б afii10019 В afii10020 Г afii10021 Д afii10022 Е afii10023 Ё afii10024 Ж
afii10025 З afii10026 И afii10027 Й afii10028 К afii10029 Л afii10030 М afii10031 Н afii10032 О
afii10033 П afii10034 Р afii10035 С afii10036 Т afii10037 У afii10038 Ф afii10039 Х afii10040 Ц
afii10041 Ч afii10042 Ш afii10043 Щ afii10044 Ъ afii10045 Ы afii10046 Ь afii10047 Э afii10048 Ю
afii10049 Я afii10065 а afii10066 б afii10067 в afii10068 г afii10069 д afii10070 е afii10071 ё
afii10072 ж afii10073 з afii10074 и afii10075 й afii10076 к afii10077 л afii10078 м afii10079 н
afii10080 о afii10081 п afii10082 р afii10083 с afii10084 т afii10085 у afii10086 ф afii10087 х
afii10088 ц afii10089 ч afii10090 ш afii10091 щ afii10092 ъ afii10093 ы afii10094 ь afii10095 э
afii10096 ю afii10097 я
"#;

const GREEK: &str = r#"
Alpha Α Beta Β Gamma Γ Delta Δ Epsilon Ε Zeta Ζ Eta Η Theta Θ Iota Ι Kappa Κ Lambda Λ Mu Μ Nu Ν
Xi Ξ Omicron Ο Pi Π Rho Ρ Sigma Σ Tau Τ Upsilon Υ Upsilon1 ϒ Phi Φ Chi Χ Psi Ψ Omega Ω alpha α
beta β gamma γ delta δ epsilon ε epsilon1 ϵ zeta ζ eta η theta θ theta1 ϑ iota ι kappa κ lambda λ
nu ν xi ξ omicron ο pi π pi1 ϖ omega1 ϖ rho ρ rho1 ϱ sigma σ sigma1 ς tau τ upsilon υ phi φ phi1 ϕ
chi χ psi ψ omega ω Alphatonos Ά Epsilontonos Έ Etatonos Ή Iotatonos Ί Omicrontonos Ό Upsilontonos Ύ
Omegatonos Ώ alphatonos ά epsilontonos έ etatonos ή iotatonos ί omicrontonos ό upsilontonos ύ
omegatonos ώ iotadieresis ϊ upsilondieresis ϋ iotadieresistonos ΐ upsilondieresistonos ΰ tonos ΄
dieresistonos ΅ anoteleia · Ohm Ω
"#;

const MATHEMATICS: &str = r#"
plusminus ± multiply × divide ÷ minusplus ∓ universal ∀ partialdiff ∂ existential ∃ emptyset ∅
Delta1 ∆ increment ∆ gradient ∇ nabla ∇ element ∈ notelement ∉ suchthat ∋ owner ∋ product ∏
coproduct ∐ summation ∑ asteriskmath ∗ radical √ proportional ∝ infinity ∞ orthogonal ∟ angle ∠
logicaland ∧ logicalor ∨ intersection ∩ union ∪ integral ∫ contintegral ∮ integraltp ⌠ integralbt ⌡
therefore ∴ because ∵ similar ∼ similarequal ≃ congruent ≅ approxequal ≈ notequal ≠ equivalence ≡
equivasymptotic ≍ lessequal ≤ greaterequal ≥ lessmuch ≪ greatermuch ≫ propersubset ⊂
propersuperset ⊃ notsubset ⊄ reflexsubset ⊆ reflexsuperset ⊇ circleplus ⊕ circleminus ⊖
circlemultiply ⊗ circledivide ⊘ circledot ⊙ perpendicular ⊥ dotmath ⋅ arrowleft ← arrowup ↑
arrowright → arrowdown ↓ arrowboth ↔ arrowupdn ↕ arrownortheast ↗ arrowsoutheast ↘
arrownorthwest ↖ arrowsouthwest ↙ carriagereturn ↵ arrowdblleft ⇐ arrowdblup ⇑ arrowdblright ⇒
arrowdbldown ⇓ arrowdblboth ⇔ aleph ℵ Ifraktur ℑ Ifractur ℑ Rfraktur ℜ Rfractur ℜ weierstrass ℘
angleleft ⟨ angleright ⟩ angbracketleft ⟨ angbracketright ⟩ floorleft ⌊ floorright ⌋ ceilingleft ⌈
ceilingright ⌉ bardbl ∥ turnstileleft ⊢ turnstileright ⊣ latticetop ⊤ precedes ≺ follows ≻
precedesequal ⪯ followsequal ⪰ subsetsqequal ⊑ supersetsqequal ⊒ intersectionsq ⊓ unionsq ⊔
unionmulti ⊎ diamondmath ⋄ wreathproduct ≀ turnstile ⊢ star ⋆ prime ′ planckover2pi ℏ planckover2pi1 ℏ
hslash ℏ lscript ℓ Delta2 ∆ parenlefttp ⎛ parenleftex ⎜ parenleftbt ⎝ parenrighttp ⎞ parenrightex ⎟
parenrightbt ⎠ bracketlefttp ⎡ bracketleftex ⎢ bracketleftbt ⎣ bracketrighttp ⎤ bracketrightex ⎥
bracketrightbt ⎦ bracelefttp ⎧ braceleftmid ⎨ braceleftbt ⎩ braceex ⎪ bracerighttp ⎫ bracerightmid ⎬
bracerightbt ⎭ square □ squaresolid ■ triangle △ triangleright ▷ triangleleft ◁ trianglesolid ▲
defines ≜ maltesecross ✠ squareimage ⊏ lessorequalslant ⩽ greaterorequalslant ⩾
"#;

/// Names of the Computer Modern fonts and their kin that are not among the above.
const TEX: &str = r#"
suppress ̷ visualspace ␣ arrowhookleft ↩ arrowhookright ↪ arrowlefttophalf ↼ arrowleftbothalf ↽
arrowrighttophalf ⇀ arrowrightbothalf ⇁ flat ♭ natural ♮ sharp ♯ slurbelow ⌣ slurabove ⌢ smile ⌣
frown ⌢ vector ⃗ tie ⁀ negationslash ̸ mapsto ↦ triangleinv ▽ club ♣ spade ♠ owner ∋ nabla ∇
coproducttext ∐ producttext ∏ summationtext ∑ integraltext ∫ uniontext ⋃ intersectiontext ⋂
uniondisplay ⋃ intersectiondisplay ⋂ logicalandtext ⋀ logicalortext ⋁ circleplustext ⨁
circlemultiplytext ⨂ circledottext ⨀ unionmultitext ⨄ hatwide ˆ hatwider ˆ hatwidest ˆ tildewide ˜
tildewider ˜ tildewidest ˜ perthousandzero ₀ dblbracketleft ⟦ dblbracketright ⟧
Sharps ẞ sharps ß quotesinglleft ‹ quotesinglright › guilsinglleft ‹ hyphenalt - rangedash –
punctdash — exclamspanish ¡ questionspanish ¿ Lmidtilde Ł varepsilon ε vartheta ϑ varrho ϱ varsigma ς
varphi φ nequal ≠ lessdblequal ≦ greaterdblequal ≧ subsetnoteql ⊊ follownotequal ⋡ square □
"#;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        #[rustfmt::skip]
        let cases = [
            ("a", Some("a")),            ("Z", Some("Z")),          ("seven", Some("7")),
            ("adieresis", Some("ä")),    ("Odieresis", Some("Ö")),  ("germandbls", Some("ß")),
            ("Scaron", Some("Š")),       ("uhungarumlaut", Some("ű")), ("ffi", Some("ffi")),
            ("f_f_l", Some("ffl")),      ("a.sc", Some("a")),       ("uni00E4", Some("ä")),
            ("uni00660069", Some("fi")), ("u1D49C", Some("𝒜")),     ("sevenoldstyle", Some("7")),
            ("Asmall", Some("A")),       ("parenleftbig", Some("(")), ("summationdisplay", Some("∑")),
            ("quotedblbase", Some("„")), ("alpha", Some("α")),      ("idotlessacute", Some("í")),
            ("space", Some(" ")),        (".notdef", None),         ("g123", None),
            ("uniD800", None),           ("", None),                ("ubreve", Some("ŭ")),
            ("nbspace", Some(" ")),      ("ucircumflex", Some("û")), ("union", Some("∪")),
        ];
        for (name, expected) in cases {
            assert_eq!(text_of(name).as_deref(), expected, "{name}");
        }
    }

    #[test]
    fn lists_are_pairs() {
        for list in LISTS {
            let words: Vec<&str> = list.split_whitespace().collect();
            assert_eq!(words.len() % 2, 0, "{list}");
            for pair in words.chunks(2) {
                assert!(pair[0].is_ascii() && pair[1].chars().count() <= 3, "{pair:?}");
            }
        }
    }
}
