//! Configurations: regions, what stands for a symbol, token kinds, weights.

use std::fs;
use std::path::Path;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Kind, NotationError, Regions, Representation};

/// The configurations that come with phocus, by name.
const SHIPPED: &[(&str, &str)] = &[
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
    /// What stands for a symbol.
    #[serde(default)]
    pub represent: Representation,
    /// The kinds of token, without repetition.
    #[serde(default = "symbols_only")]
    pub tokens: Vec<Kind>,
    /// Whether rare tokens weigh more, unless a search says otherwise.
    #[serde(default)]
    pub idf: bool,
}

/// Why there is no such configuration.
#[derive(Debug, thiserror::Error)]
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
        let mut config: PhocConfig = toml::from_str(text).map_err(|source| ConfigError::Parse {
            path: path.to_owned(),
            source: Box::new(source),
        })?;
        config.tokens.sort_unstable();
        config.tokens.dedup();
        Ok(config)
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
            represent: Representation::default(),
            tokens: symbols_only(),
            idf: false,
        })
    }
}

impl Default for PhocConfig {
    /// xy7o4 with lines: the best of the papers' that fits 64 bits.
    fn default() -> Self {
        use super::Part::{Ellipse, X, Y};
        PhocConfig {
            name: "xy7o4".to_owned(),
            regions: Regions::of([(X, 7), (Y, 7), (Ellipse, 4)]),
            represent: Representation::default(),
            tokens: symbols_only(),
            idf: false,
        }
    }
}

fn symbols_only() -> Vec<Kind> {
    vec![Kind::Symbol]
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

    #[test]
    fn shipped_configurations_are_what_their_names_say() {
        for name in names() {
            let config: PhocConfig = name.parse().unwrap();
            let notation = name.trim_end_matches("-idf");
            assert_eq!(config.name, name);
            assert_eq!(config.regions.to_string(), notation);
            assert_eq!(config.idf, name.ends_with("-idf"));
            assert_eq!(config.represent, Representation::Line);
        }
        let default: PhocConfig = "xy7o4".parse().unwrap();
        assert_eq!(default, PhocConfig::default());
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
