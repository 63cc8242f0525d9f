//! Public-key authentication: a few identities, each once.

use std::sync::Arc;
use std::time::Duration;

use russh::client::AuthResult;
use russh::keys::agent::AgentIdentity;
use russh::keys::signature::Signer as _;
use russh::keys::ssh_key::private::KeypairData;
use russh::keys::{Certificate, HashAlg, PrivateKey, PrivateKeyWithHashAlg, PublicKey};
use russh::{MethodKind, SendError};

use super::agent;
use super::dial::seconds;
use super::host_key::fingerprint;
use super::identity::{Candidate, Identities, Wallet};
use super::session::Live;
use crate::reading::{Reason, Unread};

/// Identities offered to one host: servers count failures, and some ban for them.
const ATTEMPTS: usize = 3;

/// What came of one identity.
enum Tried {
    Accepted,
    /// Refused; whether another key may be offered, and what the server would take.
    Refused {
        go_on: bool,
        methods: String,
        partial: bool,
    },
    /// Not offered at all, and why.
    Skipped(String),
}

/// Offers the wallet's identities until one is accepted, within `limit`.
pub(crate) async fn authenticate(
    live: &mut Live,
    to: &str,
    user: &str,
    wallet: &Wallet,
    identities: &Identities,
    limit: Duration,
) -> Result<(), Unread> {
    let said = Arc::clone(&live.said);
    match tokio::time::timeout(limit, offer(live, to, user, wallet, identities)).await {
        Ok(result) => result,
        Err(_) => {
            let detail = format!(
                "{to} did not answer the authentication of `{user}` within {}{}",
                seconds(limit),
                said.suffix()
            );
            Err(Unread::new(Reason::Deadline, detail))
        }
    }
}

async fn offer(live: &mut Live, to: &str, user: &str, wallet: &Wallet, identities: &Identities) -> Result<(), Unread> {
    let mut refused = Vec::new();
    let mut skipped = wallet.problems.clone();
    let mut methods = String::new();
    let mut left = wallet.candidates.len();
    for candidate in &wallet.candidates {
        if refused.len() >= ATTEMPTS {
            break;
        }
        left -= 1;
        let shown = show(candidate);
        match one(live, user, candidate, identities).await {
            Ok(Tried::Accepted) => return Ok(()),
            Ok(Tried::Skipped(why)) => skipped.push(why),
            Ok(Tried::Refused { go_on, methods: takes, partial }) => {
                methods = takes;
                refused.push(if partial { format!("{shown} (accepted, but not enough alone)") } else { shown });
                if !go_on {
                    break;
                }
            }
            Err(error) => {
                let detail =
                    format!("{to} closed the connection during authentication ({error}){}", live.said.suffix());
                return Err(Unread::new(Reason::Disconnected, detail));
            }
        }
    }
    Err(verdict(to, user, &refused, &skipped, &methods, left, &live.said.suffix()))
}

/// The failure of a host that has nothing to be offered.
pub(crate) fn no_key(user: &str, to: &str, wallet: &Wallet) -> Unread {
    verdict(to, user, &[], &wallet.problems, "", 0, "")
}

fn verdict(
    to: &str,
    user: &str,
    refused: &[String],
    skipped: &[String],
    takes: &str,
    left: usize,
    said: &str,
) -> Unread {
    let also = if skipped.is_empty() { String::new() } else { format!("; not usable: {}", skipped.join("; ")) };
    if refused.is_empty() {
        let what = if skipped.is_empty() {
            "no key file and no agent; name a key with `--key` or start an agent".to_owned()
        } else {
            skipped.join("; ")
        };
        return Unread::new(Reason::Identity, format!("no usable key for {user}@{to}: {what}"));
    }
    let takes = if takes.is_empty() { String::new() } else { format!("; it takes {takes}") };
    let left =
        if left > 0 { format!("; {left} more not tried, name the right one with `--key`") } else { String::new() };
    let detail = format!("{to} refused `{user}` with {}{takes}{left}{also}{said}", refused.join(", "));
    Unread::new(Reason::AuthRefused, detail)
}

