//! Names of elements and attributes.
//!
//! What occurs in pages every day is [`Known`]: a small number, compared and looked up at once. Any
//! other name is kept as text. A known name is never kept as text, so that equal names are equal
//! whichever way they came about.

use crate::tree_text::TreeText;
use std::fmt;
use std::ops::Deref;

/// The local name of an element or attribute.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) enum LocalName {
    Known(Known),
    Other(TreeText),
}

impl LocalName {
    /// The number of a known name.
    #[inline]
    pub(crate) fn number(&self) -> Option<usize> {
        match self {
            LocalName::Known(known) => Some(*known as usize),
            LocalName::Other(_) => None,
        }
    }

    pub(crate) fn has_capitals(&self) -> bool {
        match self {
            LocalName::Known(known) => CAPITALS[*known as usize],
            LocalName::Other(name) => name.bytes().any(|byte| byte.is_ascii_uppercase()),
        }
    }

    pub(crate) fn to_ascii_lowercase(&self) -> LocalName {
        LocalName::from(str::to_ascii_lowercase(self))
    }
}

impl Deref for LocalName {
    type Target = str;

    fn deref(&self) -> &str {
        match self {
            LocalName::Known(known) => known.as_str(),
            LocalName::Other(text) => text,
        }
    }
}

impl From<&str> for LocalName {
    fn from(name: &str) -> LocalName {
        match Known::of(name.as_bytes(), hash(name.as_bytes())) {
            Known::Other => LocalName::Other(TreeText::from(name.to_owned())),
            known => LocalName::Known(known),
        }
    }
}

impl From<String> for LocalName {
    fn from(name: String) -> LocalName {
        LocalName::from(name.as_str())
    }
}

impl fmt::Debug for LocalName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, formatter)
    }
}

/// The beginning of a hash of a name (FNV-1a); see [`hash_on`].
pub(crate) const HASH_START: u32 = 0x811C_9DC5;

/// The hash of a name that goes on with this byte.
#[inline]
pub(crate) const fn hash_on(hash: u32, byte: u8) -> u32 {
    (hash ^ byte as u32).wrapping_mul(0x0100_0193)
}

pub(crate) const fn hash(name: &[u8]) -> u32 {
    let (mut hash, mut at) = (HASH_START, 0);
    while at < name.len() {
        hash = hash_on(hash, name[at]);
        at += 1;
    }
    hash
}

const SLOTS: usize = 2048;

const fn slot(hash: u32) -> usize {
    (hash ^ (hash >> 15)) as usize % SLOTS
}

/// Where each known name is found by its hash; a name whose place is taken stands in the next one.
static BY_HASH: [Known; SLOTS] = {
    let mut slots = [Known::Other; SLOTS];
    let mut at = 0;
    while at < ALL.len() {
        let mut place = slot(hash(KNOWN_TEXTS[at].as_bytes()));
        while !matches!(slots[place], Known::Other) {
            place = (place + 1) % SLOTS;
        }
        slots[place] = ALL[at];
        at += 1;
    }
    slots
};

/// Which known names have capitals, as some in SVG.
static CAPITALS: [bool; KNOWN_NAMES] = {
    let mut capitals = [false; KNOWN_NAMES];
    let mut name = 0;
    while name < KNOWN_NAMES {
        let text = KNOWN_TEXTS[name].as_bytes();
        let mut at = 0;
        while at < text.len() {
            capitals[name] |= text[at].is_ascii_uppercase();
            at += 1;
        }
        name += 1;
    }
    capitals
};

impl Known {
    /// The name with these bytes, whose hash the caller knows; [`Known::Other`] if it is not known.
    #[inline]
    pub(crate) fn of(name: &[u8], hash: u32) -> Known {
        let mut place = slot(hash);
        loop {
            let known = BY_HASH[place];
            if known == Known::Other || known.as_str().as_bytes() == name {
                return known;
            }
            place = (place + 1) % SLOTS;
        }
    }

    /// The text; empty for [`Known::Other`].
    #[inline]
    pub(crate) fn as_str(self) -> &'static str {
        KNOWN_TEXTS[self as usize]
    }
}

