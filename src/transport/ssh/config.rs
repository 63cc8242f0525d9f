//! From what a target says to everything the connection needs.
//!
//! ssh_config files are read here as far as their lines are surely understood. Where one is not, `ssh -G` is asked about
//! each host, and without an `ssh` the line is refused by name.

mod evaluate;
mod file;
mod value;

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex};

use futures::future::BoxFuture;
use tokio::process::Command;
use tokio::sync::{OnceCell, Semaphore};

use self::evaluate::No;
use self::file::{Line, Odd};
use super::{Resolved, person};
use crate::reading::{Reason, Unread};
use crate::transport::{ConfigSource, one_line};

/// What a target, the flags or a bastion's name say about a connection.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Query {
    /// The name or address.
    pub host: String,
    /// The port, if it was said.
    pub port: Option<u16>,
    /// The login user, if it was said.
    pub user: Option<String>,
    /// `-J`, if it was said.
    pub jump: Option<String>,
    /// `-o` pairs.
    pub options: Vec<(String, String)>,
    /// The file to read instead of the usual ones.
    pub config: Option<std::path::PathBuf>,
}

/// Resolves ssh_config for one host.
pub trait Resolver: Send + Sync {
    /// The settings, or why they cannot be had (`config-refused`).
    fn resolve<'a>(&'a self, query: &'a Query) -> BoxFuture<'a, Result<Arc<Resolved>, Unread>>;
}

/// The resolver for a source: no configuration at all needs no `ssh`; everything else asks it.
pub fn default_resolver(source: &ConfigSource) -> Arc<dyn Resolver> {
    Arc::new(Cached {
        source: source.clone(),
        baseline: OnceCell::new(),
        cache: Mutex::default(),
        files: Mutex::default(),
        turns: turns(),
    })
}

fn turns() -> Semaphore {
    Semaphore::new(std::thread::available_parallelism().map_or(2, std::num::NonZero::get))
}

type Answer = Result<Arc<Resolved>, Unread>;

type Files = Result<Vec<Vec<Line>>, Odd>;

/// Asks once per distinct query, a few at a time.
struct Cached {
    source: ConfigSource,
    /// What `ssh -G` prints without any configuration: whatever equals it was not configured.
    baseline: OnceCell<Result<HashMap<String, Vec<String>>, Unread>>,
    cache: Mutex<HashMap<Query, Arc<OnceCell<Answer>>>>,
    files: Mutex<HashMap<ConfigSource, Arc<Files>>>,
    turns: Semaphore,
}

impl Resolver for Cached {
    fn resolve<'a>(&'a self, query: &'a Query) -> BoxFuture<'a, Answer> {
        Box::pin(async move {
            let cell = {
                let mut cache = self.cache.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                Arc::clone(cache.entry(query.clone()).or_default())
            };
            cell.get_or_init(|| self.answer(query)).await.clone()
        })
    }
}

impl Cached {
    async fn answer(&self, query: &Query) -> Answer {
        for (what, word) in [("host", Some(&query.host)), ("user", query.user.as_ref())] {
            if let Some(word) = word
                && (word.is_empty()
                    || word.starts_with('-')
                    || word.contains(|c: char| c.is_whitespace() || c.is_control()))
            {
                let detail = format!("`{}` is no {what} name that can be connected to", one_line(word));
                return Err(Unread::new(Reason::ConfigRefused, detail));
            }
        }
        let source = query.config.clone().map_or_else(|| self.source.clone(), ConfigSource::File);
        if source == ConfigSource::None || (source == ConfigSource::Default && !any_file()) {
            return builtin(query).map(Arc::new);
        }
        let odd = match self.files(&source).as_ref() {
            Ok(files) => match evaluate::evaluate(files, query) {
                Ok(resolved) => return Ok(Arc::new(resolved)),
                Err(No::Refused(unread)) => return Err(unread),
                Err(No::Odd(odd)) => odd,
            },
            Err(odd) => odd.clone(),
        };
        self.ask_openssh(&source, query).await.map_err(|unread| match unread.detail.strip_prefix(NO_SSH) {
            Some(advice) => refuse(format!("{} is understood by `ssh` alone, which is not here{advice}", odd.0)),
            None => unread,
        })
    }

    /// The parsed files of a source, read once.
    fn files(&self, source: &ConfigSource) -> Arc<Files> {
        let mut files = self.files.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let read = || match source {
            ConfigSource::File(path) => file::named(path),
            ConfigSource::Default => file::usual(),
            ConfigSource::None => Ok(Vec::new()),
        };
        Arc::clone(files.entry(source.clone()).or_insert_with(|| Arc::new(read())))
    }

    /// What `ssh` itself says.
    async fn ask_openssh(&self, source: &ConfigSource, query: &Query) -> Answer {
        let baseline =
            self.baseline.get_or_init(|| async { self.ask(&ConfigSource::None, &Query::probe()).await }).await;
        let baseline = baseline.as_ref().map_err(Clone::clone)?;
        let said = self.ask(source, query).await?;
        from_ssh(query, &said, baseline).map(Arc::new)
    }

