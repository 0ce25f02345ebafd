//! `phocus instances`: where a formula occurs.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::anyhow;
use serde_json::json;

use super::Status;
use super::output::print_json;
use super::table::{Align, Table, grouped, printable};
use crate::corpus::Instance;
use crate::index::{Entry, Index};

/// List where a formula occurs: post, thread, type, and what the input says besides.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  phocus instances formulas.phoc 363
  phocus instances formulas.phoc 363 --from 50 -k 50
  phocus instances formulas.phoc 363 -k 1000 --json")]
pub(super) struct Args {
    /// The index file.
    index: PathBuf,
    /// The formula: its id as `search` shows it. If no formula has this id, it is taken as the id
    /// or the visual id of an occurrence, for which the whole index is read.
    #[arg(allow_hyphen_values = true)]
    id: String,
    /// How many occurrences to show.
    #[arg(short, default_value_t = 50)]
    k: usize,
    /// How many occurrences to pass over: `--from 50` begins with the fifty-first.
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    from: usize,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> anyhow::Result<Status> {
    let index = Index::open(&args.index)?;
    let formula = match index.find(&args.id)? {
        Some(formula) => Some(formula),
        None => index.find_instance(&args.id)?,
    };
    let formula = formula.ok_or_else(|| unknown(&index, &args.id))?;
    let (entry, all) = (index.entry(formula)?, index.instances(formula)?);
    let shown: Vec<&Instance> = all.iter().skip(args.from).take(args.k).collect();
    let mut out = io::stdout().lock();
    if args.json {
        let answer = json!({
            "id": entry.id, "latex": entry.latex, "total": all.len(), "from": args.from,
            "instances": shown,
        });
        print_json(&mut out, &answer)?;
    } else {
        print(&entry, all.len(), &shown, args.from, &mut out)?;
    }
    Ok(Status::Done)
}

fn unknown(index: &Index, id: &str) -> anyhow::Error {
    anyhow!(
        "none of the {} formulas of {} has this id, nor has an occurrence of one this id or visual \
         id; `phocus search` shows ids",
        grouped(index.formulas() as u64),
        index.path().display(),
    )
    .context(format!("there is no formula {}", printable(id)))
}

fn print(
    entry: &Entry,
    total: usize,
    shown: &[&Instance],
    from: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    let latex = printable(&entry.latex);
    writeln!(out, "{}  {latex}", entry.id)?;
    let times = match total {
        1 => "once".to_owned(),
        _ => format!("{} times", grouped(total as u64)),
    };
    let last = from + shown.len();
    if shown.is_empty() {
        return writeln!(out, "occurs {times}; none is shown");
    }
    match shown.len() {
        all if all == total => writeln!(out, "occurs {times}\n")?,
        _ => writeln!(out, "occurs {times}; {} to {last} are:\n", from + 1)?,
    }
    table(shown).write(out)?;
    if last < total {
        writeln!(out, "\n--from {last} shows those after these.")?;
    }
    Ok(())
}

/// A value of an occurrence, if it has one.
type Value = fn(&Instance) -> Option<&str>;

/// What phocus has names of its own for.
const NAMED: [(&str, Value); 5] = [
    ("id", |instance| Some(instance.id.as_str())),
    ("post", |instance| instance.post.as_ref().map(AsRef::as_ref)),
    ("thread", |instance| instance.thread.as_deref()),
    ("type", |instance| instance.kind.as_deref()),
    ("visual_id", |instance| {
        instance.visual_id.as_ref().map(AsRef::as_ref)
    }),
];

/// Occurrences as a table, with a column for all that some of them have.
fn table(shown: &[&Instance]) -> Table {
    let is_known = |value: &Value| shown.iter().any(|instance| value(instance).is_some());
    let named: Vec<(&str, Value)> = (NAMED.into_iter())
        .filter(|(_, value)| is_known(value))
        .collect();
    let mut fields: Vec<&str> = Vec::new();
    for (name, _) in shown.iter().flat_map(|instance| &instance.fields) {
        if !fields.contains(&name.as_str()) {
            fields.push(name);
        }
    }
    let has_url = shown.iter().any(|instance| instance.url.is_some());
    // An address that is a field is not shown twice.
    let is_field = |instance: &&Instance| {
        instance.url.is_none() || instance.url.as_deref() == instance.field("url")
    };
    let url = (has_url && !shown.iter().all(is_field)).then_some("url");
    let names = named.iter().map(|(name, _)| *name);
    let columns: Vec<(&str, Align)> = (names.chain(fields.iter().copied()).chain(url))
        .map(|name| (name, Align::Left))
        .collect();
    let mut table = Table::new(&columns);
    for instance in shown {
        let values = named.iter().map(|(_, value)| value(instance));
        let values = values.chain(fields.iter().map(|name| instance.field(name)));
        let values = values.chain(url.map(|_| instance.url.as_deref()));
        table.row(
            values
                .map(|value| value.unwrap_or_default().to_owned())
                .collect(),
        );
    }
    table
}
