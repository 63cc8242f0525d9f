use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures::future::BoxFuture;
use tokio::sync::mpsc::channel;

use super::*;

/// A host's behaviour, written in its name.
#[derive(Default)]
struct Fake {
    now: AtomicUsize,
    most: AtomicUsize,
    contacted: AtomicUsize,
}

impl Contact for Fake {
    fn collect<'a>(&'a self, target: &'a Target, watch: &'a Watch) -> BoxFuture<'a, Collected> {
        Box::pin(async move {
            self.contacted.fetch_add(1, Ordering::SeqCst);
            let now = self.now.fetch_add(1, Ordering::SeqCst) + 1;
            self.most.fetch_max(now, Ordering::SeqCst);
            let answer = match target.name.as_str() {
                "panics" => panic!("as asked"),
                "hangs" => std::future::pending().await,
                "refuses" => match watch.gate.as_ref().unwrap().enter().await {
                    Ok(pass) => {
                        pass.refused();
                        blank(Reason::AuthRefused, String::new())
                    }
                    Err(shut) => blank(Reason::NotTried, shut.refused.to_string()),
                },
                "ends in time" => {
                    sleep_until(watch.until.unwrap()).await;
                    blank(Reason::Deadline, "partial".into())
                }
                _ => {
                    tokio::time::sleep(Duration::from_millis(5)).await;
                    Collected { failure: None, ..blank(Reason::Deadline, String::new()) }
                }
            };
            self.now.fetch_sub(1, Ordering::SeqCst);
            answer
        })
    }
}

fn targets(names: &[&str]) -> Vec<Target> {
    names.iter().map(|name| Target { name: (*name).to_owned(), ..Target::default() }).collect()
}

type Results = BTreeMap<usize, Option<Unread>>;

async fn sweep(names: &[&str], options: Options) -> (Outcome, Results, Arc<Fake>) {
    let fake = Arc::new(Fake::default());
    let (sender, mut receiver) = channel(4);
    let contact: Arc<dyn Contact> = Arc::<Fake>::clone(&fake);
    let task = tokio::spawn(run(targets(names), contact, options, sender, CancellationToken::new()));
    let mut results = Results::new();
    while let Some(event) = receiver.recv().await {
        if let Event::Finished { index, collected } = event {
            assert!(results.insert(index, collected.failure).is_none(), "two results for {index}");
        }
    }
    (task.await.unwrap(), results, fake)
}

fn reason(results: &Results, index: usize) -> Option<Reason> {
    results[&index].as_ref().map(|unread| unread.reason)
}

#[tokio::test]
async fn every_target_has_one_result_and_a_panic_is_one_hosts_own() {
    let mut names = vec!["fine"; 50];
    names[7] = "panics";
    let (outcome, results, fake) = sweep(&names, Options { forks: 8, ..Options::default() }).await;
    assert_eq!(outcome, Outcome { end: End::Complete, unfinished: vec![] });
    assert_eq!(results.len(), 50);
    assert_eq!(results.values().filter(|failure| failure.is_some()).count(), 1);
    let why = results[&7].as_ref().unwrap();
    assert_eq!(why.detail, "gpusweep itself failed on this host (panic); please report this");
    assert!(fake.most.load(Ordering::SeqCst) <= 9);
}

#[tokio::test]
async fn ten_refusals_leave_the_rest_alone() {
    let (_, results, _) = sweep(&["refuses"; 40], Options::default()).await;
    let refused = results.values().filter(|f| f.as_ref().unwrap().reason == Reason::AuthRefused).count();
    assert_eq!(refused, 10);
    assert_eq!(results.values().filter(|f| f.as_ref().unwrap().reason == Reason::NotTried).count(), 30);
}

#[tokio::test]
async fn the_end_of_the_sweeps_time_names_everyone() {
    let names = ["fine", "hangs", "ends in time", "hangs", "fine"];
    let options = Options { forks: 4, sweep_timeout: Some(Duration::from_millis(80)), ..Options::default() };
    let (outcome, results, _) = sweep(&[&names[..], &["hangs"; 4]].concat(), options).await;
    assert_eq!(outcome.end, End::TimedOut);
    assert_eq!(results.len(), 9);
    assert_eq!(reason(&results, 0), None);
    assert_eq!(results[&2].as_ref().unwrap().detail, "partial");
    assert_eq!(reason(&results, 1), Some(Reason::Deadline));
    assert_eq!(reason(&results, 8), Some(Reason::NotTried));
}

#[tokio::test]
async fn cancelling_keeps_what_finished_and_names_the_rest() {
    let fake: Arc<dyn Contact> = Arc::new(Fake::default());
    let (sender, mut receiver) = channel(64);
    let cancel = CancellationToken::new();
    let options = Options { forks: 2, ..Options::default() };
    let task =
        tokio::spawn(run(targets(&["hangs", "fine", "fine", "hangs", "fine"]), fake, options, sender, cancel.clone()));
    let mut finished = Vec::new();
    while let Some(event) = receiver.recv().await {
        if let Event::Finished { index, .. } = event {
            finished.push(index);
            if finished.len() == 2 {
                cancel.cancel();
            }
        }
    }
    let outcome = task.await.unwrap();
    assert_eq!(finished, [1, 2]);
    assert_eq!(outcome, Outcome { end: End::Cancelled, unfinished: vec![0, 3, 4] });
}

#[tokio::test]
async fn nobody_listening_ends_it() {
    let (sender, receiver) = channel(1);
    drop(receiver);
    let fake: Arc<dyn Contact> = Arc::new(Fake::default());
    let outcome = run(targets(&["hangs"]), fake, Options::default(), sender, CancellationToken::new()).await;
    assert_eq!(outcome, Outcome { end: End::Cancelled, unfinished: vec![0] });
}

#[tokio::test]
async fn no_targets_is_complete_at_once() {
    let (outcome, results, _) = sweep(&[], Options::default()).await;
    assert_eq!((outcome.end, results.len()), (End::Complete, 0));
}
