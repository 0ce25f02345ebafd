//! The text of MathML: where it is within other text, and as XML that needs no DTD.

use super::entities::entity;

/// The prefixes that elements of MathML often have.
const PREFIXES: [&str; 4] = ["", "m:", "mml:", "math:"];

/// Where the first `math` element begins, and the prefix of its name.
pub(super) fn first(text: &str) -> Option<(usize, &'static str)> {
    let mut places = text.match_indices('<').map(|(at, _)| at);
    places.find_map(|at| {
        let prefix = PREFIXES.into_iter().find(|prefix| {
            let rest = text[at + 1..].strip_prefix(*prefix);
            let rest = rest.and_then(|rest| rest.strip_prefix("math"));
            rest.is_some_and(|rest| rest.starts_with(['>', ' ', '\n', '\t', '\r', '/']))
        })?;
        Some((at, prefix))
    })
}

/// The `math` elements within a text, and the text around them without its tags. One that is not
/// closed ends with the text.
pub(super) fn within(text: &str) -> (Vec<&str>, String) {
    let mut found = Vec::new();
    let mut around = String::new();
    let mut rest = text;
    while let Some((start, prefix)) = first(rest) {
        let closing = format!("</{prefix}math>");
        let end = rest[start..].find(&closing);
        let end = end.map_or(rest.len(), |end| start + end + closing.len());
        found.push(&rest[start..end]);
        around.push_str(&rest[..start]);
        rest = &rest[end..];
    }
    around.push_str(rest);
    (found, untagged(&around))
}

/// Text without tags.
fn untagged(text: &str) -> String {
    let parts = text.split('<').enumerate();
    parts
        .map(|(at, part)| match part.split_once('>') {
            Some((_, after)) if at > 0 => after,
            _ => part,
        })
        .collect()
}

/// MathML with characters for its entities, and without the prefixes of names, which may be
/// declared in a part of the document that was not copied.
pub(super) fn plain(mathml: &str) -> String {
    let mut out = String::with_capacity(mathml.len());
    let mut rest = mathml;
    while let Some(at) = rest.find(['<', '&']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        if rest.starts_with('<') {
            let end = rest.find('>').map_or(rest.len(), |end| end + 1);
            tag(&rest[..end], &mut out);
            rest = &rest[end..];
        } else {
            let length = reference(rest, &mut out);
            rest = &rest[length..];
        }
    }
    out.push_str(rest);
    out
}

/// Writes a tag without prefixes and without declarations of them.
fn tag(tag: &str, out: &mut String) {
    let is_named = |c: char| c.is_alphanumeric() || matches!(c, ':' | '-' | '_' | '.');
    let start = tag
        .find(|c: char| c != '<' && c != '/')
        .unwrap_or(tag.len());
    let end = tag[start..].find(|c| !is_named(c));
    let (name, rest) = tag[start..].split_at(end.unwrap_or(tag.len() - start));
    out.push_str(&tag[..start]);
    out.push_str(name.rsplit(':').next().unwrap_or(name));
    attributes(rest, out);
}

/// Writes the attributes that have no prefix, with entities as characters.
fn attributes(mut rest: &str, out: &mut String) {
    while let Some(at) = rest.find('=') {
        let quoted = rest[at + 1..].trim_start();
        let quote = quoted.chars().next().filter(|c| matches!(c, '"' | '\''));
        let end = quote.and_then(|quote| Some((quote, quoted[1..].find(quote)?)));
        let Some((quote, length)) = end else {
            break;
        };
        let name = rest[..at].trim();
        if !name.contains(':') && name != "xmlns" {
            out.push(' ');
            out.push_str(name);
            out.push('=');
            out.push(quote);
            let mut value = &quoted[1..=length];
            while let Some(at) = value.find('&') {
                out.push_str(&value[..at]);
                value = &value[at..];
                let length = reference(value, out);
                value = &value[length..];
            }
            out.push_str(value);
            out.push(quote);
        }
        rest = &quoted[length + 2..];
    }
    out.push_str(rest);
}

/// Writes the character of the entity with which `text` begins; returns the length of what was
/// read. XML's own stay as they are, and what is no known entity is an ampersand.
fn reference(text: &str, out: &mut String) -> usize {
    let end = text.char_indices().take(40).find(|&(_, c)| c == ';');
    let name = end.map_or("", |(end, _)| &text[1..end]);
    if matches!(name, "lt" | "gt" | "amp" | "quot" | "apos") || name.starts_with('#') {
        out.push_str(&text[..name.len() + 2]);
        return name.len() + 2;
    }
    match entity(name) {
        Some(character) => {
            out.push(character);
            name.len() + 2
        }
        None => {
            out.push_str("&amp;");
            1
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entities_and_prefixes_become_plain() {
        assert_eq!(
            plain("<mml:mi xmlns:mml='u' xlink:href=\"h\" class='a'>&alpha;&lt;&no;</mml:mi>"),
            "<mi class='a'>α&lt;&amp;no;</mi>"
        );
        assert_eq!(plain("<mspace width=\"1em\"/>"), "<mspace width=\"1em\"/>");
    }

    #[test]
    fn elements_are_found_within_text() {
        let text = "so <b>see</b> <math><mi>x</mi></math> and <m:math>y</m:math>.";
        let (found, around) = within(text);
        assert_eq!(found, ["<math><mi>x</mi></math>", "<m:math>y</m:math>"]);
        assert_eq!(around, "so see  and .");
        assert!(first("a<mathx>").is_none() && first("x < y").is_none());
    }
}
