//! Where an occurrence can be read: addresses made from a template.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::Instance;
use crate::escape::percent_encoded;

/// The address of an occurrence, with names in braces for what differs, as in
/// `https://math.stackexchange.com/q/{post}`.
///
/// `{id}`, `{post}`, `{thread}`, `{type}` and `{visual_id}` stand for what phocus knows of an
/// occurrence; any other name stands for the field of that name. Values are percent-encoded.
///
/// ```
/// use phocus::corpus::{LinkTemplate, Record};
///
/// let record = Record::latex("7".parse()?, "x^2").with_field("page", "Café au lait");
/// let template: LinkTemplate = "https://example.org/{page}#f{id}".parse()?;
/// let url = template.url(&record.instance);
/// assert_eq!(url.as_deref(), Some("https://example.org/Caf%C3%A9%20au%20lait#f7"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct LinkTemplate {
    text: String,
    /// Each placeholder after the text before it.
    placeholders: Vec<(String, Placeholder)>,
    /// The text after the last.
    rest: String,
}

/// What a placeholder stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Placeholder {
    Id,
    Post,
    Thread,
    Kind,
    VisualId,
    Field(String),
}

/// Why a text is no template of addresses.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected an address such as https://example.org/posts/{{post}}, found `{found}`: {reason}"
)]
pub struct LinkError {
    /// The text.
    pub found: String,
    /// What is wrong with it.
    pub reason: &'static str,
}

impl LinkTemplate {
    /// The address of an occurrence; none where it lacks the value of a placeholder.
    pub fn url(&self, instance: &Instance) -> Option<String> {
        let mut url = String::with_capacity(self.text.len() + 16);
        for (before, placeholder) in &self.placeholders {
            url.push_str(before);
            url.push_str(&percent_encoded(placeholder.value(instance)?, ""));
        }
        url.push_str(&self.rest);
        Some(url)
    }

    /// The names of the fields that it needs.
    pub fn fields(&self) -> impl Iterator<Item = &str> {
        (self.placeholders.iter()).filter_map(|(_, placeholder)| match placeholder {
            Placeholder::Field(name) => Some(name.as_str()),
            _ => None,
        })
    }
}

impl Instance {
    /// Its address: what a template makes of it, or else its field `url` where that is one.
    pub(crate) fn address(&self, template: Option<&LinkTemplate>) -> Option<String> {
        if let Some(template) = template {
            return template.url(self);
        }
        let mut fields = self.fields.iter();
        let (_, url) = fields.find(|(name, _)| name.eq_ignore_ascii_case("url"))?;
        let is_web = ["http://", "https://"].iter().any(|scheme| {
            let start = url.get(..scheme.len());
            start.is_some_and(|start| start.eq_ignore_ascii_case(scheme))
        });
        (is_web && !url.contains(is_unfit)).then(|| url.clone())
    }
}

impl Placeholder {
    fn named(name: &str) -> Self {
        match name {
            "id" => Placeholder::Id,
            "post" => Placeholder::Post,
            "thread" => Placeholder::Thread,
            "type" => Placeholder::Kind,
            "visual_id" => Placeholder::VisualId,
            field => Placeholder::Field(field.to_owned()),
        }
    }

    fn value<'a>(&self, instance: &'a Instance) -> Option<&'a str> {
        match self {
            Placeholder::Id => Some(instance.id.as_str()),
            Placeholder::Post => instance.post.as_ref().map(AsRef::as_ref),
            Placeholder::Thread => instance.thread.as_deref(),
            Placeholder::Kind => instance.kind.as_deref(),
            Placeholder::VisualId => instance.visual_id.as_ref().map(AsRef::as_ref),
            Placeholder::Field(name) => instance.field(name),
        }
    }
}

/// Whether a character has no place in an address.
fn is_unfit(character: char) -> bool {
    character.is_control() || character.is_whitespace()
}

impl FromStr for LinkTemplate {
    type Err = LinkError;

    fn from_str(text: &str) -> Result<Self, LinkError> {
        let refuse = |reason| LinkError {
            found: text.to_owned(),
            reason,
        };
        let host = text
            .strip_prefix("https://")
            .or_else(|| text.strip_prefix("http://"));
        match host {
            None => return Err(refuse("it has to begin with https:// or http://")),
            Some(host) if host.is_empty() || host.starts_with('/') => {
                return Err(refuse("it names no host"));
            }
            Some(_) if text.contains(is_unfit) => {
                return Err(refuse("it has white space in it; write %20 for a space"));
            }
            Some(_) => {}
        }
        let (mut placeholders, mut rest) = (Vec::new(), text);
        while let Some((before, after)) = rest.split_once('{') {
            let Some((name, after)) = after.split_once('}') else {
                return Err(refuse("a brace is opened and not closed"));
            };
            if name.is_empty() || name.contains('{') || before.contains('}') {
                return Err(refuse("each pair of braces has to hold one name"));
            }
            placeholders.push((before.to_owned(), Placeholder::named(name)));
            rest = after;
        }
        if rest.contains('}') {
            return Err(refuse("a brace is closed and not opened"));
        }
        if placeholders.is_empty() {
            return Err(refuse(
                "it has no name in braces, so all formulas would have the same address",
            ));
        }
        Ok(LinkTemplate {
            text: text.to_owned(),
            placeholders,
            rest: rest.to_owned(),
        })
    }
}

