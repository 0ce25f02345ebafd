//! The boxes of glyphs' ink, from the outlines in KaTeX's fonts.

use std::collections::HashMap;
use std::sync::LazyLock;

use tiny_skia_path::{Path, PathBuilder};
use ttf_parser::{Face, GlyphId, OutlineBuilder};

use super::engine::{self, Font};
use super::{Rect, SymbolId, identity};

/// Every font that the layout engine draws from, with the name of its file.
const FONTS: [(Font, &str); 19] = [
    (Font::AmsRegular, "AMS-Regular"),
    (Font::CaligraphicRegular, "Caligraphic-Regular"),
    (Font::FrakturRegular, "Fraktur-Regular"),
    (Font::FrakturBold, "Fraktur-Bold"),
    (Font::MainBold, "Main-Bold"),
    (Font::MainBoldItalic, "Main-BoldItalic"),
    (Font::MainItalic, "Main-Italic"),
    (Font::MainRegular, "Main-Regular"),
    (Font::MathBoldItalic, "Math-BoldItalic"),
    (Font::MathItalic, "Math-Italic"),
    (Font::SansSerifBold, "SansSerif-Bold"),
    (Font::SansSerifItalic, "SansSerif-Italic"),
    (Font::SansSerifRegular, "SansSerif-Regular"),
    (Font::ScriptRegular, "Script-Regular"),
    (Font::Size1Regular, "Size1-Regular"),
    (Font::Size2Regular, "Size2-Regular"),
    (Font::Size3Regular, "Size3-Regular"),
    (Font::Size4Regular, "Size4-Regular"),
    (Font::TypewriterRegular, "Typewriter-Regular"),
];

/// The ink of one glyph.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Ink {
    /// A box about the baseline's origin, in em, y downwards.
    Box(Rect),
    /// A space: no ink.
    Blank,
    /// A character that the fonts do not have; its ink is unknown.
    Unknown,
}

/// The box that is used for the ink of a character that the fonts lack: about that of
/// a capital letter.
pub(super) const UNKNOWN_BOX: Rect = Rect {
    x0: 0.05,
    y0: -0.7,
    x1: 0.65,
    y1: 0.0,
};

static INK: LazyLock<HashMap<(Font, char), Ink>> = LazyLock::new(|| {
    outlines()
        .map(|glyph| {
            let ink = match &glyph.outline {
                Some(outline) => bounds(outline, glyph.em).map_or(Ink::Blank, Ink::Box),
                None => Ink::Blank,
            };
            ((glyph.font, glyph.character), ink)
        })
        .collect()
});

/// The ink of character `c` of `font`, as the display list names it.
pub(super) fn of(font: Font, c: char) -> Ink {
    let drawn = engine::font_character(font, c);
    let found = INK.get(&(font, drawn));
    // The engine's renderers, too, fall back to the main font.
    let found = found.or_else(|| INK.get(&(Font::MainRegular, drawn)));
    match found {
        Some(ink) => *ink,
        None if c.is_whitespace() || is_invisible(c) => Ink::Blank,
        None => Ink::Unknown,
    }
}

/// The ink of each identity at a size of one em, about the baseline's origin, in the font that it
/// is most often from: in both, if that is one of [`SCRIPTS`].
static NATURAL: LazyLock<HashMap<char, Vec<Rect>>> = LazyLock::new(|| {
    // The main font's digits and stops before those of the font of italics, which are other ones.
    let preferred = |font: &Font| match font {
        Font::MathItalic => FONTS.len(),
        Font::MainRegular => FONTS.len() + 1,
        _ => (FONTS.iter().position(|(other, _)| other == font)).unwrap_or_default(),
    };
    let mut found: HashMap<char, Vec<(usize, char, Font, Rect)>> = HashMap::new();
    for ((font, character), ink) in INK.iter() {
        if let (Ink::Box(rect), false) = (ink, LARGER.contains(font)) {
            let id = identity::of_glyph(*font, *character);
            let inks = found.entry(id).or_default();
            inks.push((preferred(font), *character, *font, *rect));
        }
    }
    let inks = |mut inks: Vec<(usize, char, Font, Rect)>| {
        inks.sort_unstable_by_key(|(preference, character, ..)| (*preference, *character));
        let is_script = |ink: &(usize, char, Font, Rect)| SCRIPTS.contains(&ink.2);
        let best = inks.pop();
        inks.retain(|ink| best.as_ref().is_some_and(is_script) && is_script(ink));
        (inks.into_iter().chain(best))
            .map(|(.., rect)| rect)
            .collect()
    };
    let found = found.into_iter();
    found.map(|(id, of_id)| (id, inks(of_id))).collect()
});

