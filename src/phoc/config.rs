//! Configurations: regions, anchors, token kinds, weights.

use std::fs;
use std::path::Path;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::kinds::{KindSettings, TokenKinds};
use super::{
    Anchor, AskSettings, FormulaMass, GroupingMode, Idf, NotationError, Regions, TokenKind,
};

/// The configurations that come with phocus, by name.
const SHIPPED: &[(&str, &str)] = &[
    ("best", include_str!("../../phoc-configs/best.toml")),
    ("xy5", include_str!("../../phoc-configs/xy5.toml")),
    ("xy5-idf", include_str!("../../phoc-configs/xy5-idf.toml")),
    ("xy7", include_str!("../../phoc-configs/xy7.toml")),
    ("xy10", include_str!("../../phoc-configs/xy10.toml")),
    ("x7y5", include_str!("../../phoc-configs/x7y5.toml")),
    ("xyo5", include_str!("../../phoc-configs/xyo5.toml")),
    ("x7yo5", include_str!("../../phoc-configs/x7yo5.toml")),
    ("xy7o4", include_str!("../../phoc-configs/xy7o4.toml")),
    (
        "xy7o4-idf",
        include_str!("../../phoc-configs/xy7o4-idf.toml"),
    ),
    ("xy7o5", include_str!("../../phoc-configs/xy7o5.toml")),
    ("xy7r4", include_str!("../../phoc-configs/xy7r4.toml")),
];

/// How formulas become words.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PhocConfig {
    /// What it is called.
    pub name: String,
    /// The regions.
    #[serde(serialize_with = "write_regions", deserialize_with = "read_regions")]
    pub regions: Regions,
    /// The part of a symbol's box that must touch a region.
    #[serde(default)]
    pub anchor: Anchor,
    /// The kinds of token, with their settings.
    #[serde(default = "symbols_only")]
    pub tokens: TokenKinds,
    /// The default of a search's IDF: whether rare tokens have more weight.
    #[serde(default)]
    pub idf: Idf,
    /// The weights of regions by level; one for levels after the end of the list.
    #[serde(default, skip_serializing_if = "is_default")]
    pub levels: Vec<f64>,
    /// The cap on the weight of a token's regions.
    #[serde(default, skip_serializing_if = "is_default")]
    pub cap: Option<u32>,
    /// Whether upright, slanted and bold forms of a letter are the same symbol.
    #[serde(default, skip_serializing_if = "is_default")]
    pub fold: bool,
    /// How the digits of a number are grouped.
    #[serde(default, skip_serializing_if = "is_default")]
    pub numbers: GroupingMode,
    /// How the letters of a name such as sin are grouped.
    #[serde(default, skip_serializing_if = "is_default")]
    pub names: GroupingMode,
    /// Whether punctuation (`. , ; : ?`) at the end of a formula is left out.
    #[serde(default, skip_serializing_if = "is_default")]
    pub strip: bool,
    /// The power of a formula's mass by which the sum of shared bits is divided.
    #[serde(default = "root", skip_serializing_if = "is_root")]
    pub norm_power: f64,
    /// The default of a search's re-ranking depth: how many of the first results are re-ranked.
    #[serde(default, skip_serializing_if = "is_default")]
    pub rerank: usize,
    /// How questions are answered.
    #[serde(default, skip_serializing_if = "is_default")]
    pub ask: AskSettings,
}

/// Why there is no such configuration.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// Neither a name, nor a file, nor a notation.
    #[error("{reason}\nnor is it one of the configurations {}, or a .toml file", names().join(", "))]
    Unknown {
        /// Why it is no notation.
        reason: NotationError,
    },
    /// The file cannot be read.
    #[error("cannot read configuration {path}")]
    Read {
        /// The file.
        path: String,
        /// Why.
        source: std::io::Error,
    },
    /// A value is out of bounds.
    #[error("{path} is not a configuration: {problem}")]
    Value {
        /// The file.
        path: String,
        /// The problem.
        problem: String,
    },
    /// The file is not a configuration.
    #[error("{path} is not a configuration")]
    Parse {
        /// The file.
        path: String,
        /// Why.
        source: Box<toml::de::Error>,
    },
}

/// The names of the configurations that come with phocus.
pub fn names() -> Vec<&'static str> {
    SHIPPED.iter().map(|(name, _)| *name).collect()
}

