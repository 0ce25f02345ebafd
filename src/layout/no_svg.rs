//! The replacement of the SVG reader where phocus is built without the feature `svg`.

use super::{Layout, LayoutError};

/// Refuses every drawing.
///
/// # Errors
/// Always: the feature `svg` is off.
pub fn parse(_svg: &str) -> Result<Layout, LayoutError> {
    let reason = "phocus was built without the feature `svg`";
    Err(LayoutError::Svg(reason.to_owned()))
}