async fn one(
    live: &mut Live,
    user: &str,
    candidate: &Candidate,
    identities: &Identities,
) -> Result<Tried, russh::Error> {
    let result = match candidate {
        Candidate::Memory(key) => plain(live, user, Arc::clone(key)).await?,
        Candidate::File(key, certificate) => {
            let secret = match identities.ring.secret(key).await {
                Ok(secret) => secret,
                Err(why) => return Ok(Tried::Skipped(why)),
            };
            match certificate {
                None => plain(live, user, secret).await?,
                Some(certificate) => certified(live, user, secret, certificate).await?,
            }
        }
        Candidate::Agent(socket, identity) => match by_agent(live, user, socket, identity).await? {
            Ok(result) => Some(result),
            Err(why) => return Ok(Tried::Skipped(why)),
        },
    };
    let Some(result) = result else {
        let why = format!("{} (the server takes only SHA-1 signatures for RSA)", show(candidate));
        return Ok(Tried::Skipped(why));
    };
    match result {
        AuthResult::Success => Ok(Tried::Accepted),
        AuthResult::Failure { remaining_methods, partial_success } => {
            if remaining_methods.is_empty() && live.is_closed() && live.said.words().goodbye.is_empty() {
                return Err(russh::Error::Disconnect);
            }
            let methods: Vec<&str> = remaining_methods.iter().map(<&str>::from).collect();
            let go_on = remaining_methods.contains(&MethodKind::PublicKey) && !live.is_closed();
            Ok(Tried::Refused { go_on, methods: methods.join(","), partial: partial_success })
        }
    }
}

/// The hash for RSA signatures: never SHA-1. `None` when the server takes nothing else; `Some(None)` for other keys.
async fn rsa_hash(live: &Live, rsa: bool) -> Result<Option<Option<HashAlg>>, russh::Error> {
    if !rsa {
        return Ok(Some(None));
    }
    Ok(match live.handle.best_supported_rsa_hash().await? {
        Some(Some(hash)) => Some(Some(hash)),
        Some(None) => None,
        None => Some(Some(HashAlg::Sha512)),
    })
}

async fn plain(live: &mut Live, user: &str, key: Arc<PrivateKey>) -> Result<Option<AuthResult>, russh::Error> {
    let Some(hash) = rsa_hash(live, key.algorithm().is_rsa()).await? else { return Ok(None) };
    live.handle.authenticate_publickey(user, PrivateKeyWithHashAlg::new(key, hash)).await.map(Some)
}

async fn certified(
    live: &mut Live,
    user: &str,
    key: Arc<PrivateKey>,
    certificate: &Certificate,
) -> Result<Option<AuthResult>, russh::Error> {
    let Some(hash) = rsa_hash(live, key.algorithm().is_rsa()).await? else { return Ok(None) };
    let mut signer = FileSigner(key);
    let result = live.handle.authenticate_certificate_with(user, certificate.clone(), hash, &mut signer).await;
    result.map(Some).map_err(|SignError(error)| error)
}

async fn by_agent(
    live: &mut Live,
    user: &str,
    socket: &std::path::Path,
    identity: &AgentIdentity,
) -> Result<Result<AuthResult, String>, russh::Error> {
    let mut agent = match agent::connect(socket).await {
        Ok(agent) => agent,
        Err(why) => return Ok(Err(format!("the agent at {} is gone: {why}", socket.display()))),
    };
    if let Some(binding) = live.handle.agent_session_binding() {
        // An agent that does not know session binding goes on without it.
        _ = agent.bind_session(binding, false).await;
    }
    let Some(hash) = rsa_hash(live, identity.public_key().algorithm().is_rsa()).await? else {
        return Ok(Err(format!(
            "{} (the server takes only SHA-1 signatures for RSA)",
            show_public(&identity.public_key())
        )));
    };
    let result = match identity {
        AgentIdentity::PublicKey { key, .. } => {
            live.handle.authenticate_publickey_with(user, key.clone(), hash, &mut agent).await
        }
        AgentIdentity::Certificate { certificate, .. } => {
            live.handle.authenticate_certificate_with(user, certificate.clone(), hash, &mut agent).await
        }
    };
    Ok(result.map_err(|error| format!("the agent did not sign with {}: {error}", show_public(&identity.public_key()))))
}

