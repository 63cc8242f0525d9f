//! One channel, one script on its stdin, everything it prints.

use russh::ChannelMsg;

use super::session::Live;
use crate::reading::{Reason, Unread};
use crate::transport::output::{Exit, Output};
use crate::transport::partial::Partial;
use crate::transport::sudo;

/// A script to run.
pub(crate) struct Job<'a> {
    pub marker: &'a str,
    pub script: &'a str,
    pub become_user: Option<&'a str>,
    pub cap: usize,
}

/// Runs the script, through sudo if asked; where sudo refuses, once more on the same connection without it.
pub(crate) async fn run(live: &Live, job: &Job<'_>, partial: &Partial<'_>) -> Result<(), Unread> {
    let first = sudo::command(job.become_user)?;
    let ran = channel(live, &first, job, partial).await?;
    if job.become_user.is_none() || ran.output.started {
        return ran.verdict(partial);
    }
    let why = partial.with_bytes(|stdout| sudo::refusal(&ran.output.stderr, stdout));
    partial.restart();
    let second = channel(live, &sudo::command(None)?, job, partial).await?;
    if second.output.started {
        partial.become_failed(why);
    }
    second.verdict(partial)
}

struct Ran {
    output: Output,
    exit: Exit,
    capped: Option<usize>,
    lost: Option<String>,
}

impl Ran {
    fn verdict(&self, partial: &Partial<'_>) -> Result<(), Unread> {
        if self.output.complete {
            return Ok(());
        }
        if let Some(cap) = self.capped {
            return Err(Unread::new(Reason::OutputCap, format!("the host sent more than {cap} bytes and was cut off")));
        }
        if let Some(words) = &self.lost {
            return Err(Unread::new(Reason::Disconnected, format!("the connection broke while the script ran{words}")));
        }
        Err(partial.with_bytes(|stdout| self.output.unfinished(&self.exit, stdout)))
    }
}

async fn channel(live: &Live, command: &str, job: &Job<'_>, partial: &Partial<'_>) -> Result<Ran, Unread> {
    let opened = live.handle.channel_open_session().await.map_err(|error| {
        let words = live.said.suffix();
        match error {
            russh::Error::ChannelOpenFailure(failure) => {
                Unread::new(Reason::Shell, format!("the server opened no session channel ({failure:?}){words}"))
            }
            other => Unread::new(
                Reason::Disconnected,
                format!("the connection broke before the script ran ({other}){words}"),
            ),
        }
    })?;
    let (mut reader, writer) = opened.split();
    let sending = async {
        // Nothing here waits for the server: the three go out together, as far as its window lets them.
        writer.exec(true, command).await?;
        writer.data_bytes(job.script.as_bytes().to_vec()).await?;
        writer.eof().await
    };
    tokio::pin!(sending);
    let mut sent = false;
    let mut ran = Ran { output: Output::new(job.marker), exit: Exit::Silent, capped: None, lost: None };
    let mut closed = false;
    loop {
        let message = tokio::select! {
            biased;
            // A send that fails means that the session is gone or the channel closed; the reader says which.
            _ = &mut sending, if !sent => {
                sent = true;
                continue;
            }
            message = reader.wait() => message,
        };
        match message {
            Some(ChannelMsg::Data { data }) => {
                let fits = partial.push(&data, job.cap);
                if ran.output.feed(&data) {
                    break;
                }
                if !fits {
                    ran.capped = Some(job.cap);
                    break;
                }
            }
            Some(ChannelMsg::ExtendedData { data, ext: 1 }) => ran.output.feed_stderr(&data),
            Some(ChannelMsg::ExitStatus { exit_status }) => ran.exit = Exit::Status(exit_status),
            Some(ChannelMsg::ExitSignal { signal_name, .. }) => ran.exit = Exit::Signal(format!("SIG{signal_name:?}")),
            Some(ChannelMsg::Failure) => {
                let detail = format!("the server refused to run a command{}", live.said.suffix());
                return Err(Unread::new(Reason::Shell, detail));
            }
            Some(ChannelMsg::Close) => {
                closed = true;
                break;
            }
            Some(_) => {}
            None => break,
        }
    }
    if !closed && !ran.output.complete && ran.capped.is_none() {
        let said = live.said.words();
        let error = if said.error.is_empty() { String::new() } else { format!(" ({})", said.error) };
        ran.lost = Some(format!("{error}{}", live.said.suffix()));
    }
    // A server that no longer reads must not turn a complete answer into a late one.
    _ = tokio::time::timeout(std::time::Duration::from_millis(200), writer.close()).await;
    Ok(ran)
}
