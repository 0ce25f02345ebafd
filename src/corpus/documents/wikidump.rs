//! Dumps of MediaWiki: pages of wikitext in XML, one after another.

use roxmltree::{Document as Xml, Node};

use super::{About, Document, Formulas, Loaded, MAX_DOCUMENT_BYTES, wikitext};
use crate::corpus::lines::Lines;
use crate::corpus::source::Source;
use crate::escape::percent_encoded;

/// The pages of a dump. Pages that only lead to others have no text, and so no formulas.
pub(in crate::corpus) struct Pages {
    lines: Lines<Source>,
    /// The address of a page, before its title.
    base: Option<String>,
}

impl Pages {
    pub(super) fn new(source: Source) -> Self {
        Pages {
            lines: Lines::new(source),
            base: None,
        }
    }

    /// The next page as XML, and the number of its first line.
    fn page(&mut self) -> Option<Result<(String, u64), String>> {
        let mut page: Option<(String, u64)> = None;
        loop {
            let line = match self.lines.next() {
                Ok(line) => line?,
                Err(error) => return Some(Err(error.to_string())),
            };
            let (text, number) = match line.text {
                Ok(text) => (text, line.number),
                Err(reason) => return Some(Err(format!("line {}: {reason}", line.number))),
            };
            let bare = text.trim();
            if let Some(home) = bare.strip_prefix("<base>") {
                let home = home.trim_end_matches("</base>");
                self.base = home.rsplit_once('/').map(|(base, _)| format!("{base}/"));
            }
            if bare.starts_with("<page>") {
                page = Some((String::new(), number));
            }
            if let Some((xml, first)) = &mut page {
                xml.push_str(&text);
                xml.push('\n');
                if xml.len() as u64 > MAX_DOCUMENT_BYTES {
                    return Some(Err(format!("the page from line {first} is too long")));
                }
                if bare.ends_with("</page>") {
                    return page.map(Ok);
                }
            }
        }
    }

    fn read(&self, xml: &str, first: u64) -> Result<Loaded<Document>, String> {
        let failed = |error| format!("the page from line {first} is no XML: {error}");
        let parsed = Xml::parse(xml.trim_end()).map_err(failed)?;
        let find = |name: &str| parsed.descendants().find(|node| node.has_tag_name(name));
        let text_of = |name: &str| Some(find(name)?.text()?.to_owned());
        let node = find("text").and_then(|node| node.first_child());
        let (before, text) = node.map_or((0, String::new()), |node| text_of_lines(xml, node));
        let mut document = wikitext::read(&text, &mut Formulas::default());
        let title = text_of("title");
        document.about = About {
            post: text_of("id").and_then(|id| id.parse().ok()),
            url: self.base.as_ref().zip(title.as_ref()).map(|(base, title)| {
                let title = title.replace(' ', "_");
                format!("{base}{}", percent_encoded(&title, "/:(),!"))
            }),
            title,
            ..About::default()
        };
        Ok(Loaded {
            text,
            lines_before: first as usize - 1 + before,
            value: document,
        })
    }
}

/// A text of a page, and how many lines of the page come before it. Lines of the text are lines of
/// the dump; where a character reference stands for the end of a line they are not, and the text is
/// one line.
fn text_of_lines(xml: &str, node: Node<'_, '_>) -> (usize, String) {
    let range = node.range();
    let count = |text: &str| text.matches('\n').count();
    let before = count(&xml[..range.start]);
    let text = node.text().unwrap_or_default();
    let is_same = count(text) == count(&xml[range]);
    let text = if is_same {
        text.to_owned()
    } else {
        text.replace('\n', " ")
    };
    (before, text)
}

impl Iterator for Pages {
    type Item = Result<Loaded<Document>, String>;

    fn next(&mut self) -> Option<Self::Item> {
        let page = self.page()?;
        Some(page.and_then(|(xml, first)| self.read(&xml, first)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_have_titles_addresses_and_lines() {
        let dump = "<mediawiki>\n<siteinfo>\n<base>https://w.org/wiki/Main</base>\n</siteinfo>\n\
            <page>\n<title>Heat flow</title>\n<id>12</id>\n<revision>\n<id>9</id>\n\
            <text xml:space=\"preserve\">== Law ==\nSo &lt;math&gt;u&amp;lt;1&lt;/math&gt;.</text>\n\
            </revision>\n</page>\n<page>\n<title>B</title>\n</broken>\n</page>\n</mediawiki>\n";
        let mut pages = Pages::new(Box::new(std::io::Cursor::new(dump.as_bytes())));
        let read = pages.next().unwrap().unwrap();
        let about = &read.value.about;
        assert_eq!(about.title.as_deref(), Some("Heat flow"));
        assert_eq!(about.url.as_deref(), Some("https://w.org/wiki/Heat_flow"));
        assert_eq!(about.post.as_ref().unwrap().as_str(), "12");
        let formula = read.value.formulas().next().unwrap();
        let lines = super::super::LineIndex::new(&read.text);
        let (line, _) = lines.place(&read.text, formula.at);
        assert_eq!(read.lines_before + line, 11);
        let error = pages.next().unwrap().unwrap_err();
        assert!(error.contains("line 14"), "{error}");
        assert!(pages.next().is_none());
    }

    #[test]
    fn an_escaped_end_of_line_is_no_line_of_the_dump() {
        // A bare carriage return is no end of a line, here or there.
        for (end, expected) in [("&#10;", 3), ("&#xA;", 3), ("\r", 4)] {
            let dump = format!(
                "<page>\n<text\n a=\"\">{end}\n{end}&lt;math&gt;x&lt;/math&gt;</text>\n</page>\n"
            );
            let mut pages = Pages::new(Box::new(std::io::Cursor::new(dump.into_bytes())));
            let read = pages.next().unwrap().unwrap();
            let lines = super::super::LineIndex::new(&read.text);
            let formula = read.value.formulas().next().unwrap();
            let (line, _) = lines.place(&read.text, formula.at);
            assert_eq!(read.lines_before + line, expected, "{end:?}");
        }
    }
}