    /// Runs `ssh -G` and sorts what it prints by key.
    async fn ask(&self, source: &ConfigSource, query: &Query) -> Result<HashMap<String, Vec<String>>, Unread> {
        let _turn = self.turns.acquire().await;
        let mut command = Command::new("ssh");
        command.arg("-G").kill_on_drop(true).stdin(std::process::Stdio::null());
        match source {
            ConfigSource::None => _ = command.args(["-F", "none"]),
            ConfigSource::File(path) => _ = command.arg("-F").arg(path),
            ConfigSource::Default => {}
        }
        if let Some(port) = query.port {
            command.arg("-p").arg(port.to_string());
        }
        if let Some(user) = &query.user {
            command.arg("-l").arg(user);
        }
        if let Some(jump) = &query.jump {
            command.arg("-J").arg(jump);
        }
        for (key, value) in &query.options {
            command.arg("-o").arg(format!("{key}={value}"));
        }
        let output = command.arg("--").arg(&query.host).output().await.map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => refuse(format!("{NO_SSH}; install the OpenSSH client, or use `-F none`")),
            _ => refuse(format!("cannot run `ssh -G`: {error}")),
        })?;
        if !output.status.success() {
            let said = crate::transport::text::one_line_bytes(&output.stderr);
            return Err(refuse(format!("`ssh -G` does not accept the configuration: {said}")));
        }
        Ok(sorted(&String::from_utf8_lossy(&output.stdout)))
    }
}

impl Query {
    fn probe() -> Self {
        Self { host: "baseline.invalid".into(), ..Self::default() }
    }
}

/// How the detail begins when there is no `ssh`.
const NO_SSH: &str = "no `ssh` program here to read ssh_config with";

fn refuse(detail: String) -> Unread {
    Unread::new(Reason::ConfigRefused, detail)
}

fn any_file() -> bool {
    let own = person::home().map(|home| home.join(".ssh/config"));
    own.is_some_and(|path| path.exists()) || Path::new("/etc/ssh/ssh_config").exists()
}

fn sorted(text: &str) -> HashMap<String, Vec<String>> {
    let mut out: HashMap<String, Vec<String>> = HashMap::new();
    for line in text.lines() {
        if let Some((key, value)) = line.split_once(' ') {
            out.entry(key.to_owned()).or_default().push(value.to_owned());
        }
    }
    out
}

/// The keys whose unconfigured value must not be taken for a wish.
const DEFAULTED: &[&str] =
    &["identityfile", "kexalgorithms", "ciphers", "macs", "hostkeyalgorithms", "pubkeyacceptedalgorithms"];

fn from_ssh(
    query: &Query,
    said: &HashMap<String, Vec<String>>,
    baseline: &HashMap<String, Vec<String>>,
) -> Result<Resolved, Unread> {
    let mut resolved = Resolved::defaults(&query.host, person::user().unwrap_or_default());
    let mut keys: Vec<_> = said.keys().collect();
    keys.sort();
    for key in keys {
        let Some(values) = said.get(key) else { continue };
        if DEFAULTED.contains(&key.as_str()) && baseline.get(key) == Some(values) {
            continue;
        }
        for value in values {
            resolved.apply(key, value)?;
        }
    }
    resolved.original = query.host.clone();
    Ok(resolved)
}

/// Without any configuration file: defaults, what the query says and its `-o` pairs.
fn builtin(query: &Query) -> Result<Resolved, Unread> {
    evaluate::evaluate(&[], query).map_err(|no| match no {
        No::Refused(unread) => unread,
        No::Odd(Odd(what)) => refuse(format!("ssh option {} is not known here", one_line(&what))),
    })
}

#[cfg(test)]
mod differential;

#[cfg(test)]
mod tests {
    use super::super::Proxy;
    use super::*;

    fn query(host: &str) -> Query {
        Query { host: host.into(), ..Query::default() }
    }

    #[tokio::test]
    async fn without_configuration_the_first_value_wins_and_unknown_options_are_named() {
        let resolver = default_resolver(&ConfigSource::None);
        let mut asked = query("gpu-1");
        asked.port = Some(2200);
        asked.user = Some("ann".into());
        asked.options = vec![("Port".into(), "24".into()), ("ProxyJump".into(), "b1,b2".into())];
        let resolved = resolver.resolve(&asked).await.unwrap();
        assert_eq!((resolved.port, resolved.user.as_str(), resolved.host_name.as_str()), (2200, "ann", "gpu-1"));
        assert_eq!(resolved.proxy, Proxy::Jump(vec!["b1".into(), "b2".into()]));
        asked.options = vec![("RemoteCommand".into(), "id".into())];
        let why = resolver.resolve(&asked).await.unwrap_err();
        assert_eq!(
            (why.reason, why.detail.as_str()),
            (Reason::ConfigRefused, "ssh option `remotecommand id` is not known here")
        );
    }

    #[tokio::test]
    async fn a_host_that_looks_like_a_flag_is_refused() {
        let resolver = default_resolver(&ConfigSource::None);
        for host in ["-oProxyCommand=id", "", "a b"] {
            assert_eq!(resolver.resolve(&query(host)).await.unwrap_err().reason, Reason::ConfigRefused, "{host}");
        }
    }

    #[test]
    fn defaults_that_ssh_prints_are_no_wishes() {
        let baseline = sorted("identityfile ~/.ssh/id_rsa\nkexalgorithms a,b\nport 22\n");
        let said = sorted("identityfile ~/.ssh/id_rsa\nkexalgorithms b\nport 2222\nhostname 10.1.1.1\nuser ann\n");
        let resolved = from_ssh(&query("x"), &said, &baseline).unwrap();
        assert_eq!(resolved.identity_files, Vec::<String>::new());
        assert_eq!(resolved.algorithms.kex, Some(vec!["b".to_owned()]));
        assert_eq!((resolved.port, resolved.host_name.as_str()), (2222, "10.1.1.1"));
    }
}