/// The fonts of calligraphic and script letters, which are one alphabet to Unicode.
const SCRIPTS: [Font; 2] = [Font::CaligraphicRegular, Font::ScriptRegular];

/// The fonts that have symbols in larger sizes.
const LARGER: [Font; 4] = [
    Font::Size1Regular,
    Font::Size2Regular,
    Font::Size3Regular,
    Font::Size4Regular,
];

/// The ink of a symbol at a size of one em, about the baseline's origin, y downwards; two inks for
/// script letters, which are calligraphic ones too. Nothing for symbols that the fonts have in
/// large sizes alone, or not at all.
pub(crate) fn natural(id: SymbolId) -> &'static [Rect] {
    match id {
        SymbolId::Char(c) => NATURAL.get(&c).map_or(&[], Vec::as_slice),
        _ => &[],
    }
}

/// Characters that direct or join others and draw nothing.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{00AD}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{2064}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}')
}

/// A glyph of one of the fonts.
pub(super) struct Outlined {
    pub(super) font: Font,
    pub(super) character: char,
    /// Units to an em.
    pub(super) em: f64,
    /// Its outline, y upwards, or `None` for a space.
    pub(super) outline: Option<Path>,
}

/// Every glyph that has a character, of every font.
pub(super) fn outlines() -> impl Iterator<Item = Outlined> {
    FONTS.iter().flat_map(|&(font, file)| {
        let bytes = engine::font_file(file);
        let mut glyphs = Vec::new();
        if let Some(face) = bytes.as_deref().and_then(|b| Face::parse(b, 0).ok()) {
            let em = f64::from(face.units_per_em());
            for (character, glyph) in characters(&face) {
                glyphs.push(Outlined {
                    font,
                    character,
                    em,
                    outline: outline(&face, glyph),
                });
            }
        }
        glyphs
    })
}

fn characters(face: &Face) -> Vec<(char, GlyphId)> {
    let mut found = Vec::new();
    let tables = face.tables().cmap.iter().flat_map(|cmap| cmap.subtables);
    for table in tables.filter(ttf_parser::cmap::Subtable::is_unicode) {
        table.codepoints(|code| {
            if let (Some(c), Some(glyph)) = (char::from_u32(code), table.glyph_index(code)) {
                found.push((c, glyph));
            }
        });
    }
    found
}

fn outline(face: &Face, glyph: GlyphId) -> Option<Path> {
    let mut pen = Pen(PathBuilder::new());
    face.outline_glyph(glyph, &mut pen)?;
    pen.0.finish()
}

struct Pen(PathBuilder);

impl OutlineBuilder for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.0.move_to(x, y);
    }
    fn line_to(&mut self, x: f32, y: f32) {
        self.0.line_to(x, y);
    }
    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.0.quad_to(x1, y1, x, y);
    }
    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.0.cubic_to(x1, y1, x2, y2, x, y);
    }
    fn close(&mut self) {
        self.0.close();
    }
}

/// The tight bounds of an outline of `em` units to the em, y upwards.
fn bounds(outline: &Path, em: f64) -> Option<Rect> {
    let tight = outline.compute_tight_bounds()?;
    Some(Rect::new(
        f64::from(tight.left()) / em,
        -f64::from(tight.top()) / em,
        f64::from(tight.right()) / em,
        -f64::from(tight.bottom()) / em,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_font_is_there_and_ink_is_where_letters_are() {
        for (font, file) in FONTS {
            assert!(INK.keys().any(|key| key.0 == font), "{file}");
        }
        let Ink::Box(x) = of(Font::MathItalic, 'x') else {
            panic!("x has ink");
        };
        assert!(x.y1 > 0.0 && x.y1 < 0.05, "x stands on the baseline: {x:?}");
        assert!(x.y0 < -0.4 && x.y0 > -0.5, "x is as high as an x: {x:?}");
        assert_eq!(of(Font::MainRegular, '\u{A0}'), Ink::Blank);
        assert_eq!(of(Font::MainRegular, '日'), Ink::Unknown);
    }

    #[test]
    fn symbols_have_the_ink_of_text_size() {
        let height = |c| natural(SymbolId::Char(c)).first().map(Rect::height);
        assert!(height('𝑥').is_some_and(|height| (0.4..0.5).contains(&height)));
        assert!(height('(').is_some_and(|height| (0.95..1.05).contains(&height)));
        assert_eq!(height('∑'), None, "the fonts have it in larger sizes alone");
        assert_eq!(height('日'), None);
        assert_eq!(
            natural(SymbolId::Char('2')).len(),
            1,
            "old-style digits are no match"
        );
        let both = natural(SymbolId::Char('𝒱'));
        assert!(both.len() == 2 && both[0] != both[1], "{both:?}");
    }
}
