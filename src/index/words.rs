//! Words: how a text becomes words, and the schema of tantivy's index of them.

use crate::corpus::{Text, TextPart};
use tantivy::schema::{Field, IndexRecordOption, Schema, TextFieldIndexing, TextOptions};
use tantivy::tokenizer::{
    Language, LowerCaser, RemoveLongFilter, SimpleTokenizer, Stemmer, StopWordFilter, TextAnalyzer,
    Token, TokenStream,
};

/// The version of the way from text to words: an index whose words were made in another way is not
/// asked.
pub(crate) const ANALYZER: u32 = 1;

/// Words longer than this, in bytes, are none.
const MAX_WORD_BYTES: usize = 40;

/// Makes words of text: letters and digits in lower case, without stop words, as their stems.
#[derive(Clone)]
pub(crate) struct Analyzer(TextAnalyzer);

impl std::fmt::Debug for Analyzer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Analyzer")
    }
}

impl Default for Analyzer {
    fn default() -> Self {
        let words = TextAnalyzer::builder(SimpleTokenizer::default())
            .filter(RemoveLongFilter::limit(MAX_WORD_BYTES))
            .filter(LowerCaser);
        let stop_words = StopWordFilter::new(Language::English)
            .unwrap_or_else(|| StopWordFilter::remove(Vec::new()));
        let stems = words
            .filter(stop_words)
            .filter(Stemmer::new(Language::English));
        Analyzer(stems.build())
    }
}

impl Analyzer {
    /// The words of a post or a section: of its title, its body and its tags, in order.
    pub(crate) fn words_of(&mut self, text: &Text) -> Vec<Token> {
        let mut all = Vec::new();
        for part in text.parts() {
            match part {
                TextPart::Words(words) => all.extend(self.words(words)),
                // A formula stands between words.
                TextPart::Formula(_) | TextPart::Row(_) | TextPart::Break => {}
            }
        }
        for tag in &text.tags {
            all.extend(self.words(tag));
        }
        all
    }

    /// The words of a text, in order, each with where it stands in the text.
    pub(crate) fn words(&mut self, text: &str) -> Vec<Token> {
        let mut stream = self.0.token_stream(text);
        let mut words = Vec::new();
        while let Some(token) = stream.next() {
            words.push(token.clone());
        }
        words
    }
}

/// The schema of the index of words, and its one field.
pub(super) fn schema() -> (Schema, Field) {
    let mut schema = Schema::builder();
    let indexing = TextFieldIndexing::default()
        .set_tokenizer("raw")
        .set_fieldnorms(false)
        .set_index_option(IndexRecordOption::WithFreqsAndPositions);
    let options = TextOptions::default().set_indexing_options(indexing);
    let field = schema.add_text_field("words", options);
    (schema.build(), field)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_stems_without_stop_words() {
        let words = Analyzer::default().words("The Series of the harmonic numbers is diverging");
        let stems: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
        assert_eq!(stems, ["seri", "harmon", "number", "diverg"]);
        assert_eq!((words[0].offset_from, words[0].offset_to), (4, 10));
    }
}
