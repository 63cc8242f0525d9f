//! The byte stream under a session: a socket, a bastion's channel or a child process, with a switch that ends it.
//!
//! russh runs each session in a task of its own, which goes on when the future that asked for it is dropped. The
//! [`Guard`] makes the next read or write of that task fail, so a timed-out session leaves neither task nor socket.

use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, ready};

use futures::task::AtomicWaker;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

/// Bytes kept of what comes before and with the banner.
const OPENING_CAP: usize = 2048;

/// Any two-way byte stream.
pub(crate) trait Duplex: AsyncRead + AsyncWrite + Send + Unpin {}
impl<T: AsyncRead + AsyncWrite + Send + Unpin> Duplex for T {}

enum Inner {
    Tcp(TcpStream),
    Other(Box<dyn Duplex>),
}

/// The stream itself; the session task owns it.
pub(crate) struct HostStream {
    inner: Inner,
    shared: Arc<Shared>,
}

/// Ends the stream when dropped.
pub(crate) struct Guard(Arc<Shared>);

/// What can be seen of the stream from outside.
#[derive(Clone)]
pub(crate) struct View(Arc<Shared>);

#[derive(Default)]
struct Shared {
    dead: AtomicBool,
    reader: AtomicWaker,
    writer: AtomicWaker,
    banner_seen: AtomicBool,
    opening: Mutex<Vec<u8>>,
}

impl HostStream {
    pub fn tcp(stream: TcpStream) -> (Self, Guard) {
        _ = stream.set_nodelay(true);
        Self::of(Inner::Tcp(stream))
    }

    pub fn other(stream: impl Duplex + 'static) -> (Self, Guard) {
        Self::of(Inner::Other(Box::new(stream)))
    }

    fn of(inner: Inner) -> (Self, Guard) {
        let shared = Arc::new(Shared::default());
        (Self { inner, shared: Arc::clone(&shared) }, Guard(shared))
    }
}

impl Guard {
    pub fn view(&self) -> View {
        View(Arc::clone(&self.0))
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.0.dead.store(true, Ordering::Release);
        self.0.reader.wake();
        self.0.writer.wake();
    }
}

impl View {
    /// True once a line that begins with `SSH-` has come.
    pub fn banner_seen(&self) -> bool {
        self.0.banner_seen.load(Ordering::Acquire)
    }

    /// The first bytes that came: the banner, or whatever a server says instead.
    pub fn opening(&self) -> Vec<u8> {
        self.0.lock().clone()
    }
}

impl Shared {
    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<u8>> {
        self.opening.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn check(&self) -> io::Result<()> {
        if self.dead.load(Ordering::Acquire) {
            return Err(io::Error::new(io::ErrorKind::ConnectionAborted, "given up"));
        }
        Ok(())
    }

    fn observe(&self, data: &[u8]) {
        if self.banner_seen.load(Ordering::Acquire) {
            return;
        }
        let mut opening = self.lock();
        let room = OPENING_CAP.saturating_sub(opening.len());
        opening.extend_from_slice(data.get(..room.min(data.len())).unwrap_or_default());
        let complete = opening.split_inclusive(|byte| *byte == b'\n').filter(|line| line.ends_with(b"\n"));
        if complete.into_iter().any(|line| line.starts_with(b"SSH-")) {
            self.banner_seen.store(true, Ordering::Release);
        }
    }
}

impl AsyncRead for HostStream {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        self.shared.reader.register(cx.waker());
        self.shared.check()?;
        let before = buf.filled().len();
        match &mut self.inner {
            Inner::Tcp(stream) => {
                ready!(Pin::new(&mut *stream).poll_read(cx, buf))?;
                quickack(stream);
            }
            Inner::Other(stream) => ready!(Pin::new(stream).poll_read(cx, buf))?,
        }
        self.shared.observe(buf.filled().get(before..).unwrap_or_default());
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for HostStream {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, data: &[u8]) -> Poll<io::Result<usize>> {
        self.shared.writer.register(cx.waker());
        self.shared.check()?;
        match &mut self.inner {
            Inner::Tcp(stream) => Pin::new(stream).poll_write(cx, data),
            Inner::Other(stream) => Pin::new(stream).poll_write(cx, data),
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.shared.writer.register(cx.waker());
        self.shared.check()?;
        match &mut self.inner {
            Inner::Tcp(stream) => Pin::new(stream).poll_flush(cx),
            Inner::Other(stream) => Pin::new(stream).poll_flush(cx),
        }
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.shared.writer.register(cx.waker());
        if self.shared.check().is_err() {
            return Poll::Ready(Ok(()));
        }
        match &mut self.inner {
            Inner::Tcp(stream) => Pin::new(stream).poll_shutdown(cx),
            Inner::Other(stream) => Pin::new(stream).poll_shutdown(cx),
        }
    }
}

/// Acknowledges at once. A server whose socket still has Nagle's algorithm on holds its next small packet back until
/// then, and the kernel forgets the setting after each exchange.
#[cfg(target_os = "linux")]
fn quickack(stream: &TcpStream) {
    _ = socket2::SockRef::from(stream).set_tcp_quickack(true);
}

#[cfg(not(target_os = "linux"))]
fn quickack(_: &TcpStream) {}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;

    #[tokio::test]
    async fn dropping_the_guard_ends_a_pending_read_and_every_later_write() {
        let (near, _far) = tokio::io::duplex(64);
        let (mut stream, guard) = HostStream::other(near);
        let reading = tokio::spawn(async move {
            let error = stream.read_u8().await.unwrap_err();
            (error.kind(), stream.write_all(b"x").await.unwrap_err().kind(), stream.shutdown().await.is_ok())
        });
        tokio::task::yield_now().await;
        drop(guard);
        let aborted = io::ErrorKind::ConnectionAborted;
        assert_eq!(reading.await.unwrap(), (aborted, aborted, true));
    }

    #[tokio::test]
    async fn the_opening_is_kept_until_the_banner() {
        let (near, mut far) = tokio::io::duplex(4096);
        let (mut stream, guard) = HostStream::other(near);
        let view = guard.view();
        far.write_all(b"Not allowed at this time\r\nSSH-2.").await.unwrap();
        stream.read_exact(&mut [0; 32]).await.unwrap();
        assert!(!view.banner_seen());
        far.write_all(b"0-x\r\n").await.unwrap();
        stream.read_exact(&mut [0; 5]).await.unwrap();
        assert!(view.banner_seen());
        assert_eq!(view.opening(), b"Not allowed at this time\r\nSSH-2.0-x\r\n");
    }
}
