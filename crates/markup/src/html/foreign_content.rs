//! SVG and MathML: §13.2.6.5, with the names that are written with capitals there.

use super::arena::{NONE, Span};
use super::categories::{ANNOTATION, BREAKS_OUT, HTML_POINT, TEXT_POINT, html_categories};
use super::interner::Name;
use super::parser::{Next, Parser};
use super::tokens::{Tag, Token, is_white};
use crate::names::Known;
use crate::tree::Namespace;

impl Parser<'_> {
    /// Whether the rules for foreign content hold for the token.
    #[inline]
    pub(super) fn is_foreign(&self, token: Token) -> bool {
        !self.is_html_current() && self.is_foreign_here(token)
    }

    fn is_foreign_here(&self, token: Token) -> bool {
        let current = self.open.current();
        let is_text = matches!(token, Token::Text(_) | Token::Null);
        match token {
            Token::EndOfFile => return false,
            Token::Text(_) | Token::Null | Token::Start(_) => {}
            Token::End(_) | Token::Comment(_) => return true,
        }
        let tag = match token {
            Token::Start(tag) => tag.name.known,
            _ => Known::Other,
        };
        if current.is_in(TEXT_POINT) {
            return !is_text && matches!(tag, Known::Mglyph | Known::Malignmark);
        }
        if current.is_in(ANNOTATION) && tag == Known::Svg {
            return false;
        }
        !current.is_in(HTML_POINT)
    }

    pub(super) fn in_foreign_content(&mut self, token: Token) -> Next {
        match token {
            Token::Null => {
                let start = self.arena.extra.len();
                self.arena.extra.push(char::REPLACEMENT_CHARACTER);
                self.insert_text(self.arena.extra_from(start))
            }
            Token::Text(text) => {
                if self.frameset_ok && !is_white(self.arena.text(text.span)) {
                    self.frameset_ok = false;
                }
                self.insert_text(text.span)
            }
            Token::Comment(text) => self.insert_comment(text),
            Token::Start(tag) => {
                if self.breaks_out(tag) {
                    return self.break_out(token);
                }
                self.start_foreign(tag, self.open.current().namespace);
                Next::Done
            }
            Token::End(tag) if matches!(tag.name.known, Known::Br | Known::P) => {
                self.break_out(token)
            }
            Token::End(tag) => self.end_foreign(tag, token),
            Token::EndOfFile => self.by_mode(token),
        }
    }

    fn breaks_out(&self, tag: Tag) -> bool {
        match tag.name.known {
            Known::Font => [Known::Color, Known::Face, Known::Size]
                .into_iter()
                .any(|name| self.value(tag, name).is_some()),
            known => html_categories(known) & BREAKS_OUT != 0,
        }
    }

    fn break_out(&mut self, token: Token) -> Next {
        self.unexpected(token);
        loop {
            let current = self.open.current();
            // Holding HTML by its encoding does not count here.
            let is_point = current.is_in(TEXT_POINT)
                || current.is_in(HTML_POINT) && current.namespace == Namespace::Svg;
            if current.namespace == Namespace::Html || is_point {
                return self.by_mode(token);
            }
            self.open.pop();
        }
    }

    /// Inserts an element of SVG or MathML.
    pub(super) fn start_foreign(&mut self, tag: Tag, namespace: Namespace) {
        let name = if namespace == Namespace::Svg { svg_name(tag.name) } else { tag.name };
        self.insert_foreign(Tag { name, ..tag }, namespace);
    }

    fn insert_foreign(&mut self, tag: Tag, namespace: Namespace) {
        self.adjust_attributes(tag.attributes, namespace);
        let drawing = self.drawing;
        let id = if tag.self_closing {
            self.acknowledged = true;
            self.insert_empty(tag.name, namespace, tag.attributes)
        } else {
            self.insert(tag.name, namespace, tag.attributes)
        };
        if namespace == Namespace::MathMl && tag.name.known == Known::AnnotationXml {
            self.note_annotation(tag);
        }
        let begins_drawing = namespace == Namespace::Svg && tag.name.known == Known::Svg;
        let is_within = drawing != NONE && self.open.position_of(drawing).is_some();
        if begins_drawing && !is_within && !tag.self_closing {
            self.drawing = id;
        }
    }

    /// An annotation may say that it holds HTML.
    fn note_annotation(&mut self, tag: Tag) {
        let holds_html = self.value(tag, Known::Encoding).is_some_and(|value| {
            ["text/html", "application/xhtml+xml"].iter().any(|it| value.eq_ignore_ascii_case(it))
        });
        if holds_html && !tag.self_closing {
            self.open.mark_current(HTML_POINT);
        }
    }

    fn end_foreign(&mut self, tag: Tag, token: Token) -> Next {
        let mut at = self.open.len() - 1;
        let mut is_first = true;
        while at > 0 {
            let open = self.open.all()[at];
            if !is_first && open.namespace == Namespace::Html {
                return self.by_mode(token);
            }
            let (own, given) = (self.interner.text(open.name), self.interner.text(tag.name));
            if own.eq_ignore_ascii_case(given) {
                if open.id == self.drawing {
                    self.end_drawing();
                }
                self.open.truncate(at);
                return Next::Done;
            }
            if is_first {
                self.unexpected(token);
                is_first = false;
            }
            at -= 1;
        }
        Next::Done
    }

    /// What a drawing is made of is left out of a lean tree.
    fn end_drawing(&mut self) {
        if self.extent == super::parser::Extent::Lean {
            self.arena.drop_children(self.drawing);
        }
        self.drawing = NONE;
    }

    fn adjust_attributes(&mut self, attributes: Span, namespace: Namespace) {
        for attribute in &mut self.arena.attributes[attributes.range()] {
            let (adjusted, known) = foreign_attribute(attribute.name.known, namespace);
            if known != attribute.name.known {
                attribute.name = Name::from(known);
            }
            attribute.namespace = adjusted;
        }
    }
}

