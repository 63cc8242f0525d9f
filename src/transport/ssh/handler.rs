//! What russh calls back about one session.

use std::sync::{Arc, Mutex};
use std::time::{SystemTime, UNIX_EPOCH};

use russh::client::{DisconnectReason, Session};
use russh::keys::PublicKeyOrCertificate;

use super::host_key::Trust;
use crate::reading::Unread;
use crate::transport::one_line;

/// Why a session ended.
#[derive(Debug)]
pub(crate) enum SessionError {
    /// The protocol or the connection failed.
    Ssh(russh::Error),
    /// The host's key was not accepted.
    HostKey(Unread),
}

impl From<russh::Error> for SessionError {
    fn from(error: russh::Error) -> Self {
        Self::Ssh(error)
    }
}

/// What the server said in words.
#[derive(Default)]
pub(crate) struct Said {
    inner: Mutex<Words>,
}

#[derive(Default, Clone)]
pub(crate) struct Words {
    /// The banner before authentication.
    pub banner: String,
    /// The text of its disconnect message.
    pub goodbye: String,
    /// The error that ended the session after the key exchange.
    pub error: String,
}

impl Said {
    pub fn words(&self) -> Words {
        self.lock().clone()
    }

    /// The server's words for the end of a detail, or nothing.
    pub fn suffix(&self) -> String {
        let words = self.words();
        let mut out = String::new();
        for (what, text) in [("the server says", &words.goodbye), ("its banner says", &words.banner)] {
            if !text.is_empty() {
                out.push_str(&format!("; {what}: {text}"));
            }
        }
        out
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Words> {
        self.inner.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

/// The callbacks of one session.
pub(crate) struct Handler {
    pub trust: Trust,
    pub said: Arc<Said>,
}

impl russh::client::Handler for Handler {
    type Error = SessionError;

    async fn auth_banner(&mut self, banner: &str, _: &mut Session) -> Result<(), SessionError> {
        self.said.lock().banner = one_line(banner);
        Ok(())
    }

    async fn check_server_key(&mut self, shown: &PublicKeyOrCertificate) -> Result<bool, SessionError> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        self.trust.judge(shown, now).map_err(SessionError::HostKey)?;
        Ok(true)
    }

    async fn disconnected(&mut self, reason: DisconnectReason<SessionError>) -> Result<(), SessionError> {
        match reason {
            DisconnectReason::ReceivedDisconnect(info) => {
                self.said.lock().goodbye = one_line(&info.message);
                Ok(())
            }
            DisconnectReason::Error(error) => {
                if let SessionError::Ssh(error) = &error {
                    self.said.lock().error = one_line(&error.to_string());
                }
                Err(error)
            }
        }
    }
}
