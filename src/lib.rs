//! phocus
pub mod layout;
pub mod phoc;