fn show(candidate: &Candidate) -> String {
    match candidate {
        Candidate::Memory(key) => fingerprint(key.public_key().key_data()),
        Candidate::File(key, certificate) => {
            let kind = if certificate.is_some() { "certificate of " } else { "" };
            match &key.public {
                Some(public) => format!("{kind}{} ({})", key.path.display(), fingerprint(public)),
                None => format!("{kind}{}", key.path.display()),
            }
        }
        Candidate::Agent(_, identity) => format!("agent key {}", show_public(&identity.public_key())),
    }
}

fn show_public(key: &PublicKey) -> String {
    fingerprint(key.key_data())
}

/// Signs with a key in memory. russh's own way of using a certificate file names SHA-1 for RSA.
struct FileSigner(Arc<PrivateKey>);

impl russh::Signer for FileSigner {
    type Error = SignError;

    async fn auth_sign(
        &mut self,
        _: &AgentIdentity,
        hash: Option<HashAlg>,
        to_sign: Vec<u8>,
    ) -> Result<Vec<u8>, SignError> {
        self.sign(hash, to_sign).map_err(SignError)
    }
}

impl FileSigner {
    fn sign(&self, hash: Option<HashAlg>, to_sign: Vec<u8>) -> Result<Vec<u8>, russh::Error> {
        let signature = match self.0.key_data() {
            KeypairData::Rsa(pair) => (pair, hash.or(Some(HashAlg::Sha512))).try_sign(&to_sign)?,
            _ => self.0.try_sign(&to_sign)?,
        };
        let name = signature.algorithm();
        let name = name.as_str().as_bytes();
        let mut blob = Vec::new();
        for part in [name, signature.as_bytes()] {
            string(&mut blob, part)?;
        }
        let mut out = to_sign;
        string(&mut out, &blob)?;
        Ok(out)
    }
}

/// Appends an SSH string: its length in four bytes, then itself.
fn string(out: &mut Vec<u8>, part: &[u8]) -> Result<(), russh::Error> {
    let length = u32::try_from(part.len()).map_err(|_| russh::Error::IndexOutOfBounds)?;
    out.extend_from_slice(&length.to_be_bytes());
    out.extend_from_slice(part);
    Ok(())
}

struct SignError(russh::Error);

impl From<SendError> for SignError {
    fn from(_: SendError) -> Self {
        Self(russh::Error::SendError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_names_user_keys_and_what_was_left_out() {
        let refused = ["k1 (ssh-ed25519 SHA256:x)".to_owned()];
        let skipped = ["k2 is encrypted".to_owned()];
        let why = verdict("gpu-1:22", "ann", &refused, &skipped, "publickey", 2, "; the server says: no");
        assert_eq!(why.reason, Reason::AuthRefused);
        assert_eq!(
            why.detail,
            "gpu-1:22 refused `ann` with k1 (ssh-ed25519 SHA256:x); it takes publickey; \
             2 more not tried, name the right one with `--key`; not usable: k2 is encrypted; the server says: no"
        );
    }

    #[test]
    fn without_a_usable_key_the_reason_is_on_our_side() {
        let none = verdict("gpu-1:22", "ann", &[], &[], "", 0, "");
        assert_eq!(none.reason, Reason::Identity);
        assert!(none.detail.ends_with("no key file and no agent; name a key with `--key` or start an agent"));
        let locked = verdict("gpu-1:22", "ann", &[], &["k is encrypted".to_owned()], "", 0, "");
        assert_eq!(locked.detail, "no usable key for ann@gpu-1:22: k is encrypted");
    }
}
