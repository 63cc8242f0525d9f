//! The SSH client: what OpenSSH would do for one host, as far as running one script needs it.

mod agent;
mod algorithms;
mod auth;
mod client;
pub mod config;
mod dial;
mod exec;
mod handler;
mod host_key;
mod identity;
mod jump;
mod keys;
pub mod known_hosts;
mod person;
mod proxy_command;
mod resolved;
mod session;
mod stream;
mod tokens;
mod trouble;

pub(crate) use client::Client;
pub use config::{Query, Resolver, default_resolver};
pub(crate) use dial::seconds;
pub use resolved::{AgentChoice, Algorithms, Proxy, Resolved};
pub(crate) use stream::HostStream;
