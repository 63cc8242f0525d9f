//! One SSH session: banner, key exchange, and the handle that everything after needs.

use std::sync::Arc;
use std::time::Duration;

use russh::client::{self, Config, Handle};
use tokio::sync::OwnedSemaphorePermit;

use super::dial::seconds;
use super::handler::{Handler, Said, SessionError};
use super::host_key::Trust;
use super::stream::{Guard, HostStream, View};
use super::trouble::Trouble;
use super::{Resolved, algorithms};
use crate::reading::Reason;
use crate::transport::text::one_line_bytes;

/// A session past its key exchange. Dropping it ends the session's task and closes its socket.
pub(crate) struct Live {
    pub handle: Handle<Handler>,
    pub said: Arc<Said>,
    /// Places taken on a bastion, given back with the session.
    pub places: Vec<OwnedSemaphorePermit>,
    guard: Guard,
}

impl Live {
    /// True once the session's task has ended.
    pub fn is_closed(&self) -> bool {
        self.handle.is_closed()
    }

    /// Says goodbye and waits a moment for the words to leave.
    pub async fn close(self) {
        let Self { handle, guard, .. } = self;
        _ = handle.disconnect(russh::Disconnect::ByApplication, "", "").await;
        _ = tokio::time::timeout(Duration::from_millis(200), handle).await;
        drop(guard);
    }
}

/// Exchanges banners and keys within `limit`.
pub(crate) async fn handshake(
    (stream, guard): (HostStream, Guard),
    to: &str,
    resolved: &Resolved,
    trust: Trust,
    limit: Duration,
) -> Result<Live, Trouble> {
    let preferred = algorithms::preferred(&resolved.algorithms, &trust.recorded(), trust.has_authority())?;
    let config = Config {
        client_id: russh::SshId::Standard(concat!("SSH-2.0-gpusweep_", env!("CARGO_PKG_VERSION")).into()),
        preferred,
        nodelay: true,
        window_size: 1 << 20,
        channel_buffer_size: 32,
        keepalive_interval: Some(Duration::from_secs(15)),
        ..Config::default()
    };
    let said = Arc::new(Said::default());
    let handler = Handler { trust, said: Arc::clone(&said) };
    let view = guard.view();
    match tokio::time::timeout(limit, client::connect_stream(Arc::new(config), stream, handler)).await {
        Ok(Ok(handle)) => Ok(Live { handle, said, places: Vec::new(), guard }),
        Ok(Err(error)) => Err(failed(error, to, &view, &said)),
        Err(_) => Err(late(to, &view, limit)),
    }
}

fn late(to: &str, view: &View, limit: Duration) -> Trouble {
    let limit = seconds(limit);
    if view.banner_seen() {
        return Trouble::new(Reason::Kex, format!("{to} did not finish the key exchange within {limit}"));
    }
    let said = one_line_bytes(&view.opening());
    let said = if said.is_empty() { "nothing".to_owned() } else { format!("only: {said}") };
    Trouble::new(
        Reason::BannerTimeout,
        format!("{to} accepted the connection, but sent no SSH banner within {limit}; it sent {said}"),
    )
}

fn failed(error: SessionError, to: &str, view: &View, said: &Said) -> Trouble {
    let error = match error {
        SessionError::HostKey(unread) => return unread.into(),
        SessionError::Ssh(error) => error,
    };
    let opening = one_line_bytes(&view.opening());
    if !view.banner_seen() {
        let foreign = matches!(error, russh::Error::Version);
        if foreign || looks_foreign(&opening) {
            return Trouble::new(Reason::Kex, format!("{to} is no SSH server; it sent: {opening}"));
        }
        let words = if opening.is_empty() { String::new() } else { format!("; it sent: {opening}") };
        let why = "sshd there is saturated (MaxStartups) or bans this source for a while";
        return Trouble::new(
            Reason::BastionSaturated,
            format!("{to} dropped the connection before its banner: {why}{words}"),
        );
    }
    let suffix = said.suffix();
    match error {
        russh::Error::NoCommonAlgo { kind, ours, theirs } => {
            let theirs = crate::transport::one_line(&theirs.join(","));
            let detail =
                format!("no common {kind:?} algorithm with {to}: it offers {theirs}; we offer {}", ours.join(","));
            Trouble::new(Reason::Kex, detail)
        }
        russh::Error::WrongServerSig => {
            Trouble::new(Reason::Kex, format!("{to} signed the key exchange with another key than it showed"))
        }
        russh::Error::Disconnect | russh::Error::HUP | russh::Error::IO(_) => {
            let detail = format!("{to} closed the connection during the key exchange{suffix}");
            Trouble::new(Reason::Disconnected, detail)
        }
        other => Trouble::new(Reason::Kex, format!("key exchange with {to} failed: {other}{suffix}")),
    }
}

/// Whether the first words are another protocol's rather than an SSH server's excuse.
fn looks_foreign(opening: &str) -> bool {
    ["HTTP/", "220 ", "<", "* OK"].iter().any(|start| opening.starts_with(start))
}
