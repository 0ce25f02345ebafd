//! phocus
pub mod layout;
