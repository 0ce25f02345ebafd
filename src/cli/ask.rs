//! `phocus ask`: texts that may answer a question.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use serde_json::json;

use super::Status;
use super::args::{MacroArgs, parse_threads};
use super::asking::Asking;
use super::hits::file_url;
use super::output::print_json;
use super::search::{print_notes, unreadable};
use super::table::{grouped, linked, printable, terminal_width};
use crate::ask::{AskRequest, AskResponse, PassagePart, Question, TextHit};
use crate::search::Searcher;

/// Find the texts that may answer a question in words and formulas.
///
/// Texts are posts, and sections of papers, notes and pages: what `phocus index` reads from
/// documents. They are ranked by the words of the question and by how alike their formulas and
/// those of the question are. An answer is found by its question's words and formulas, too.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Formulas stand between $, \\( and \\), or \\[ and \\]. A question may be words alone, formulas
alone, or both. In a result, words of the question are bold; a formula that is like one of the
question's has that formula's number behind it, and how alike the two are, from 0 to 1.

Examples:
  phocus ask posts.phoc 'why does $\\sum 1/n$ diverge?'
  phocus ask notes.phoc 'limit of $\\left(1+\\frac1n\\right)^n$' -k 3 --json")]
pub(super) struct Args {
    /// The index file, made of documents or posts.
    index: PathBuf,
    /// The question.
    #[arg(allow_hyphen_values = true)]
    question: String,
    /// How many results to show.
    #[arg(short, default_value_t = 5)]
    k: usize,
    /// How many of the best results to pass over.
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    from: usize,
    /// Find only answers, among posts.
    #[arg(long)]
    answers: bool,
    #[command(flatten)]
    macros: MacroArgs,
    #[command(flatten)]
    asking: Asking,
    /// How many threads to search on [default: one for each core].
    #[arg(long, default_value_t = 0, hide_default_value = true, value_parser = parse_threads)]
    threads: usize,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> anyhow::Result<Status> {
    let searcher = Searcher::open(&args.index)?;
    let mut question = Question::read(&args.question);
    question.options = args.asking.options(&question.options)?;
    let settings = args.asking.settings(searcher.index().meta().config.ask)?;
    let request = AskRequest::new(question)
        .from(args.from)
        .k(args.k)
        .answers(args.answers)
        .settings(Some(settings))
        .macros(args.macros.read()?)
        .threads(args.threads);
    let response = searcher.ask(&request).map_err(unreadable)?;
    let mut out = io::stdout().lock();
    if args.json {
        let mut shown = json!(response);
        shown["question"] = json!(args.question);
        (shown["from"], shown["k"]) = (json!(args.from), json!(args.k));
        shown["settings"] = json!(settings);
        print_json(&mut out, &shown)?;
    } else {
        print_notes(&response.notes);
        print_hits(&response, &mut out)?;
    }
    if response.hits.is_empty() {
        eprintln!("{}", why_none(&response, args));
        return Ok(Status::NothingFound);
    }
    Ok(Status::Done)
}

fn print_hits(response: &AskResponse, out: &mut dyn Write) -> io::Result<()> {
    let paint = Paint(io::stdout().is_terminal());
    let several = response.formulas.len() > 1;
    if several && !response.hits.is_empty() {
        for (number, formula) in (1..).zip(&response.formulas) {
            writeln!(out, "[{number}] {}", printable(&formula.latex))?;
        }
        writeln!(out)?;
    }
    for (at, hit) in response.hits.iter().enumerate() {
        if at > 0 {
            writeln!(out)?;
        }
        print_hit(hit, several, &paint, out)?;
    }
    Ok(())
}

fn print_hit(hit: &TextHit, several: bool, paint: &Paint, out: &mut dyn Write) -> io::Result<()> {
    let mut title = paint.parts(&hit.title_parts, several);
    if title.trim().is_empty() {
        title = paint.with("1", &hit.id);
    }
    if let Some(document) = hit.document.as_deref().filter(|title| *title != hit.title) {
        title.push_str(&paint.with("2", &format!("  § {}", printable(document))));
    }
    writeln!(out, "{:>3}  {:.2}  {}", hit.rank, hit.score, title.trim())?;
    let place = match &hit.kind {
        Some(kind) => format!("{kind} {}", hit.id),
        None => hit.id.clone(),
    };
    let url = (hit.url.clone()).or_else(|| file_url(Path::new(&hit.source)));
    let place = match url.filter(|_| paint.0) {
        Some(url) => linked(&paint.with("35", &printable(&place)), &url),
        None => printable(&place),
    };
    let question = hit.question.as_ref().filter(|id| **id != hit.id);
    let of = question.map_or(String::new(), |id| {
        format!(", to question {}", printable(id))
    });
    let tags = if hit.tags.is_empty() {
        String::new()
    } else {
        format!("  [{}]", printable(&hit.tags.join(", ")))
    };
    writeln!(out, "     {place}{of}{tags}")?;
    let room = terminal_width().unwrap_or(WIDTH).saturating_sub(5).max(20);
    let mut passage = paint.parts(&hit.passage, several);
    if hit.passage_in_question {
        passage.insert_str(0, &paint.with("2", "in its question: "));
    }
    for line in lines(&passage, room) {
        writeln!(out, "     {line}")?;
    }
    Ok(())
}

/// How wide lines are where the output is no terminal.
const WIDTH: usize = 100;

/// A text in lines of at most so many characters, those that move no cursor not counted; a word
/// that is longer has a line of its own.
fn lines(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut length = 0;
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let mut is_code = false;
        let shown = word.chars().filter(|c| {
            let is_shown = *c != '\x1b' && !is_code;
            is_code = *c == '\x1b' || (is_code && *c != 'm');
            is_shown
        });
        let shown = shown.count();
        if length > 0 && length + 1 + shown > width {
            lines.push(String::new());
            length = 0;
        }
        if let Some(line) = lines.last_mut() {
            if length > 0 {
                line.push(' ');
                length += 1;
            }
            line.push_str(word);
            length += shown;
        }
    }
    lines
}