impl fmt::Display for LinkTemplate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

impl TryFrom<String> for LinkTemplate {
    type Error = LinkError;

    fn try_from(text: String) -> Result<Self, LinkError> {
        text.parse()
    }
}

impl From<LinkTemplate> for String {
    fn from(template: LinkTemplate) -> String {
        template.text
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::corpus::Record;

    fn instance() -> Instance {
        let record = Record::latex("f 1".replace(' ', "_").parse().unwrap(), "x")
            .with_post("p/1".parse().unwrap())
            .with_field("Page", "a b?c=d&e#f/../ü");
        record.instance
    }

    #[test]
    fn values_are_encoded_and_what_is_missing_makes_no_address() {
        let url = |template: &str| {
            let template: LinkTemplate = template.parse().unwrap();
            assert_eq!(template.to_string().parse(), Ok(template.clone()));
            template.url(&instance())
        };
        assert_eq!(
            url("https://a.org/{post}/{id}").as_deref(),
            Some("https://a.org/p%2F1/f_1")
        );
        assert_eq!(
            url("http://a.org/?q={Page}&x=1").as_deref(),
            Some("http://a.org/?q=a%20b%3Fc%3Dd%26e%23f%2F..%2F%C3%BC&x=1")
        );
        for missing in ["thread", "type", "visual_id", "page", "other"] {
            assert_eq!(url(&format!("https://a.org/{{id}}/{{{missing}}}")), None);
        }
    }

    #[test]
    fn what_is_no_template_is_refused_with_a_reason() {
        for (text, why) in [
            ("javascript:alert({id})", "has to begin with"),
            ("//a.org/{id}", "has to begin with"),
            ("https://", "no host"),
            ("https:///{id}", "no host"),
            ("https://a.org/", "no name in braces"),
            ("https://a.org/{}", "one name"),
            ("https://a.org/{a{b}}", "one name"),
            ("https://a.org/}{id}", "one name"),
            ("https://a.org/{id", "not closed"),
            ("https://a.org/{id}}", "not opened"),
            ("https://a.org/ {id}", "white space"),
        ] {
            let error = text.parse::<LinkTemplate>().unwrap_err().to_string();
            assert!(error.contains(why) && error.contains(text), "{error}");
        }
    }

    #[test]
    fn a_field_is_the_address_only_where_it_is_one() {
        let address = |url: &str| {
            let record = Record::latex("1".parse().unwrap(), "x").with_field("URL", url);
            record.instance.address(None)
        };
        assert_eq!(address("https://a.org/x y"), None);
        assert_eq!(address("javascript:alert(1)"), None);
        assert_eq!(address("a.org"), None);
        let whole = "HTTPS://a.org/x?y=1#z";
        assert_eq!(address(whole).as_deref(), Some(whole));
        let template = "https://b.org/{post}".parse().unwrap();
        let record = Record::latex("1".parse().unwrap(), "x").with_field("url", whole);
        assert_eq!(record.instance.address(Some(&template)), None);
    }

    proptest! {
        #[test]
        fn an_encoded_value_reads_back_and_ends_nothing(value in "\\PC{0,20}") {
            let mut url = String::new();
            url.push_str(&percent_encoded(&value, ""));
            let is_plain = |c: char| c.is_ascii_alphanumeric() || "-._~%".contains(c);
            prop_assert!(url.chars().all(is_plain));
            let bytes: Vec<u8> = url.split('%').enumerate().flat_map(|(at, part)| {
                if at == 0 { return part.as_bytes().to_vec(); }
                let byte = u8::from_str_radix(&part[..2], 16).unwrap();
                [&[byte][..], &part.as_bytes()[2..]].concat()
            }).collect();
            prop_assert_eq!(String::from_utf8(bytes).unwrap(), value);
        }

        #[test]
        fn any_text_is_a_template_or_refused(text in "https://[a{}/]{0,12}") {
            if let Ok(template) = text.parse::<LinkTemplate>() {
                prop_assert_eq!(template.to_string(), text);
            }
        }
    }
}
