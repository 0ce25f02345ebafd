//! Asking: from a question in words and formulas to the texts that may answer it.
//!
//! The ranking follows Yin Ki Ng, *Dowsing for Math Answers with Tangent-L* (Waterloo, 2021),
//! chapter 3. The formulas most like each formula of the question are found first; then each
//! formula of the collection is one more word of the texts that hold it, and texts are ranked by
//! words and formulas together:
//!
//! ```text
//! score(d)    = (1 - alpha) words(d) + alpha formulas(d)
//! words(d)    = sum of n(w) idf(w) tf(w, d)                        over words w of the question
//! formulas(d) = sum of the greatest N(f, q) idf(f) tf(f, d)        over formulas q of the question,
//!                                                                  of the kappa formulas f most like q
//! tf(t, d)    = (k + 1) c / (k (1 - b + b |d| / avg) + c) + delta   where c times t stands in d
//! idf(t)      = ln((D + 1) / df(t))
//! ```
//!
//! N is the likeness of two formulas as a share of the likeness that the question's formula has
//! with itself. An answer is found by the words and formulas of its question, too.
//!
//! ```
//! use phocus::ask::{AskRequest, Question};
//! use phocus::corpus::{InputOptions, Inputs};
//! use phocus::index::IndexBuilder;
//! use phocus::phoc::PhocConfig;
//! use phocus::search::Searcher;
//!
//! let folder = tempfile::tempdir()?;
//! let notes = folder.path().join("notes.md");
//! std::fs::write(&notes, "# Series\nThe series $\\sum 1/n$ diverges.\n# Heat\nIt flows: $u_t$.")?;
//! let options = InputOptions { texts: true, ..InputOptions::default() };
//! let mut builder = IndexBuilder::new(PhocConfig::default());
//! builder.add_all(Inputs::new(&[notes], options)?)?;
//! let searcher = Searcher::new(builder.finish_in_memory()?);
//!
//! let question = Question::read("why does $\\sum \\frac1n$ diverge?");
//! let response = searcher.ask(&AskRequest::new(question))?;
//! assert_eq!(response.hits[0].title, "Series");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod passage;
mod question;
mod rank;
mod reading;
mod reference;
mod request;
mod response;
mod score;

pub use question::{Keywords, Question, QuestionOptions, QuestionTopic, read_questions};
pub use reading::is_question;
pub use request::AskRequest;
pub use response::{AskResponse, AskTimes, AskedFormula, AskedWord, PassagePart, TextHit};
