//! Which way each target is reached.

use std::sync::Arc;

use futures::future::BoxFuture;

use super::ssh::{Client, Resolver, default_resolver};
use super::{Collected, Contact, Options, Script, Watch, local};
use crate::inventory::{Connection, Target};

/// The real transport: SSH, or this machine itself for `connection: local`.
pub struct Dispatcher {
    ssh: Arc<Client>,
    options: Options,
    script: Script,
}

impl Dispatcher {
    /// A transport for one sweep. `script` renders the probe script for a connection's marker.
    pub fn new(options: Options, script: Script) -> Self {
        let resolver = default_resolver(&options.ssh_config);
        Self::with_resolver(options, script, resolver)
    }

    /// The same with another way of reading ssh_config.
    pub fn with_resolver(options: Options, script: Script, resolver: Arc<dyn Resolver>) -> Self {
        Self { ssh: Arc::new(Client::new(options.clone(), resolver)), options, script }
    }
}

impl Contact for Dispatcher {
    fn collect<'a>(&'a self, target: &'a Target, watch: &'a Watch) -> BoxFuture<'a, Collected> {
        match target.connection {
            Connection::Ssh => Box::pin(self.ssh.collect(target, &self.script, watch)),
            Connection::Local => Box::pin(local::collect(target, &self.options, &self.script, watch)),
        }
    }
}

impl Drop for Dispatcher {
    fn drop(&mut self) {
        self.ssh.stop.cancel();
    }
}
