//! Questions: words with formulas between them.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use roxmltree::{Document as Xml, Node, ParsingOptions};

use super::reading::{is_bare_formula, is_question, with_bare_formulas};
use crate::corpus::documents::{of_html, of_plain_text};
use crate::corpus::{CorpusError, TextPart, TopicError, check_numbers};
use crate::index::words::Analyzer;

/// A question, as words and formulas in turn.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Question {
    /// Its title, where it has one; empty otherwise.
    pub title: Vec<TextPart>,
    /// What is asked.
    pub body: Vec<TextPart>,
    /// Its tags.
    pub tags: Vec<String>,
    /// What of it is searched for.
    pub options: QuestionOptions,
}

/// What of a question is searched for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuestionOptions {
    /// Only the title, where there is one.
    pub title_only: bool,
    /// Only these words, where there are any of them.
    pub keywords: Option<Keywords>,
    /// Formulas of fewer characters, without white space, are left out, and single symbols such as
    /// `\alpha` too, unless this is 1 or the question has no others.
    pub min_characters: usize,
    /// Only so many formulas, the longest.
    pub max_formulas: Option<usize>,
}

impl Default for QuestionOptions {
    fn default() -> Self {
        QuestionOptions {
            title_only: false,
            keywords: None,
            min_characters: 3,
            max_formulas: None,
        }
    }
}

impl QuestionOptions {
    /// The fewest symbols of a formula that is searched for: where single characters are left out,
    /// so are `\alpha` and the like.
    pub(super) fn min_symbols(&self) -> usize {
        self.min_characters.clamp(1, 2)
    }
}

/// Words that alone are searched for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keywords(HashSet<String>);

impl Keywords {
    /// The words of a text: a list of the words of mathematics, say.
    pub fn new(text: &str) -> Self {
        let words = Analyzer::default().words(text);
        Keywords(words.into_iter().map(|word| word.text).collect())
    }
}

/// A word of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct QuestionWord {
    /// Its stem, by which it is found.
    pub(super) stem: String,
    /// How it was first written.
    pub(super) word: String,
    /// How often it comes.
    pub(super) times: u32,
}

impl Question {
    /// Reads a question as it is typed: formulas stand between dollars, `\(` and `\)`, or `\[` and
    /// `\]`. Without any, LaTeX among words is a formula too; a text that has LaTeX and is no prose,
    /// or has no word, is one formula.
    ///
    /// ```
    /// use phocus::ask::Question;
    /// use phocus::corpus::TextPart;
    ///
    /// let question = Question::read("limit of $1/n$");
    /// let formula = TextPart::Formula("1/n".to_owned());
    /// assert_eq!(question.body, [TextPart::Words("limit of ".to_owned()), formula]);
    /// assert!(matches!(Question::read(r"\frac1n").body[..], [TextPart::Formula(_)]));
    /// ```
    pub fn read(typed: &str) -> Self {
        let mut body = typed_parts(typed);
        let has_formula = body.iter().any(|part| part.latex().is_some());
        if !has_formula && is_bare_formula(typed) && !is_question(typed) {
            body = vec![TextPart::Formula(typed.trim().to_owned())];
        }
        Question {
            body,
            ..Question::default()
        }
    }

    /// The parts that are searched for.
    pub(super) fn parts(&self) -> impl Iterator<Item = &TextPart> {
        let is_title_alone = self.options.title_only && !self.title.is_empty();
        let body = self.body.iter().filter(move |_| !is_title_alone);
        self.title.iter().chain(body)
    }

