//! Child processes that never outlive the contact that started them.

use tokio::process::Child;

/// A child whose whole group ends with it, however the contact ends.
pub(crate) struct Group(pub Child);

impl Drop for Group {
    fn drop(&mut self) {
        if let Some(id) = self.0.id()
            && let Some(group) = i32::try_from(id).ok().and_then(rustix::process::Pid::from_raw)
        {
            _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
    }
}
