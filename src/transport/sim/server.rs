//! One simulated host: its listener and its SSH server.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use russh::keys::{PrivateKey, PublicKey};
use russh::server::{
    Auth, ChannelOpenHandle, Config, Handle, Handler, Msg, PublicKeyOffer, Session, VerifiedPublicKey,
};
use russh::{Channel, ChannelId};
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;

use super::answer::{announced, with_marker};
use super::{Behaviour, Host, Sudo};
use crate::transport::ssh::HostStream;

/// A script longer than this is none.
const SCRIPT_CAP: usize = 1 << 20;

pub(super) struct Server {
    host: Arc<Host>,
    config: Arc<Config>,
    client_key: PublicKey,
    stop: CancellationToken,
}

impl Server {
    pub fn new(host: Host, own_key: PrivateKey, client_key: PublicKey, stop: CancellationToken) -> Self {
        let config = Config {
            keys: vec![own_key],
            auth_rejection_time: Duration::from_millis(5),
            nodelay: true,
            ..Config::default()
        };
        Self { host: Arc::new(host), config: Arc::new(config), client_key, stop }
    }

    pub async fn run(self, listener: TcpListener) {
        let server = Arc::new(self);
        let stop = server.stop.clone();
        while let Some(Ok((stream, _))) = stop.run_until_cancelled(listener.accept()).await {
            tokio::spawn(Arc::clone(&server).connection(stream));
        }
    }

    async fn connection(self: Arc<Self>, mut stream: TcpStream) {
        match self.host.behaviour {
            Behaviour::DropConnection => return,
            Behaviour::Tarpit => return self.stop.cancelled().await,
            Behaviour::StallKex => {
                _ = stream.write_all(b"SSH-2.0-simulated\r\n").await;
                return self.stop.cancelled().await;
            }
            _ => {}
        }
        let (stream, guard) = HostStream::tcp(stream);
        let connection = Connection {
            host: Arc::clone(&self.host),
            client_key: self.client_key.clone(),
            scripts: HashMap::new(),
            commands: HashMap::new(),
            stop: self.stop.clone(),
        };
        let session = async {
            if let Ok(session) = russh::server::run_stream(Arc::clone(&self.config), stream, connection).await {
                _ = session.await;
            }
        };
        _ = self.stop.run_until_cancelled(session).await;
        drop(guard);
    }
}

struct Connection {
    host: Arc<Host>,
    client_key: PublicKey,
    scripts: HashMap<ChannelId, Vec<u8>>,
    commands: HashMap<ChannelId, String>,
    stop: CancellationToken,
}

impl Connection {
    fn knows(&self, key: &PublicKey) -> bool {
        !matches!(self.host.behaviour, Behaviour::RefusesKeys) && key.key_data() == self.client_key.key_data()
    }
}

impl Handler for Connection {
    type Error = russh::Error;

    async fn auth_publickey_offered(&mut self, _: &str, offer: PublicKeyOffer<'_>) -> Result<Auth, russh::Error> {
        if matches!(self.host.behaviour, Behaviour::StallAuth) {
            self.stop.cancelled().await;
        }
        Ok(if self.knows(offer.public_key) { Auth::Accept } else { Auth::reject() })
    }

    async fn auth_publickey(&mut self, _: &str, key: VerifiedPublicKey<'_>) -> Result<Auth, russh::Error> {
        Ok(if self.knows(key.public_key) { Auth::Accept } else { Auth::reject() })
    }

    async fn channel_open_session(
        &mut self,
        _: Channel<Msg>,
        reply: ChannelOpenHandle,
        _: &mut Session,
    ) -> Result<(), russh::Error> {
        reply.accept().await;
        Ok(())
    }

    async fn exec_request(&mut self, id: ChannelId, command: &[u8], session: &mut Session) -> Result<(), russh::Error> {
        self.commands.insert(id, String::from_utf8_lossy(command).into_owned());
        session.channel_success(id)
    }

    async fn data(&mut self, id: ChannelId, data: &[u8], _: &mut Session) -> Result<(), russh::Error> {
        let script = self.scripts.entry(id).or_default();
        if script.len() < SCRIPT_CAP {
            script.extend_from_slice(data);
        }
        Ok(())
    }

    async fn channel_eof(&mut self, id: ChannelId, session: &mut Session) -> Result<(), russh::Error> {
        let Some(command) = self.commands.remove(&id) else { return Ok(()) };
        let script = self.scripts.remove(&id).unwrap_or_default();
        let marker = announced(&script).unwrap_or_default();
        let (host, handle, stop) = (Arc::clone(&self.host), session.handle(), self.stop.clone());
        tokio::spawn(async move {
            let reply = reply(&host, &command, &marker, id, &handle);
            _ = stop.run_until_cancelled(reply).await;
        });
        Ok(())
    }
}

/// Answers one script. A send that fails means that the client is gone, which is its right.
async fn reply(host: &Host, command: &str, marker: &str, id: ChannelId, handle: &Handle) -> Result<(), ()> {
    let refusal = match host.sudo {
        Sudo::Allowed => None,
        Sudo::Password => Some("sudo: a password is required\n"),
        Sudo::Denied => Some("Sorry, user gpusweep is not allowed to execute '/bin/sh -s' as root.\n"),
    };
    if let Some(words) = refusal.filter(|_| command.contains("sudo ")) {
        handle.extended_data(id, 1, words.as_bytes().to_vec()).await.map_err(|_| ())?;
        return exit(id, handle, 1).await;
    }
    let send = async |bytes: Vec<u8>| handle.data(id, bytes).await.map_err(|_| ());
    let cut = |bytes: usize, transcript: &[u8]| {
        let mut answer = with_marker(transcript, marker);
        answer.truncate(bytes);
        answer
    };
    match &host.behaviour {
        Behaviour::Answer(transcript) => {
            send(with_marker(transcript, marker)).await?;
            exit(id, handle, 0).await
        }
        Behaviour::Slow(delay, transcript) => {
            tokio::time::sleep(*delay).await;
            send(with_marker(transcript, marker)).await?;
            exit(id, handle, 0).await
        }
        Behaviour::StallOutput(bytes, transcript) => send(cut(*bytes, transcript)).await,
        Behaviour::DropOutput(bytes, transcript) => {
            send(cut(*bytes, transcript)).await?;
            let goodbye = "the machine is going down".to_owned();
            handle.disconnect(russh::Disconnect::ByApplication, goodbye, String::new()).await.map_err(|_| ())
        }
        Behaviour::NoExitStatus(bytes, transcript) => {
            send(cut(*bytes, transcript)).await?;
            handle.eof(id).await?;
            handle.close(id).await
        }
        Behaviour::Endless => {
            send(format!("{} {marker}\n", crate::transcript::HEADER).into_bytes()).await?;
            loop {
                send(vec![b'x'; 16 << 10]).await?;
                tokio::time::sleep(Duration::from_micros(500)).await;
            }
        }
        Behaviour::NoShell(words) => {
            send(format!("{words}\n").into_bytes()).await?;
            exit(id, handle, 1).await
        }
        _ => Ok(()),
    }
}

async fn exit(id: ChannelId, handle: &Handle, status: u32) -> Result<(), ()> {
    handle.exit_status_request(id, status).await?;
    handle.eof(id).await?;
    handle.close(id).await
}