/// A text without characters that a terminal obeys; spaces around it stay.
fn bare(text: &str) -> String {
    let plain = |c: char| if c.is_whitespace() { ' ' } else { c };
    text.chars()
        .map(plain)
        .filter(|c| !c.is_control())
        .collect()
}

/// Paints text for a terminal, or leaves it as it is.
struct Paint(bool);

impl Paint {
    fn with(&self, code: &str, text: &str) -> String {
        if self.0 {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    }

    /// Parts of a text: words of the question in bold, formulas coloured by how alike they are to
    /// one of the question's, which is named where there are several.
    fn parts(&self, parts: &[PassagePart], several: bool) -> String {
        let parts = parts.iter().map(|part| match part {
            PassagePart::Gap => " … ".to_owned(),
            PassagePart::Text { text, matched } if *matched => self.with("1", &bare(text)),
            PassagePart::Text { text, .. } => bare(text),
            PassagePart::Formula {
                latex,
                query,
                likeness,
            } => {
                let latex = format!("${}$", bare(latex));
                match query
                    .zip(*likeness)
                    .filter(|(_, likeness)| *likeness >= SHOWN)
                {
                    Some((query, likeness)) => {
                        let mark = if several {
                            format!("[{query}: {likeness:.2}]")
                        } else {
                            format!("[{likeness:.2}]")
                        };
                        self.with(colour(likeness), &latex) + &self.with("2", &mark)
                    }
                    None => latex,
                }
            }
        });
        parts.collect()
    }
}

/// Formulas that are less alike are not marked.
const SHOWN: f64 = 0.4;

/// Green for what is nearly the same, then cyan and blue.
fn colour(likeness: f64) -> &'static str {
    match likeness {
        0.85.. => "1;32",
        0.6.. => "36",
        _ => "34",
    }
}

/// Why nothing was found, and what to try.
fn why_none(response: &AskResponse, args: &Args) -> String {
    if args.k == 0 {
        "No text was asked for: -k is 0.".to_owned()
    } else if response.found > 0 {
        format!(
            "No further text: {} match, and --from passes over {}.",
            grouped(response.found as u64),
            grouped(args.from as u64)
        )
    } else if response.words.is_empty() && response.formulas.is_empty() {
        "The question has no words that are looked for, and no formula. Formulas stand between $."
            .to_owned()
    } else if args.answers {
        "No answer found. Try it without --answers.".to_owned()
    } else {
        "No text found: none has a word of the question, or a formula like one of its formulas."
            .to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_as_long_as_they_are_seen() {
        let text = "\x1b[1mone\x1b[0m two three";
        assert_eq!(lines(text, 7), ["\x1b[1mone\x1b[0m two", "three"]);
        assert_eq!(lines("longer-than-that a", 7), ["longer-than-that", "a"]);
        assert_eq!(bare(" a\n\x1b[2Jb "), " a [2Jb ");
    }

    #[test]
    fn what_is_alike_is_marked_with_its_likeness() {
        let formula = |likeness| PassagePart::Formula {
            latex: "x".to_owned(),
            query: Some(2),
            likeness: Some(likeness),
        };
        let plain = Paint(false);
        assert_eq!(plain.parts(&[formula(0.912)], true), "$x$[2: 0.91]");
        assert_eq!(plain.parts(&[formula(0.912)], false), "$x$[0.91]");
        assert_eq!(plain.parts(&[formula(0.1)], true), "$x$");
    }
}