macro_rules! known_names {
    ($($name:ident $text:literal,)*) => {
        /// A name of everyday pages.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[repr(u16)]
        pub(crate) enum Known {
            $($name,)*
            /// Any name that is not known.
            Other,
        }

        const ALL: &[Known] = &[$(Known::$name),*];
        pub(crate) const KNOWN_TEXTS: &[&str] = &[$($text,)* ""];
    };
}

#[rustfmt::skip]
known_names! {
    A "a", Abbr "abbr", Acronym "acronym", Address "address", Altglyph "altglyph", Altglyphdef "altglyphdef",
    Altglyphitem "altglyphitem", Animate "animate", Animatecolor "animatecolor", Animatemotion "animatemotion",
    Animatetransform "animatetransform", Annotation "annotation", AnnotationXml "annotation-xml", Applet "applet",
    Area "area", Article "article", Aside "aside", Audio "audio", B "b", Base "base", Basefont "basefont", Bdi "bdi",
    Bdo "bdo", Bgsound "bgsound", Big "big", Blink "blink", Blockquote "blockquote", Body "body", Br "br",
    Button "button", Canvas "canvas", Caption "caption", Center "center", Circle "circle", Cite "cite",
    Clippath "clippath", Code "code", Col "col", Colgroup "colgroup", Command "command", Data "data",
    Datalist "datalist", Dd "dd", Defs "defs", Del "del", Desc "desc", Details "details", Dfn "dfn", Dialog "dialog",
    Dir "dir", Div "div", Dl "dl", Dt "dt", Ellipse "ellipse", Em "em", Embed "embed", Feblend "feblend",
    Fecolormatrix "fecolormatrix", Fecomponenttransfer "fecomponenttransfer", Fecomposite "fecomposite",
    Feconvolvematrix "feconvolvematrix", Fediffuselighting "fediffuselighting",
    Fedisplacementmap "fedisplacementmap", Fedistantlight "fedistantlight", Fedropshadow "fedropshadow",
    Feflood "feflood", Fefunca "fefunca", Fefuncb "fefuncb", Fefuncg "fefuncg", Fefuncr "fefuncr",
    Fegaussianblur "fegaussianblur", Feimage "feimage", Femerge "femerge", Femergenode "femergenode",
    Femorphology "femorphology", Feoffset "feoffset", Fepointlight "fepointlight",
    Fespecularlighting "fespecularlighting", Fespotlight "fespotlight", Fetile "fetile", Feturbulence "feturbulence",
    Fieldset "fieldset", Figcaption "figcaption", Figure "figure", Filter "filter", Font "font", Footer "footer",
    Foreignobject "foreignobject", Form "form", Frame "frame", Frameset "frameset", G "g", Glyphref "glyphref",
    H1 "h1", H2 "h2", H3 "h3", H4 "h4", H5 "h5", H6 "h6", Head "head", Header "header", Hgroup "hgroup", Hr "hr",
    Html "html", I "i", Iframe "iframe", Image "image", Img "img", Input "input", Ins "ins", Isindex "isindex",
    Kbd "kbd", Keygen "keygen", Label "label", Legend "legend", Li "li", Line "line",
    Lineargradient "lineargradient", Link "link", Listing "listing", Main "main", Malignmark "malignmark", Map "map",
    Mark "mark", Marker "marker", Marquee "marquee", Mask "mask", Math "math", Menu "menu", Menuitem "menuitem",
    Meta "meta", Meter "meter", Mfrac "mfrac", Mglyph "mglyph", Mi "mi", Mn "mn", Mo "mo", Mover "mover",
    Mrow "mrow", Ms "ms", Mspace "mspace", Msqrt "msqrt", Mstyle "mstyle", Msub "msub", Msubsup "msubsup",
    Msup "msup", Mtable "mtable", Mtd "mtd", Mtext "mtext", Mtr "mtr", Munder "munder", Nav "nav", Nobr "nobr",
    Noembed "noembed", Noframes "noframes", Noscript "noscript", Object "object", Ol "ol", Optgroup "optgroup",
    Option "option", Output "output", P "p", Param "param", Path "path", Pattern "pattern", Picture "picture",
    Plaintext "plaintext", Polygon "polygon", Polyline "polyline", Portal "portal", Pre "pre", Progress "progress",
    Q "q", Radialgradient "radialgradient", Rb "rb", Rect "rect", Rp "rp", Rt "rt", Rtc "rtc", Ruby "ruby", S "s",
    Samp "samp", Script "script", Search "search", Section "section", Select "select",
    Selectedcontent "selectedcontent", Semantics "semantics", Slot "slot", Small "small", Source "source",
    Spacer "spacer", Span "span", Stop "stop", Strike "strike", Strong "strong", Style "style", Sub "sub",
    Summary "summary", Sup "sup", Svg "svg", Switch "switch", Symbol "symbol", Table "table", Tbody "tbody", Td "td",
    Template "template", Text "text", Textarea "textarea", Textpath "textpath", Tfoot "tfoot", Th "th",
    Thead "thead", Time "time", Title "title", Tr "tr", Track "track", Tspan "tspan", Tt "tt", U "u", Ul "ul",
    Use "use", Var "var", Video "video", View "view", Wbr "wbr", Xmp "xmp", AltGlyph "altGlyph",
    AltGlyphDef "altGlyphDef", AltGlyphItem "altGlyphItem", AnimateColor "animateColor",
    AnimateMotion "animateMotion", AnimateTransform "animateTransform", ClipPath "clipPath", FeBlend "feBlend",
    FeColorMatrix "feColorMatrix", FeComponentTransfer "feComponentTransfer", FeComposite "feComposite",
    FeConvolveMatrix "feConvolveMatrix", FeDiffuseLighting "feDiffuseLighting",
    FeDisplacementMap "feDisplacementMap", FeDistantLight "feDistantLight", FeDropShadow "feDropShadow",
    FeFlood "feFlood", FeFuncA "feFuncA", FeFuncB "feFuncB", FeFuncG "feFuncG", FeFuncR "feFuncR",
    FeGaussianBlur "feGaussianBlur", FeImage "feImage", FeMerge "feMerge", FeMergeNode "feMergeNode",
    FeMorphology "feMorphology", FeOffset "feOffset", FePointLight "fePointLight",
    FeSpecularLighting "feSpecularLighting", FeSpotLight "feSpotLight", FeTile "feTile", FeTurbulence "feTurbulence",
    ForeignObject "foreignObject", GlyphRef "glyphRef", LinearGradient "linearGradient",
    RadialGradient "radialGradient", TextPath "textPath", Attributename "attributename",
    Attributetype "attributetype", Basefrequency "basefrequency", Baseprofile "baseprofile", Calcmode "calcmode",
    Clippathunits "clippathunits", Diffuseconstant "diffuseconstant", Edgemode "edgemode", Filterunits "filterunits",
    Gradienttransform "gradienttransform", Gradientunits "gradientunits", Kernelmatrix "kernelmatrix",
    Kernelunitlength "kernelunitlength", Keypoints "keypoints", Keysplines "keysplines", Keytimes "keytimes",
    Lengthadjust "lengthadjust", Limitingconeangle "limitingconeangle", Markerheight "markerheight",
    Markerunits "markerunits", Markerwidth "markerwidth", Maskcontentunits "maskcontentunits", Maskunits "maskunits",
    Numoctaves "numoctaves", Pathlength "pathlength", Patterncontentunits "patterncontentunits",
    Patterntransform "patterntransform", Patternunits "patternunits", Pointsatx "pointsatx", Pointsaty "pointsaty",
    Pointsatz "pointsatz", Preservealpha "preservealpha", Preserveaspectratio "preserveaspectratio",
    Primitiveunits "primitiveunits", Refx "refx", Refy "refy", Repeatcount "repeatcount", Repeatdur "repeatdur",
    Requiredextensions "requiredextensions", Requiredfeatures "requiredfeatures",
    Specularconstant "specularconstant", Specularexponent "specularexponent", Spreadmethod "spreadmethod",
    Startoffset "startoffset", Stddeviation "stddeviation", Stitchtiles "stitchtiles", Surfacescale "surfacescale",
    Systemlanguage "systemlanguage", Tablevalues "tablevalues", Targetx "targetx", Targety "targety",
    Textlength "textlength", Viewbox "viewbox", Viewtarget "viewtarget", Xchannelselector "xchannelselector",
    Ychannelselector "ychannelselector", Zoomandpan "zoomandpan", AttributeName "attributeName",
    AttributeType "attributeType", BaseFrequency "baseFrequency", BaseProfile "baseProfile", CalcMode "calcMode",
    ClipPathUnits "clipPathUnits", DiffuseConstant "diffuseConstant", EdgeMode "edgeMode", FilterUnits "filterUnits",
    GradientTransform "gradientTransform", GradientUnits "gradientUnits", KernelMatrix "kernelMatrix",
    KernelUnitLength "kernelUnitLength", KeyPoints "keyPoints", KeySplines "keySplines", KeyTimes "keyTimes",
    LengthAdjust "lengthAdjust", LimitingConeAngle "limitingConeAngle", MarkerHeight "markerHeight",
    MarkerUnits "markerUnits", MarkerWidth "markerWidth", MaskContentUnits "maskContentUnits", MaskUnits "maskUnits",
    NumOctaves "numOctaves", PathLength "pathLength", PatternContentUnits "patternContentUnits",
    PatternTransform "patternTransform", PatternUnits "patternUnits", PointsAtX "pointsAtX", PointsAtY "pointsAtY",
    PointsAtZ "pointsAtZ", PreserveAlpha "preserveAlpha", PreserveAspectRatio "preserveAspectRatio",
    PrimitiveUnits "primitiveUnits", RefX "refX", RefY "refY", RepeatCount "repeatCount", RepeatDur "repeatDur",
    RequiredExtensions "requiredExtensions", RequiredFeatures "requiredFeatures",
    SpecularConstant "specularConstant", SpecularExponent "specularExponent", SpreadMethod "spreadMethod",
    StartOffset "startOffset", StdDeviation "stdDeviation", StitchTiles "stitchTiles", SurfaceScale "surfaceScale",
    SystemLanguage "systemLanguage", TableValues "tableValues", TargetX "targetX", TargetY "targetY",
    TextLength "textLength", ViewBox "viewBox", ViewTarget "viewTarget", XChannelSelector "xChannelSelector",
    YChannelSelector "yChannelSelector", ZoomAndPan "zoomAndPan", XlinkActuate "xlink:actuate",
    XlinkArcrole "xlink:arcrole", XlinkHref "xlink:href", XlinkRole "xlink:role", XlinkShow "xlink:show",
    XlinkTitle "xlink:title", XlinkType "xlink:type", XmlLang "xml:lang", XmlSpace "xml:space", Xmlns "xmlns",
    XmlnsXlink "xmlns:xlink", About "about", Accept "accept", AcceptCharset "accept-charset", Accesskey "accesskey",
    Action "action", Actuate "actuate", Align "align", Alink "alink", Allow "allow",
    Allowfullscreen "allowfullscreen", Alt "alt", Arcrole "arcrole", AriaControls "aria-controls",
    AriaCurrent "aria-current", AriaDescribedby "aria-describedby", AriaDisabled "aria-disabled",
    AriaExpanded "aria-expanded", AriaHaspopup "aria-haspopup", AriaHidden "aria-hidden", AriaLabel "aria-label",
    AriaLabelledby "aria-labelledby", AriaLevel "aria-level", AriaLive "aria-live", AriaModal "aria-modal",
    AriaSelected "aria-selected", As "as", Async "async", Autocapitalize "autocapitalize",
    Autocomplete "autocomplete", Autocorrect "autocorrect", Autofocus "autofocus", Autoplay "autoplay", Axis "axis",
    Background "background", Bgcolor "bgcolor", Border "border", Bordercolor "bordercolor",
    Cellpadding "cellpadding", Cellspacing "cellspacing", Char "char", Charset "charset", Checked "checked",
    Class "class", Classid "classid", Clear "clear", ClipRule "clip-rule", Codebase "codebase", Color "color",
    Cols "cols", Colspan "colspan", Compact "compact", Content "content", Contenteditable "contenteditable",
    Controls "controls", Coords "coords", Crossorigin "crossorigin", Cx "cx", Cy "cy", D "d", DataId "data-id",
    DataSrc "data-src", DataToggle "data-toggle", DataTarget "data-target", DataUrl "data-url",
    DataValue "data-value", DataType "data-type", DataTitle "data-title", DataHref "data-href", DataName "data-name",
    DataSrcset "data-srcset", DataAction "data-action", Datatype "datatype", Datetime "datetime", Declare "declare",
    Decoding "decoding", Default "default", Defer "defer", Direction "direction", Dirname "dirname",
    Disabled "disabled", Download "download", Draggable "draggable", Dx "dx", Dy "dy", Enctype "enctype",
    Encoding "encoding", Definitionurl "definitionurl", DefinitionURL "definitionURL", Face "face",
    Fetchpriority "fetchpriority", Fill "fill", FillOpacity "fill-opacity", FillRule "fill-rule",
    Focusable "focusable", For "for", Formaction "formaction", Frameborder "frameborder", Fx "fx", Fy "fy",
    Headers "headers", Height "height", Hidden "hidden", High "high", Href "href", Hreflang "hreflang",
    Hspace "hspace", HttpEquiv "http-equiv", Id "id", Imagesizes "imagesizes", Imagesrcset "imagesrcset",
    Inputmode "inputmode", Integrity "integrity", Is "is", Ismap "ismap", Itemid "itemid", Itemprop "itemprop",
    Itemref "itemref", Itemscope "itemscope", Itemtype "itemtype", Kind "kind", Lang "lang", Language "language",
    Leftmargin "leftmargin", List "list", Loading "loading", Longdesc "longdesc", Loop "loop", Low "low",
    Marginheight "marginheight", Margintop "margintop", Marginwidth "marginwidth", Max "max", Maxlength "maxlength",
    Media "media", Method "method", Min "min", Minlength "minlength", Multiple "multiple", Muted "muted",
    Name "name", Nohref "nohref", Nomodule "nomodule", Nonce "nonce", Noresize "noresize", Noshade "noshade",
    Novalidate "novalidate", Nowrap "nowrap", Offset "offset", Onabort "onabort", Onblur "onblur",
    Onchange "onchange", Onclick "onclick", Onerror "onerror", Onfocus "onfocus", Onkeydown "onkeydown",
    Onkeypress "onkeypress", Onkeyup "onkeyup", Onload "onload", Onmousedown "onmousedown", Onmouseout "onmouseout",
    Onmouseover "onmouseover", Onmouseup "onmouseup", Onresize "onresize", Onsubmit "onsubmit", Onunload "onunload",
    Opacity "opacity", Open "open", Optimum "optimum", Ping "ping", Placeholder "placeholder", Points "points",
    Poster "poster", Prefix "prefix", Preload "preload", Profile "profile", Prompt "prompt", Property "property",
    R "r", Readonly "readonly", Referrerpolicy "referrerpolicy", Rel "rel", Required "required", Resource "resource",
    Rev "rev", Reversed "reversed", Role "role", Rows "rows", Rowspan "rowspan", Rules "rules", Rx "rx", Ry "ry",
    Sandbox "sandbox", Scheme "scheme", Scope "scope", Scoped "scoped", Scrolling "scrolling", Selected "selected",
    Shadowrootmode "shadowrootmode", Shape "shape", Show "show", Size "size", Sizes "sizes", Space "space",
    Spellcheck "spellcheck", Src "src", Srcdoc "srcdoc", Srclang "srclang", Srcset "srcset", Standby "standby",
    Start "start", StopColor "stop-color", Stroke "stroke", StrokeLinecap "stroke-linecap",
    StrokeLinejoin "stroke-linejoin", StrokeWidth "stroke-width", Tabindex "tabindex", Target "target",
    TextAnchor "text-anchor", Topmargin "topmargin", Transform "transform", Translate "translate", Type "type",
    Typeof "typeof", Usemap "usemap", Valign "valign", Value "value", Valuetype "valuetype", Version "version",
    Vlink "vlink", Vocab "vocab", Vspace "vspace", Width "width", Wrap "wrap", X "x", X1 "x1", X2 "x2",
    Xlink "xlink", Y "y", Y1 "y1", Y2 "y2",
}

/// How many names there are, with [`Known::Other`].
pub(crate) const KNOWN_NAMES: usize = ALL.len() + 1;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_found_by_its_text() {
        for known in ALL {
            assert_eq!(LocalName::from(known.as_str()), LocalName::Known(*known));
        }
        assert_eq!(&*LocalName::from("x-unheard-of"), "x-unheard-of");
        assert_eq!(&*LocalName::from(""), "");
        assert_ne!(LocalName::from("foreignobject"), LocalName::from("foreignObject"));
    }
}