impl PhocConfig {
    /// The configuration in a TOML file.
    ///
    /// # Errors
    /// When the file cannot be read or is not a configuration.
    pub fn read(path: &Path) -> Result<Self, ConfigError> {
        let shown = path.display().to_string();
        let text = fs::read_to_string(path).map_err(|source| ConfigError::Read {
            path: shown.clone(),
            source,
        })?;
        Self::of_toml(&text, &shown)
    }

    fn of_toml(text: &str, path: &str) -> Result<Self, ConfigError> {
        let config: PhocConfig = toml::from_str(text).map_err(|source| ConfigError::Parse {
            path: path.to_owned(),
            source: Box::new(source),
        })?;
        let refuse = |problem: &str| ConfigError::Value {
            path: path.to_owned(),
            problem: problem.to_owned(),
        };
        if !(0.0..=0.9).contains(&config.norm_power) {
            return Err(refuse("`norm_power` is a power from 0 to 0.9"));
        }
        if !config
            .levels
            .iter()
            .all(|w| (1.0 / 16.0..=16.0).contains(w))
        {
            return Err(refuse("`levels` are weights from 1/16 to 16"));
        }
        if config.cap == Some(0) {
            return Err(refuse("`cap` is a number of regions, at least 1"));
        }
        config.tokens.check().map_err(|problem| refuse(&problem))?;
        config
            .ask
            .check()
            .map_err(|problem| refuse(&format!("`ask`: {problem}")))?;
        Ok(config)
    }

    /// The norm of a formula with this mass. An index orders its formulas by their norms.
    ///
    /// A score is sum / mass^norm_power. It is computed as sum / sqrt(norm), where the
    /// norm is mass^(2 norm_power), in steps of 1 / [`norm_unit`](Self::norm_unit).
    pub fn norm_of(&self, mass: FormulaMass) -> u32 {
        let norm = self.power(mass.bits()) * self.norm_unit();
        norm.round().max(1.0) as u32
    }

    /// The norm of a formula with this mass, or a norm at most one step below it.
    pub fn norm_below_mass(&self, bits: f64) -> u32 {
        (self.power(bits) * self.norm_unit()).max(1.0) as u32
    }

    /// The largest mass that a formula of this norm can have.
    pub fn max_mass_within(&self, norm: u32) -> f64 {
        let mass_power = (f64::from(norm) + 0.5) / self.norm_unit();
        if self.norm_power > 0.0 {
            mass_power.powf(0.5 / self.norm_power)
        } else {
            f64::INFINITY
        }
    }

    /// The number of steps of a norm that make one.
    pub fn norm_unit(&self) -> f64 {
        if is_root(&self.norm_power) { 1.0 } else { 64.0 }
    }

    fn power(&self, bits: f64) -> f64 {
        if is_root(&self.norm_power) {
            bits
        } else {
            bits.powf(2.0 * self.norm_power)
        }
    }
}

impl FromStr for PhocConfig {
    type Err = ConfigError;

    /// A configuration by its name, by a `.toml` file, or by bare notation.
    fn from_str(text: &str) -> Result<Self, ConfigError> {
        if let Some((name, toml)) = SHIPPED.iter().find(|(name, _)| *name == text) {
            return Self::of_toml(toml, name);
        }
        if text.ends_with(".toml") {
            return Self::read(Path::new(text));
        }
        let regions: Regions = text
            .parse()
            .map_err(|reason| ConfigError::Unknown { reason })?;
        Ok(PhocConfig {
            name: regions.to_string(),
            regions,
            ..PhocConfig::papers()
        })
    }
}

impl PhocConfig {
    /// xy7o4 with lines, symbols alone: the best of the papers' configurations
    /// that fits 64 bits. A bare notation is this configuration with other regions.
    pub fn papers() -> Self {
        use super::RegionFamily::{Ellipse, X, Y};
        PhocConfig {
            name: "xy7o4".to_owned(),
            regions: Regions::of([(X, 7), (Y, 7), (Ellipse, 4)]),
            anchor: Anchor::default(),
            tokens: symbols_only(),
            idf: Idf::Off,
            levels: Vec::new(),
            cap: None,
            fold: false,
            numbers: GroupingMode::Apart,
            names: GroupingMode::Apart,
            strip: false,
            norm_power: 0.5,
            rerank: 0,
            ask: AskSettings::default(),
        }
    }
}

