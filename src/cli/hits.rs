//! Hits as a table.

use std::path::Path;

use super::table::{Align, Table, grouped};
use crate::corpus::{DocumentPlace, Instance, is_of_place};
use crate::escape::percent_encoded;
use crate::search::{Group, Hit, Response};

/// How many others of a group are named.
const NAMED: usize = 5;

/// Hits as a table. The column that orders them comes first: the likeness where they were
/// re-ranked, else the score. A full table says below each hit where it occurs first.
pub(super) fn hit_table(response: &Response, is_full: bool) -> Table {
    let hits = &response.hits;
    let is_reranked = hits.iter().any(|hit| hit.likeness.is_some());
    let mut columns = vec![("rank", Align::Right)];
    columns.extend(is_reranked.then_some(("likeness", Align::Right)));
    columns.extend([
        ("score", Align::Right),
        ("id", Align::Left),
        ("instances", Align::Right),
        ("latex", Align::Left),
    ]);
    let mut table = Table::new(&columns);
    for hit in hits {
        let mut row = vec![hit.rank.to_string()];
        let likeness = || (hit.likeness).map_or(String::new(), |likeness| format!("{likeness:.4}"));
        row.extend(is_reranked.then(likeness));
        row.extend([
            format!("{:.4}", hit.score),
            hit.id.to_string(),
            grouped(hit.instances),
            hit.latex.clone(),
        ]);
        table.row(row);
        if let Some(place) = hit.first.place() {
            if let Some(url) = opened(&hit.first, place) {
                table.link(hit.id.as_str(), &url);
            }
            let titles = [hit.first.field("title"), place.section];
            let titles: Vec<&str> = titles.into_iter().flatten().collect();
            if !titles.is_empty() {
                table.below(&format!("§ {}", titles.join(" § ")));
            }
        }
        if hit.others_count > 0 {
            table.below(&others(response.group, hit));
        }
        if is_full {
            table.below(&place(&hit.first));
            for (name, value) in kept(&hit.first) {
                table.below(&format!("{name}: {value}"));
            }
        }
    }
    table
}

/// The address that a terminal opens for an occurrence in a document: that of its page, or of the
/// file, where it still is there.
fn opened(instance: &Instance, place: DocumentPlace) -> Option<String> {
    instance
        .url
        .clone()
        .or_else(|| file_url(Path::new(place.file)))
}

/// The address of a file on this machine.
pub(super) fn file_url(file: &Path) -> Option<String> {
    let path = std::path::absolute(file)
        .ok()
        .filter(|path| path.exists())?;
    let path = percent_encoded(&path.to_string_lossy(), "/");
    Some(format!("file://{path}"))
}

/// "and 2 ways of writing it: 17, 23".
fn others(group: Group, hit: &Hit) -> String {
    let (ways, count) = (&hit.others, hit.others_count);
    let what = match (group, count) {
        (Group::Renaming, _) => "equal to it after renaming",
        (_, 1) => "way of writing it",
        _ => "ways of writing it",
    };
    let ids: Vec<&str> = ways.iter().take(NAMED).map(|way| way.id.as_str()).collect();
    let more = if count > ids.len() { " …" } else { "" };
    format!(
        "and {} {what}: {}{more}",
        grouped(count as u64),
        ids.join(", ")
    )
}

/// Where a formula occurs, in words.
fn place(instance: &Instance) -> String {
    let id = format!("first as {}", instance.id);
    let post = instance.post.as_ref().map(|post| format!("post {post}"));
    let thread = (instance.thread.as_ref()).map(|thread| format!("thread {thread}"));
    let kind = instance.kind.clone();
    let parts = [Some(id), post, thread, kind].into_iter().flatten();
    parts.collect::<Vec<_>>().join(", ")
}

/// The address of an occurrence and its fields; a field that is the address is told once.
fn kept(instance: &Instance) -> Vec<(&str, &str)> {
    let url = instance.url.as_deref().map(|url| ("url", url));
    // The id of a formula in a document says its place.
    let has_place = instance.place().is_some();
    let fields = instance.fields.iter();
    let fields = fields.map(|(name, value)| (name.as_str(), value.as_str()));
    let is_said = |name| has_place && is_of_place(name) && name != "sentence";
    let others = fields.filter(|field| Some(*field) != url && !is_said(field.0));
    url.into_iter().chain(others).collect()
}