/// Vocabulary and name of an attribute of a foreign element.
fn foreign_attribute(name: Known, namespace: Namespace) -> (Namespace, Known) {
    use Known::*;
    let own = match (namespace, name) {
        (Namespace::MathMl, Definitionurl) => DefinitionURL,
        (Namespace::Svg, name) => adjusted(SVG_ATTRIBUTES, name),
        _ => name,
    };
    match own {
        XlinkActuate => (Namespace::XLink, Actuate),
        XlinkArcrole => (Namespace::XLink, Arcrole),
        XlinkHref => (Namespace::XLink, Href),
        XlinkRole => (Namespace::XLink, Role),
        XlinkShow => (Namespace::XLink, Show),
        XlinkTitle => (Namespace::XLink, Title),
        XlinkType => (Namespace::XLink, Type),
        XmlLang => (Namespace::Xml, Lang),
        XmlSpace => (Namespace::Xml, Space),
        Xmlns => (Namespace::Xmlns, Xmlns),
        XmlnsXlink => (Namespace::Xmlns, Xlink),
        name => (Namespace::None, name),
    }
}

fn svg_name(name: Name) -> Name {
    let known = adjusted(SVG_ELEMENTS, name.known);
    if known == name.known { name } else { Name::from(known) }
}

fn adjusted(pairs: &[(Known, Known)], name: Known) -> Known {
    pairs.iter().find(|pair| pair.0 == name).map_or(name, |pair| pair.1)
}

#[rustfmt::skip]
const SVG_ELEMENTS: &[(Known, Known)] = { use Known::*; &[
    (Altglyph, AltGlyph), (Altglyphdef, AltGlyphDef), (Altglyphitem, AltGlyphItem),
    (Animatecolor, AnimateColor), (Animatemotion, AnimateMotion), (Animatetransform, AnimateTransform),
    (Clippath, ClipPath), (Feblend, FeBlend), (Fecolormatrix, FeColorMatrix),
    (Fecomponenttransfer, FeComponentTransfer), (Fecomposite, FeComposite),
    (Feconvolvematrix, FeConvolveMatrix), (Fediffuselighting, FeDiffuseLighting),
    (Fedisplacementmap, FeDisplacementMap), (Fedistantlight, FeDistantLight), (Fedropshadow, FeDropShadow),
    (Feflood, FeFlood), (Fefunca, FeFuncA), (Fefuncb, FeFuncB), (Fefuncg, FeFuncG), (Fefuncr, FeFuncR),
    (Fegaussianblur, FeGaussianBlur), (Feimage, FeImage), (Femerge, FeMerge), (Femergenode, FeMergeNode),
    (Femorphology, FeMorphology), (Feoffset, FeOffset), (Fepointlight, FePointLight),
    (Fespecularlighting, FeSpecularLighting), (Fespotlight, FeSpotLight), (Fetile, FeTile),
    (Feturbulence, FeTurbulence), (Foreignobject, ForeignObject), (Glyphref, GlyphRef),
    (Lineargradient, LinearGradient), (Radialgradient, RadialGradient), (Textpath, TextPath),
] };

#[rustfmt::skip]
const SVG_ATTRIBUTES: &[(Known, Known)] = { use Known::*; &[
    (Attributename, AttributeName), (Attributetype, AttributeType), (Basefrequency, BaseFrequency),
    (Baseprofile, BaseProfile), (Calcmode, CalcMode), (Clippathunits, ClipPathUnits),
    (Diffuseconstant, DiffuseConstant), (Edgemode, EdgeMode), (Filterunits, FilterUnits), (Glyphref, GlyphRef),
    (Gradienttransform, GradientTransform), (Gradientunits, GradientUnits), (Kernelmatrix, KernelMatrix),
    (Kernelunitlength, KernelUnitLength), (Keypoints, KeyPoints), (Keysplines, KeySplines),
    (Keytimes, KeyTimes), (Lengthadjust, LengthAdjust), (Limitingconeangle, LimitingConeAngle),
    (Markerheight, MarkerHeight), (Markerunits, MarkerUnits), (Markerwidth, MarkerWidth),
    (Maskcontentunits, MaskContentUnits), (Maskunits, MaskUnits), (Numoctaves, NumOctaves),
    (Pathlength, PathLength), (Patterncontentunits, PatternContentUnits), (Patterntransform, PatternTransform),
    (Patternunits, PatternUnits), (Pointsatx, PointsAtX), (Pointsaty, PointsAtY), (Pointsatz, PointsAtZ),
    (Preservealpha, PreserveAlpha), (Preserveaspectratio, PreserveAspectRatio),
    (Primitiveunits, PrimitiveUnits), (Refx, RefX), (Refy, RefY), (Repeatcount, RepeatCount),
    (Repeatdur, RepeatDur), (Requiredextensions, RequiredExtensions), (Requiredfeatures, RequiredFeatures),
    (Specularconstant, SpecularConstant), (Specularexponent, SpecularExponent), (Spreadmethod, SpreadMethod),
    (Startoffset, StartOffset), (Stddeviation, StdDeviation), (Stitchtiles, StitchTiles),
    (Surfacescale, SurfaceScale), (Systemlanguage, SystemLanguage), (Tablevalues, TableValues),
    (Targetx, TargetX), (Targety, TargetY), (Textlength, TextLength), (Viewbox, ViewBox),
    (Viewtarget, ViewTarget), (Xchannelselector, XChannelSelector), (Ychannelselector, YChannelSelector),
    (Zoomandpan, ZoomAndPan),
] };