    /// Its words, each once, in the order in which they first come.
    pub(super) fn words(&self) -> Vec<QuestionWord> {
        let mut analyzer = Analyzer::default();
        let mut words: Vec<QuestionWord> = Vec::new();
        let is_title_alone = self.options.title_only && !self.title.is_empty();
        let tags = self.tags.iter().filter(|_| !is_title_alone);
        let texts = self.parts().filter_map(|part| match part {
            TextPart::Words(words) => Some(words),
            _ => None,
        });
        for text in texts.chain(tags) {
            for token in analyzer.words(text) {
                match words.iter_mut().find(|word| word.stem == token.text) {
                    Some(word) => word.times += 1,
                    None => words.push(QuestionWord {
                        word: text[token.offset_from..token.offset_to].to_owned(),
                        stem: token.text,
                        times: 1,
                    }),
                }
            }
        }
        if let Some(Keywords(keywords)) = &self.options.keywords
            && words.iter().any(|word| keywords.contains(&word.stem))
        {
            words.retain(|word| keywords.contains(&word.stem));
        }
        words
    }

    /// Its formulas, each once, in order.
    pub(super) fn formulas(&self) -> Vec<&str> {
        let without_spaces = |latex: &str| latex.split_whitespace().collect::<String>();
        let mut seen = HashSet::new();
        let mut formulas: Vec<&str> = (self.parts().filter_map(TextPart::latex))
            .filter(|latex| seen.insert(without_spaces(latex)))
            .collect();
        let is_long =
            |latex: &&str| without_spaces(latex).chars().count() >= self.options.min_characters;
        if formulas.iter().any(is_long) {
            formulas.retain(is_long);
        }
        if let Some(most) = self.options.max_formulas
            && formulas.len() > most
        {
            let mut lengths: Vec<usize> = formulas.iter().map(|latex| latex.len()).collect();
            lengths.sort_unstable_by(|a, b| b.cmp(a));
            let least = lengths.get(most.saturating_sub(1)).copied().unwrap_or(0);
            formulas.retain(|latex| most > 0 && latex.len() >= least);
            formulas.truncate(most);
        }
        formulas
    }
}

/// What is typed, as words and formulas between delimiters; HTML is read as a post is.
pub(super) fn typed_parts(typed: &str) -> Vec<TextPart> {
    let is_html = ["<span class=\"math", "<p>", "<math", "<script"];
    if is_html.iter().any(|tag| typed.contains(tag)) {
        of_html(typed)
    } else {
        with_bare_formulas(of_plain_text(typed))
    }
}

/// A question of a topic file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuestionTopic {
    /// Its number, such as `A.301`.
    pub number: String,
    /// The question.
    pub question: Question,
}

/// Reads a file of questions: ARQMath's topics of Task 1 in XML, or lines of topic, TAB, question
/// with formulas between dollars.
///
/// # Errors
/// When the file cannot be read, holds no questions, or holds a topic twice.
pub fn read_questions(path: &Path) -> Result<Vec<QuestionTopic>, TopicError> {
    let text = fs::read_to_string(path).map_err(|source| CorpusError::Io {
        path: path.to_path_buf(),
        source,
    })?;
    let malformed = |problem: String| TopicError::MalformedQuestions {
        path: path.display().to_string(),
        problem,
    };
    let topics = parse(text.trim_start_matches('\u{FEFF}')).map_err(malformed)?;
    let numbers: Vec<&str> = topics.iter().map(|topic| topic.number.as_str()).collect();
    check_numbers(numbers).map_err(malformed)?;
    Ok(topics)
}

fn parse(text: &str) -> Result<Vec<QuestionTopic>, String> {
    if text.trim_start().starts_with('<') {
        return parse_xml(text);
    }
    let lines = (1..).zip(text.lines());
    let lines = lines.filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(number, line)| {
            let (topic, question) = line
                .split_once('\t')
                .ok_or_else(|| format!("line {number} has no TAB"))?;
            Ok(QuestionTopic {
                number: topic.trim().to_owned(),
                question: Question::read(question),
            })
        })
        .collect()
}

