//! The boxes of glyphs' ink, from the outlines in KaTeX's fonts.

use std::collections::HashMap;
use std::sync::LazyLock;

use tiny_skia_path::{Path, PathBuilder};
use ttf_parser::{Face, GlyphId, OutlineBuilder};

use super::Rect;
use super::engine::{self, Font};

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
}
