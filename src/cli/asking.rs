//! How questions are answered: arguments of `ask` and of `run --task 1`.

use std::path::PathBuf;

use anyhow::Context;
use clap::ValueEnum;

use crate::ask::{Keywords, QuestionOptions};
use crate::phoc::{AskSettings, Combine};

/// How texts are ranked, and what of a question is searched for.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Ranking of texts")]
pub(super) struct Asking {
    /// The share of formulas in the score: 0 ranks by words alone, 1 by formulas alone [default:
    /// what the index's configuration says, .9].
    #[arg(long, value_name = "SHARE")]
    alpha: Option<f64>,
    /// How many of the formulas most like a formula of the question count [default: what the
    /// index's configuration says, 400].
    #[arg(long, value_name = "N")]
    kappa: Option<usize>,
    /// How the formulas of a text that are like one formula of the question count together
    /// [default: what the index's configuration says, max].
    #[arg(long, value_name = "HOW")]
    combine: Option<CombineName>,
    /// Search only for the words in this file, where a question has any of them.
    #[arg(long, value_name = "FILE")]
    keywords: Option<PathBuf>,
    /// Search only for the title of a question, where it has one.
    #[arg(long)]
    title_only: bool,
    /// Leave out formulas of fewer characters, white space not counted, and single symbols; with 1
    /// none are, and none where a question has no others [default: 3].
    #[arg(long, value_name = "N")]
    min_characters: Option<usize>,
    /// Search only for so many formulas of a question, the longest.
    #[arg(long, value_name = "N")]
    max_formulas: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum CombineName {
    /// The one that counts most counts alone.
    Max,
    /// All are added up, as in Ng's thesis.
    Sum,
}

impl Asking {
    /// The settings, where they are not those of the index.
    pub(super) fn settings(&self, index: AskSettings) -> anyhow::Result<AskSettings> {
        let settings = AskSettings {
            alpha: self.alpha.unwrap_or(index.alpha),
            kappa: self.kappa.unwrap_or(index.kappa),
            combine: self.combine.map_or(index.combine, |combine| match combine {
                CombineName::Max => Combine::Max,
                CombineName::Sum => Combine::Sum,
            }),
            ..index
        };
        settings.check().map_err(anyhow::Error::msg)?;
        Ok(settings)
    }

    /// Whether any option differs from the default.
    pub(super) fn is_given(&self) -> bool {
        self.alpha.is_some()
            || self.kappa.is_some()
            || self.combine.is_some()
            || self.keywords.is_some()
            || self.title_only
            || self.min_characters.is_some()
            || self.max_formulas.is_some()
    }

    /// What of a question is searched for, where the question says what is usual.
    pub(super) fn options(&self, usual: &QuestionOptions) -> anyhow::Result<QuestionOptions> {
        let keywords = match &self.keywords {
            Some(path) => {
                let text = std::fs::read_to_string(path)
                    .with_context(|| format!("cannot read {}", path.display()))?;
                Some(Keywords::new(&text))
            }
            None => None,
        };
        Ok(QuestionOptions {
            keywords,
            title_only: self.title_only,
            min_characters: self.min_characters.unwrap_or(usual.min_characters),
            max_formulas: self.max_formulas,
        })
    }
}
