//! The same script on this machine, without SSH: a child process in a group of its own.

use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::Command;

use super::group::Group;
use super::output::{Exit, Output};
use super::partial::Partial;
use super::{Collected, Options, Phase, Script, Watch, new_marker, sudo};
use crate::inventory::Target;
use crate::reading::{Reason, Unread};

/// Runs the script here, within the host deadline.
pub(crate) async fn collect(target: &Target, options: &Options, script: &Script, watch: &Watch) -> Collected {
    let partial = Partial::new(watch);
    let marker = new_marker();
    partial.address("local".to_owned());
    partial.connected();
    partial.phase(Phase::Running);
    let text = script(&marker);
    let run = run(target, options, &marker, &text, &partial);
    let failure = match tokio::time::timeout_at(watch.deadline(options.host_timeout), run).await {
        Ok(result) => result.err(),
        Err(_) => Some(watch.late(options.host_timeout, partial.doing())),
    };
    partial.finish(marker, failure)
}

async fn run(
    target: &Target,
    options: &Options,
    marker: &str,
    script: &str,
    partial: &Partial<'_>,
) -> Result<(), Unread> {
    let become_user = target.become_user.as_deref().or(options.become_user.as_deref());
    let (output, exit, capped) = attempt(&sudo::command(become_user)?, marker, script, options, partial).await?;
    if become_user.is_some() && !output.started {
        let why = partial.with_bytes(|stdout| sudo::refusal(&output.stderr, stdout));
        partial.restart();
        partial.become_failed(why);
        let (output, exit, capped) = attempt(&sudo::command(None)?, marker, script, options, partial).await?;
        return verdict(&output, &exit, capped, options, partial);
    }
    verdict(&output, &exit, capped, options, partial)
}

fn verdict(output: &Output, exit: &Exit, capped: bool, options: &Options, partial: &Partial<'_>) -> Result<(), Unread> {
    if output.complete {
        return Ok(());
    }
    if capped {
        let detail = format!("the script printed more than {} bytes and was cut off", options.output_cap);
        return Err(Unread::new(Reason::OutputCap, detail));
    }
    Err(partial.with_bytes(|stdout| output.unfinished(exit, stdout)))
}

async fn attempt(
    command: &str,
    marker: &str,
    script: &str,
    options: &Options,
    partial: &Partial<'_>,
) -> Result<(Output, Exit, bool), Unread> {
    let failed = |error: std::io::Error| Unread::new(Reason::Shell, format!("cannot run `{command}` here: {error}"));
    let mut words = command.split(' ');
    let mut child = Group(
        Command::new(words.next().unwrap_or("/bin/sh"))
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .kill_on_drop(true)
            .spawn()
            .map_err(failed)?,
    );
    let (Some(mut stdin), Some(mut stdout), Some(mut stderr)) =
        (child.0.stdin.take(), child.0.stdout.take(), child.0.stderr.take())
    else {
        return Err(Unread::new(Reason::Shell, "the shell has no pipes"));
    };
    let mut output = Output::new(marker);
    let mut capped = false;
    let writing = async move {
        // A shell that stops reading shows in what it prints and how it exits.
        _ = stdin.write_all(script.as_bytes()).await;
        drop(stdin);
    };
    tokio::pin!(writing);
    let (mut out, mut err) = ([0; 16 << 10], [0; 4 << 10]);
    let (mut written, mut out_open, mut err_open) = (false, true, true);
    while out_open {
        tokio::select! {
            () = &mut writing, if !written => written = true,
            count = stdout.read(&mut out), if out_open => match count {
                Ok(count @ 1..) => {
                    let data = out.get(..count).unwrap_or_default();
                    let fits = partial.push(data, options.output_cap);
                    if output.feed(data) {
                        return Ok((output, Exit::Silent, false));
                    }
                    if !fits {
                        capped = true;
                        break;
                    }
                }
                _ => out_open = false,
            },
            count = stderr.read(&mut err), if err_open => match count {
                Ok(count @ 1..) => output.feed_stderr(err.get(..count).unwrap_or_default()),
                _ => err_open = false,
            },
        }
    }
    let rest = tokio::time::timeout(Duration::from_millis(200), stderr.read(&mut err)).await;
    if let Ok(Ok(count)) = rest {
        output.feed_stderr(err.get(..count).unwrap_or_default());
    }
    let exit = match tokio::time::timeout(Duration::from_secs(1), child.0.wait()).await {
        Ok(Ok(status)) => exit(status),
        _ => Exit::Silent,
    };
    Ok((output, exit, capped))
}

fn exit(status: std::process::ExitStatus) -> Exit {
    use std::os::unix::process::ExitStatusExt;
    match (status.code(), status.signal()) {
        (Some(code), _) => Exit::Status(code.unsigned_abs()),
        (None, Some(signal)) => Exit::Signal(format!("signal {signal}")),
        (None, None) => Exit::Silent,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    async fn collected(script: &'static str, options: Options) -> Collected {
        let script: Script = Arc::new(move |marker| script.replace("@M", marker));
        collect(&Target::default(), &options, &script, &Watch::default()).await
    }

    #[tokio::test]
    async fn a_whole_script_is_collected_without_waiting_for_what_it_left_running() {
        let answer = collected(
            "echo noise\necho gpusweep-transcript/1 @M\nsleep 30 &\necho @M done\nsleep 30\n",
            Options::default(),
        )
        .await;
        assert_eq!(answer.failure, None);
        assert!(answer.timing.total < Duration::from_secs(20));
        assert!(String::from_utf8(answer.bytes).unwrap().contains(&answer.marker));
    }

    #[tokio::test]
    async fn the_deadline_keeps_what_was_read() {
        let options = Options { host_timeout: Duration::from_millis(300), ..Options::default() };
        let answer = collected("echo gpusweep-transcript/1 @M\nsleep 30\n", options).await;
        let why = answer.failure.unwrap();
        assert_eq!(why.reason, Reason::Deadline);
        assert_eq!(why.detail, "the host's deadline of 0.3 s passed while running the script");
        assert!(answer.bytes.starts_with(b"gpusweep-transcript/1 %%"));
    }

    #[tokio::test]
    async fn endless_output_is_cut() {
        let options = Options { output_cap: 1000, ..Options::default() };
        let answer =
            collected("echo gpusweep-transcript/1 @M\nwhile :; do echo xxxxxxxxxxxxxxxx; done\n", options).await;
        assert_eq!(answer.failure.unwrap().reason, Reason::OutputCap);
        assert_eq!(answer.bytes.len(), 1000);
    }

    #[tokio::test]
    async fn a_script_that_ends_early_tells_its_status() {
        let answer = collected("echo gpusweep-transcript/1 @M\necho oops >&2\nexit 7\n", Options::default()).await;
        let why = answer.failure.unwrap();
        assert_eq!(why.detail, "the script stopped before its end (exit status 7); stderr: oops");
    }
}
