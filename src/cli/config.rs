//! Which configuration: what `index` and `encode` share.

use crate::phoc::{Anchor, ConfigError, PhocConfig};

#[derive(Debug, clap::Args)]
pub(super) struct ConfigArgs {
    /// A configuration's name, a .toml file, or a notation such as xy7o4.
    #[arg(long, default_value = "best")]
    config: String,
    /// What stands for a symbol [default: the configuration's].
    #[arg(long, value_enum, value_name = "WHAT")]
    repr: Option<Anchor>,
}

impl ConfigArgs {
    pub(super) fn config(&self) -> Result<PhocConfig, ConfigError> {
        let mut config: PhocConfig = self.config.parse()?;
        if let Some(repr) = self.repr {
            config.anchor = repr;
        }
        Ok(config)
    }
}