impl Default for PhocConfig {
    /// `best`, which is also the default of the command line.
    fn default() -> Self {
        let settings = |repeats, weight, positional| KindSettings {
            weight,
            repeats,
            positional,
        };
        PhocConfig {
            name: "best".to_owned(),
            tokens: TokenKinds::of([
                (TokenKind::Symbol, settings(2, 1.0, true)),
                (TokenKind::VarPair, settings(3, 8.0, false)),
            ]),
            cap: Some(16),
            fold: true,
            strip: true,
            norm_power: 0.3,
            rerank: 300,
            ..PhocConfig::papers()
        }
    }
}

fn symbols_only() -> TokenKinds {
    TokenKinds::of([(TokenKind::Symbol, KindSettings::default())])
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

fn root() -> f64 {
    0.5
}

fn is_root(norm: &f64) -> bool {
    *norm == root()
}

fn write_regions<S: Serializer>(regions: &Regions, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(regions)
}

fn read_regions<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Regions, D::Error> {
    let notation = String::deserialize(deserializer)?;
    notation.parse().map_err(serde::de::Error::custom)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phoc::Weights;

    #[test]
    fn shipped_configurations_are_what_their_names_say() {
        for name in names().into_iter().filter(|name| *name != "best") {
            let config: PhocConfig = name.parse().unwrap();
            let notation = name.trim_end_matches("-idf");
            assert_eq!(config.name, name);
            assert_eq!(config.regions.to_string(), notation);
            assert_eq!(config.idf, name.ends_with("-idf").into());
            assert_eq!(config.anchor, Anchor::Line);
        }
        let named = |name: &str| name.parse::<PhocConfig>().unwrap();
        assert_eq!(named("xy7o4"), PhocConfig::papers());
        assert_eq!(named("best"), PhocConfig::default());
    }

    #[test]
    fn kinds_and_weights_are_read_written_and_checked() {
        let read = |tokens: &str| {
            let text = format!("name = 'n'\nregions = 'xy2'\n{tokens}");
            PhocConfig::of_toml(&text, "n.toml")
        };
        let config = read("tokens = { symbol = {}, pair = { weight = 2, repeats = 3 } }").unwrap();
        assert_eq!(config.tokens.weight(TokenKind::Pair), 2.0);
        assert_eq!(config.tokens.weight(TokenKind::Class), 0.0);
        assert_eq!(config.tokens.repeats(TokenKind::Pair), 3);
        let again: PhocConfig =
            serde_json::from_str(&serde_json::to_string(&config).unwrap()).unwrap();
        assert_eq!(again, config);
        for bad in [
            "tokens = []",
            "tokens = { symbol = { weight = 0 } }",
            "tokens = { symbol = { repeats = 9 } }",
            "norm_power = 1",
            "norm_power = nan",
            "idf = 'words'",
            "levels = [0]",
            "cap = 0",
            "tokens = ['sybmol']",
        ] {
            assert!(read(bad).is_err(), "{bad}");
        }
        let typo = read("tokens = { symbol = { wieght = 2 } }").unwrap_err();
        let told = std::error::Error::source(&typo).unwrap().to_string();
        assert!(told.contains("wieght") && told.contains("weight"), "{told}");
    }

    /// The masses of a norm include the mass from which it was computed.
    #[test]
    fn norms_and_bits_agree() {
        for norm in [0.1, 0.3, 0.5, 0.77] {
            let config = PhocConfig {
                norm_power: norm,
                ..PhocConfig::default()
            };
            for bits in 1..3000u32 {
                let mut own = FormulaMass::default();
                for _ in 0..bits {
                    Weights::new(&config).add(TokenKind::Symbol, 1, &mut own);
                }
                let stored = config.norm_of(own);
                assert!(
                    config.max_mass_within(stored) >= f64::from(bits),
                    "{norm} {bits}"
                );
                let before = config.norm_below_mass(f64::from(bits));
                assert!(before <= stored && stored <= before + 1, "{norm} {bits}");
            }
        }
    }

    #[test]
    fn the_folder_and_the_names_agree() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("phoc-configs");
        let mut files: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|file| {
                file.unwrap()
                    .path()
                    .file_stem()
                    .unwrap()
                    .display()
                    .to_string()
            })
            .collect();
        let mut shipped = names();
        files.sort();
        shipped.sort_unstable();
        assert_eq!(files, shipped);
    }

    #[test]
    fn bare_notation_and_nonsense() {
        let config: PhocConfig = "oxy4".parse().unwrap();
        assert_eq!(config.regions.to_string(), "oxy4");
        let error = "frobnicate".parse::<PhocConfig>().unwrap_err().to_string();
        assert!(error.contains("xy7o4-idf"), "{error}");
    }
}
