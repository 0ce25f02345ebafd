//! Formulas and their occurrences, as they are stored.

use std::str::FromStr;

use serde::Serialize;

use super::varint::{VarintReader, VarintWriter};
use crate::corpus::{FormulaId, Instance, PostId, VisualId};

/// A distinct formula, as it is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// Its external id: its visual id, or the id of its first instance.
    pub id: FormulaId,
    /// LaTeX of its first instance.
    pub latex: String,
    /// How often it occurs.
    pub instances: u64,
    /// Where it occurs first.
    pub first: Instance,
}

impl Entry {
    /// The id by which runs distinguish it: its visual id, or else its own id.
    pub fn visual_id(&self) -> &str {
        self.visual_id_of(&self.first)
    }

    /// The same for one of its occurrences: formulas that are merged by their layout may have
    /// visual ids of their own.
    pub fn visual_id_of<'a>(&'a self, instance: &'a Instance) -> &'a str {
        instance.visual_id_or(&self.id)
    }
}

/// Writes an entry, whose first instance is written already.
pub(in crate::index) fn write_entry(
    writer: &mut VarintWriter,
    id: &FormulaId,
    latex: &str,
    instances: u64,
    first: &[u8],
) {
    writer.text(id.as_str());
    writer.text(latex);
    writer.number(instances);
    writer.0.extend_from_slice(first);
}

impl VarintWriter {
    /// Writes an instance; `number` says under which number the description has the name of a
    /// field, or nothing where the field is not kept.
    pub(in crate::index) fn instance(
        &mut self,
        instance: &Instance,
        mut number: impl FnMut(&str, &str) -> Option<u64>,
    ) {
        let Instance {
            id,
            post,
            thread,
            kind,
            visual_id,
            fields,
            url: _,
        } = instance;
        self.text(id.as_str());
        self.text(post.as_ref().map_or("", PostId::as_str));
        self.text(thread.as_deref().unwrap_or_default());
        self.text(kind.as_deref().unwrap_or_default());
        self.text(visual_id.as_ref().map_or("", VisualId::as_str));
        let fields = fields.iter();
        let kept: Vec<(u64, &str)> = fields
            .filter_map(|(name, value)| Some((number(name, value)?, value.as_str())))
            .collect();
        self.number(kept.len() as u64);
        for (name, value) in kept {
            self.number(name);
            self.text(value);
        }
    }
}

impl VarintReader<'_> {
    /// Reads the ids of an instance, and stops there.
    pub(in crate::index) fn instance_ids(&mut self) -> Option<(FormulaId, Option<VisualId>)> {
        let own = self.text()?.parse().ok()?;
        for _post_thread_and_type in 0..3 {
            self.bytes()?;
        }
        Some((own, id(self.text()?)?))
    }

    /// Reads an instance, whose fields have these names.
    pub(in crate::index) fn instance(&mut self, names: &[String]) -> Option<Instance> {
        Some(Instance {
            id: self.text()?.parse().ok()?,
            post: id(self.text()?)?,
            thread: part(self.text()?),
            kind: part(self.text()?),
            visual_id: id(self.text()?)?,
            fields: self.fields(names)?,
            url: None,
        })
    }

    fn fields(&mut self, names: &[String]) -> Option<Vec<(String, String)>> {
        let mut fields = Vec::new();
        for _ in 0..self.number()? {
            let name = names.get(usize::try_from(self.number()?).ok()?)?;
            fields.push((name.clone(), self.text()?.to_owned()));
        }
        Some(fields)
    }

    pub(in crate::index) fn entry(&mut self, names: &[String]) -> Option<Entry> {
        Some(Entry {
            id: self.text()?.parse().ok()?,
            latex: self.text()?.to_owned(),
            instances: self.number()?,
            first: self.instance(names)?,
        })
    }
}

/// A text, or none where it is empty.
fn part(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

/// An id, none where the text is empty, or nothing where it is no id.
fn id<T: FromStr>(text: &str) -> Option<Option<T>> {
    if text.is_empty() {
        Some(None)
    } else {
        text.parse().ok().map(Some)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn entries_round_trip(
            ids in proptest::collection::vec("[^\\s]{1,12}", 2),
            texts in proptest::collection::vec(proptest::option::of("[^\\s]{1,12}"), 4),
            fields in proptest::collection::vec(".{0,12}", 0..4),
            latex in ".{0,12}",
            instances: u64,
        ) {
            let names = ["a", "b", "c"].map(str::to_owned);
            let number = |name: &str, _: &str| {
                names.iter().position(|other| other == name).map(|at| at as u64)
            };
            let entry = Entry {
                id: ids[0].parse().unwrap(),
                latex,
                instances,
                first: Instance {
                    id: ids[1].parse().unwrap(),
                    post: texts[0].as_ref().map(|id| id.parse().unwrap()),
                    thread: texts[1].clone(),
                    kind: texts[2].clone(),
                    visual_id: texts[3].as_ref().map(|id| id.parse().unwrap()),
                    fields: names.iter().rev().cloned().zip(fields).collect(),
                    url: None,
                },
            };
            let mut first = VarintWriter::default();
            first.instance(&entry.first, number);
            let mut writer = VarintWriter::default();
            write_entry(&mut writer, &entry.id, &entry.latex, instances, &first.0);
            prop_assert_eq!(VarintReader(&writer.0).entry(&names), Some(entry));
        }

        #[test]
        fn anything_can_be_read_without_panic(bytes: Vec<u8>) {
            let _ = VarintReader(&bytes).entry(&["a".to_owned()]);
        }
    }
}
