//! Topics: the queries of a run.

use std::fs;
use std::path::Path;

use roxmltree::{Document, ParsingOptions};

use super::CorpusError;

/// The largest topic file that is read, in bytes.
const MAX_TOPIC_BYTES: u64 = 256 * 1024 * 1024;

/// A query of a topic file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Topic {
    /// Its number, such as `B.301`.
    pub number: String,
    /// The id of its formula, empty where the file has none.
    pub formula_id: String,
    /// The formula.
    pub latex: String,
}

/// Why a topic file cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TopicError {
    /// It cannot be read.
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    /// It is not a topic file.
    #[error(
        "{path}: {problem}; expected ARQMath topics in XML, or lines of topic, TAB, formula id (or nothing), TAB, LaTeX"
    )]
    Malformed {
        /// The file.
        path: String,
        /// The problem.
        problem: String,
    },
    /// It is not a file of questions.
    #[error(
        "{path}: {problem}; expected ARQMath topics of Task 1 in XML, or lines of topic, TAB, question with formulas between dollars"
    )]
    MalformedQuestions {
        /// The file.
        path: String,
        /// The problem.
        problem: String,
    },
}

/// Reads a topic file: ARQMath's XML, or TSV with two or three columns.
///
/// # Errors
/// When the file cannot be read, holds no topics, or holds a topic twice.
pub fn read_topics(path: &Path) -> Result<Vec<Topic>, TopicError> {
    let failed = |source| CorpusError::Io {
        path: path.to_path_buf(),
        source,
    };
    if fs::metadata(path).map_err(failed)?.len() > MAX_TOPIC_BYTES {
        return Err(malformed(
            path,
            format!("it is longer than {MAX_TOPIC_BYTES} bytes"),
        ));
    }
    let text = fs::read_to_string(path).map_err(failed)?;
    parse_topics(&text).map_err(|problem| malformed(path, problem))
}

fn malformed(path: &Path, problem: String) -> TopicError {
    TopicError::Malformed {
        path: path.display().to_string(),
        problem,
    }
}

/// The topics of a file's text.
///
/// # Errors
/// A description of the problem.
pub fn parse_topics(text: &str) -> Result<Vec<Topic>, String> {
    let text = text.trim_start_matches('\u{FEFF}');
    let topics = if text.trim_start().starts_with('<') {
        parse_xml(text)?
    } else {
        parse_tsv(text)?
    };
    check_numbers(topics.iter().map(|topic| topic.number.as_str()).collect())?;
    Ok(topics)
}

/// Checks that there are topics, each named by a word of its own.
pub(crate) fn check_numbers(mut numbers: Vec<&str>) -> Result<(), String> {
    numbers.sort_unstable();
    let has_space = |number: &&&str| number.is_empty() || number.contains(char::is_whitespace);
    if let Some(number) = numbers.iter().find(has_space) {
        return Err(format!("expected a topic of one word, found `{number}`"));
    }
    match numbers.windows(2).find(|pair| pair[0] == pair[1]) {
        _ if numbers.is_empty() => Err("there is no topic in it".to_owned()),
        Some(pair) => Err(format!("topic {} comes twice", pair[0])),
        None => Ok(()),
    }
}

fn parse_xml(text: &str) -> Result<Vec<Topic>, String> {
    let options = ParsingOptions {
        allow_dtd: true,
        nodes_limit: 10_000_000,
        ..ParsingOptions::default()
    };
    let document = Document::parse_with_options(text, options).map_err(|e| e.to_string())?;
    let mut topics = Vec::new();
    for node in document
        .descendants()
        .filter(|node| node.has_tag_name("Topic"))
    {
        let child = |name: &str| {
            let found = node.children().find(|child| child.has_tag_name(name));
            found.map(|child| {
                let parts: String = child
                    .descendants()
                    .filter_map(|n| if n.is_text() { n.text() } else { None })
                    .collect();
                parts.trim().to_owned()
            })
        };
        let number = node
            .attribute("number")
            .unwrap_or_default()
            .trim()
            .to_owned();
        if number.is_empty() {
            return Err("a <Topic> has no number".to_owned());
        }
        let latex = child("Latex").ok_or_else(|| format!("topic {number} has no <Latex>"))?;
        topics.push(Topic {
            number,
            formula_id: child("Formula_Id").unwrap_or_default(),
            latex,
        });
    }
    Ok(topics)
}

fn parse_tsv(text: &str) -> Result<Vec<Topic>, String> {
    let mut topics = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim().is_empty() {
            continue;
        }
        let fields: Vec<&str> = line.splitn(3, '\t').collect();
        let (topic, formula_id, latex) = match fields[..] {
            [topic, latex] => (topic, "", latex),
            [topic, formula_id, latex] => (topic, formula_id, latex),
            _ => return Err(format!("line {number} has no TAB")),
        };
        if number == 1 && matches!(topic, "topic" | "topic_id") {
            continue;
        }
        topics.push(Topic {
            number: topic.trim().to_owned(),
            formula_id: formula_id.trim().to_owned(),
            latex: latex.trim().to_owned(),
        });
    }
    Ok(topics)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn xml_and_tsv_are_read() {
        let xml = r#"<?xml version="1.0"?><Topics><Topic number="B.1"><Formula_Id>q_1</Formula_Id>
            <Latex>a &lt; b</Latex><Title>x</Title></Topic></Topics>"#;
        let expected = Topic {
            number: "B.1".into(),
            formula_id: "q_1".into(),
            latex: "a < b".into(),
        };
        assert_eq!(parse_topics(xml), Ok(vec![expected.clone()]));
        assert_eq!(parse_topics("B.1\tq_1\ta < b\n"), Ok(vec![expected]));
        assert_eq!(parse_topics("B.1\tx\ty\tz").unwrap()[0].latex, "y\tz");
        assert_eq!(parse_topics("B.1\tx").unwrap()[0].formula_id, "");
    }

    #[test]
    fn what_is_wrong_is_said() {
        let wrong = |text: &str| parse_topics(text).unwrap_err();
        assert_eq!(wrong(""), "there is no topic in it");
        assert_eq!(wrong("B.1"), "line 1 has no TAB");
        assert_eq!(wrong("B.1\tx\nB.1\ty"), "topic B.1 comes twice");
        assert_eq!(
            wrong("<Topics><Topic number='1'/></Topics>"),
            "topic 1 has no <Latex>"
        );
        assert!(
            wrong("<Topics>").contains("never closed"),
            "{}",
            wrong("<Topics>")
        );
    }
}
