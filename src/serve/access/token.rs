//! A token that requests must carry.

use std::fmt;
use std::hint::black_box;
use std::str::FromStr;

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::super::error::ApiError;

/// The shortest token: what is shorter can be guessed by trying.
const SHORTEST: usize = 16;

/// A secret that requests carry as `Authorization: Bearer TOKEN`. It is never logged or shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl FromStr for Token {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if text.len() < SHORTEST || !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(format!(
                "a token is {SHORTEST} or more letters, digits and signs without spaces; `openssl \
                 rand -hex 32` makes one"
            ));
        }
        Ok(Token(text.to_owned()))
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token")
    }
}

impl Token {
    /// Checks that a request carries it.
    ///
    /// # Errors
    /// The answer to those that do not.
    pub(super) fn check(&self, headers: &HeaderMap) -> Result<(), Box<Response>> {
        let told = headers
            .get(header::AUTHORIZATION)
            .map(HeaderValue::as_bytes);
        let carried = told.and_then(|told| match told.split_at_checked(7) {
            Some((scheme, token)) if scheme.eq_ignore_ascii_case(b"bearer ") => Some(token),
            _ => None,
        });
        if carried.is_some_and(|carried| self.is(carried.trim_ascii())) {
            return Ok(());
        }
        let (message, challenge) = match carried {
            Some(_) => (
                "this is not the server's token",
                r#"Bearer realm="phocus", error="invalid_token""#,
            ),
            None => (
                "this server answers only with its token, in the header Authorization: Bearer TOKEN",
                r#"Bearer realm="phocus""#,
            ),
        };
        let error = ApiError::new(StatusCode::UNAUTHORIZED, message);
        let challenge = [(header::WWW_AUTHENTICATE, challenge)];
        Err(Box::new((challenge, error).into_response()))
    }

    /// Compares in a time that depends on the lengths alone, so that a token cannot be found out
    /// letter by letter.
    fn is(&self, carried: &[u8]) -> bool {
        let own = self.0.as_bytes();
        let mut differ = own.len() ^ carried.len();
        for (at, byte) in carried.iter().enumerate() {
            differ |= usize::from(byte ^ own[at % own.len()]);
        }
        black_box(differ) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWN: &str = "0123456789abcdef";

    #[test]
    fn only_the_token_itself_passes() {
        let token: Token = format!("{OWN}\n").parse().unwrap();
        let passes = |told: &str| {
            let value = HeaderValue::from_str(told).unwrap();
            let headers = HeaderMap::from_iter([(header::AUTHORIZATION, value)]);
            token.check(&headers).is_ok()
        };
        assert!(passes(&format!("Bearer {OWN}")) && passes(&format!("bearer  {OWN}")));
        let twice = format!("Bearer {OWN}{OWN}");
        for told in [
            "",
            "Bearer",
            "Bearer ",
            OWN,
            "Basic 0123456789abcdef",
            &twice,
        ] {
            assert!(!passes(told), "{told}");
        }
        for at in 0..OWN.len() {
            let mut wrong = OWN.as_bytes().to_vec();
            wrong[at] ^= 1;
            assert!(!passes(&format!(
                "Bearer {}",
                String::from_utf8(wrong).unwrap()
            )));
            assert!(!passes(&format!("Bearer {}", &OWN[..at])));
        }
        assert!(token.check(&HeaderMap::new()).is_err());
        assert_eq!(format!("{token:?}"), "Token");
    }

    #[test]
    fn short_and_strange_tokens_are_refused() {
        for text in ["", "  \n", "short", "0123456789 abcdef", "0123456789abcdé"] {
            assert!(text.parse::<Token>().is_err(), "{text}");
        }
    }
}
