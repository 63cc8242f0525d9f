//! ProxyCommand: a child process whose stdin and stdout are the connection.

use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::AsyncReadExt;
use tokio::process::Command;
use tokio_util::sync::CancellationToken;

use super::stream::{Guard, HostStream};
use super::trouble::Trouble;
use super::{Resolved, tokens};
use crate::reading::Reason;
use crate::transport::group::Group;

/// Bytes of the command's stderr that are kept.
const STDERR_CAP: u64 = 2048;

/// How long a command that failed is waited for, to hear why.
const LAST_WORDS: Duration = Duration::from_millis(300);

/// Starts the command as OpenSSH does. It is killed with its whole group when the stream is given up.
pub(crate) fn start(command: &str, resolved: &Resolved) -> Result<(HostStream, Guard, Stderr), Trouble> {
    let line = tokens::expand(command, resolved);
    let mut child = Command::new("/bin/sh")
        .arg("-c")
        .arg(format!("exec {line}"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .kill_on_drop(true)
        .spawn()
        .map_err(|error| Trouble::new(Reason::Bastion, format!("cannot start ProxyCommand `{line}`: {error}")))?;
    let (Some(input), Some(output), Some(errors)) = (child.stdin.take(), child.stdout.take(), child.stderr.take())
    else {
        return Err(Trouble::new(Reason::Bastion, "ProxyCommand has no pipes"));
    };
    let said = Stderr::default();
    let Stderr { kept: keep, closed } = said.clone();
    let closed = closed.drop_guard();
    tokio::spawn(async move {
        let mut errors = errors.take(STDERR_CAP);
        let mut buffer = [0; 512];
        while let Ok(count @ 1..) = errors.read(&mut buffer).await {
            let mut keep = keep.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            keep.extend_from_slice(buffer.get(..count).unwrap_or_default());
        }
        drop(closed);
        _ = tokio::io::copy(&mut errors.into_inner(), &mut tokio::io::sink()).await;
    });
    let (stream, guard) = HostStream::other(Pipes { inner: tokio::io::join(output, input), _group: Group(child) });
    Ok((stream, guard, said))
}

/// What the command wrote to its stderr so far.
#[derive(Clone, Default)]
pub(crate) struct Stderr {
    kept: Arc<Mutex<Vec<u8>>>,
    closed: CancellationToken,
}

impl Stderr {
    /// The words of a command that is about to end, or has ended.
    pub async fn last_words(&self) -> String {
        _ = tokio::time::timeout(LAST_WORDS, self.closed.cancelled()).await;
        let bytes = self.kept.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone();
        crate::transport::text::one_line_bytes(&bytes)
    }
}

struct Pipes {
    inner: tokio::io::Join<tokio::process::ChildStdout, tokio::process::ChildStdin>,
    _group: Group,
}

impl tokio::io::AsyncRead for Pipes {
    fn poll_read(
        mut self: std::pin::Pin<&mut Self>,
        cx: &mut std::task::Context<'_>,
        buf: &mut tokio::io::ReadBuf<'_>,
    ) -> std::task::Poll<std::io::Result<()>> {
        std::pin::Pin::new(&mut self.inner).poll_read(cx, buf)
    }
}

impl tokio::io::AsyncWrite for Pipes {
    fn poll_write(
        mut self: std::pin::Pin<&mut Self>,
        cx: &mut std::task::Context<'_>,
        data: &[u8],
    ) -> std::task::Poll<std::io::Result<usize>> {
        std::pin::Pin::new(&mut self.inner).poll_write(cx, data)
    }

    fn poll_flush(
        mut self: std::pin::Pin<&mut Self>,
        cx: &mut std::task::Context<'_>,
    ) -> std::task::Poll<std::io::Result<()>> {
        std::pin::Pin::new(&mut self.inner).poll_flush(cx)
    }

    fn poll_shutdown(
        mut self: std::pin::Pin<&mut Self>,
        cx: &mut std::task::Context<'_>,
    ) -> std::task::Poll<std::io::Result<()>> {
        std::pin::Pin::new(&mut self.inner).poll_shutdown(cx)
    }
}
