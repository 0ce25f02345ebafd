//! `--link`: where the occurrences of formulas can be read.

use std::str::FromStr;

use anyhow::bail;

use crate::corpus::{LinkError, LinkTemplate};
use crate::index::Index;

/// How the addresses of occurrences are made.
#[derive(Debug, clap::Args)]
pub(super) struct LinkArgs {
    /// Where an occurrence can be read, instead of what the index says: an address with {id},
    /// {post}, {thread}, {type}, {visual_id} or the name of a kept column in braces. It is for all
    /// indexes, or for one, as NAME=URL says.
    #[arg(long, value_name = "[NAME=]URL")]
    link: Vec<Link>,
}

/// How addresses are made: in one index, or in all.
#[derive(Debug, Clone, PartialEq)]
struct Link {
    index: Option<String>,
    template: LinkTemplate,
}

impl FromStr for Link {
    type Err = LinkError;

    fn from_str(text: &str) -> Result<Self, LinkError> {
        let (index, template) = match text.split_once('=') {
            Some((name, rest)) if !name.contains(':') => (Some(name.to_owned()), rest),
            _ => (None, text),
        };
        let template = template.parse()?;
        Ok(Link { index, template })
    }
}

impl LinkArgs {
    /// The index with the addresses that are asked for under its name; what is said of one
    /// index goes before what is said of all.
    pub(super) fn apply(&self, index: Index, name: &str) -> anyhow::Result<Index> {
        let own = |link: &&Link| link.index.as_deref() == Some(name);
        let all = |link: &&Link| link.index.is_none();
        let links = || self.link.iter();
        let Some(link) = links().rfind(own).or(links().rfind(all)) else {
            return Ok(index);
        };
        let kept = &index.meta().fields;
        let mut fields = link.template.fields();
        if let Some(unknown) = fields.find(|name| !kept.iter().any(|field| field == name)) {
            let known = ["id", "post", "thread", "type", "visual_id"].into_iter();
            let known: Vec<&str> = known.chain(kept.iter().map(String::as_str)).collect();
            bail!(
                "--link names {{{unknown}}}, which {name} does not keep; it has {}",
                known.join(", ")
            );
        }
        Ok(index.with_link(link.template.clone()))
    }

    /// Refuses a link of an index that is not served under one of these names.
    pub(super) fn check(&self, names: &[&str]) -> anyhow::Result<()> {
        let mut of_index = self.link.iter().filter_map(|link| link.index.as_deref());
        if let Some(index) = of_index.find(|index| !names.contains(index)) {
            bail!(
                "--link is for the index {index}, and there is {}",
                names.join(", ")
            );
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_for_one_index_or_for_all() {
        let parsed = |text: &str| text.parse::<Link>().map(|link| link.index);
        assert_eq!(parsed("https://a.org/?q={id}"), Ok(None));
        assert_eq!(parsed("mse=https://a.org/{id}"), Ok(Some("mse".to_owned())));
        assert!(parsed("mse=a.org/{id}").is_err());
    }
}