fn parse_xml(text: &str) -> Result<Vec<QuestionTopic>, String> {
    let options = ParsingOptions {
        allow_dtd: true,
        nodes_limit: 10_000_000,
        ..ParsingOptions::default()
    };
    let xml = Xml::parse_with_options(text, options).map_err(|error| error.to_string())?;
    let topics = xml.descendants().filter(|node| node.has_tag_name("Topic"));
    topics.map(topic).collect()
}

fn topic(node: Node<'_, '_>) -> Result<QuestionTopic, String> {
    let number = node.attribute("number").unwrap_or_default().trim();
    if number.is_empty() {
        return Err("a <Topic> has no number".to_owned());
    }
    if node.children().any(|child| child.has_tag_name("Latex")) {
        return Err(format!(
            "topic {number} has a <Latex>: it is a formula of Task 2"
        ));
    }
    let child = |name: &str| {
        let found = node.children().find(|child| child.has_tag_name(name))?;
        let texts = found.descendants().filter(Node::is_text);
        Some(texts.filter_map(|text| text.text()).collect::<String>())
    };
    let title = child("Title").unwrap_or_default();
    let body = child("Question").ok_or_else(|| format!("topic {number} has no <Question>"))?;
    let tags = child("Tags").unwrap_or_default();
    Ok(QuestionTopic {
        number: number.to_owned(),
        question: Question {
            title: of_html(&title),
            body: of_html(&body),
            tags: tags.split(',').map(|tag| tag.trim().to_owned()).collect(),
            options: QuestionOptions::default(),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn topics_of_task_1_have_words_and_formulas() {
        let xml = r#"<?xml version="1.0"?><Topics><Topic number="A.1">
            <Title>Range of &lt;span class="math-container" id="q_1"&gt;$f(x)$&lt;/span&gt;</Title>
            <Question>&lt;p&gt;The range of &lt;span class="math-container"&gt;$c$&lt;/span&gt; and
            &lt;span class="math-container"&gt;$f(x)$&lt;/span&gt;, for $5.&lt;/p&gt;</Question>
            <Tags>real-analysis,functions</Tags></Topic></Topics>"#;
        let mut topics = parse(xml).unwrap();
        let question = &mut topics[0].question;
        assert_eq!(question.formulas(), ["f(x)"]);
        let words: Vec<(String, u32)> = (question.words().into_iter())
            .map(|word| (word.stem, word.times))
            .collect();
        let expected = [
            ("rang", 2),
            ("5", 1),
            ("real", 1),
            ("analysi", 1),
            ("function", 1),
        ];
        assert_eq!(
            words,
            expected.map(|(stem, times)| (stem.to_owned(), times))
        );
        question.options.title_only = true;
        assert_eq!(question.words().len(), 1);
        question.options.title_only = false;
        question.options.keywords = Some(Keywords::new("Functions\nand ranges"));
        assert_eq!(question.words().len(), 2);
        question.options.keywords = Some(Keywords::new("homology"));
        assert_eq!(question.words().len(), 5, "no keyword is no word");
    }

    #[test]
    fn the_longest_formulas_may_be_chosen() {
        let mut question = Question::read("$x$ and $x + y$, $ x+y $ and $xyz$ or $z$");
        assert_eq!(question.formulas(), ["x + y", "xyz"]);
        question.options.min_characters = 1;
        assert_eq!(question.formulas(), ["x", "x + y", "xyz", "z"]);
        assert_eq!(Question::read("what is $e$").formulas(), ["e"]);
        question.options.max_formulas = Some(2);
        assert_eq!(question.formulas(), ["x + y", "xyz"]);
        question.options.max_formulas = Some(0);
        assert!(question.formulas().is_empty());
    }

    #[test]
    fn what_is_wrong_with_topics_is_said() {
        assert!(parse("A.1 x").unwrap_err().contains("line 1 has no TAB"));
        let xml = "<Topics><Topic number='A.1'><Title>x</Title></Topic></Topics>";
        assert_eq!(parse(xml).unwrap_err(), "topic A.1 has no <Question>");
    }
}
