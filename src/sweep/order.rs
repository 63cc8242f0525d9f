//! Whose turn is next: bastions take turns, so that no single one holds up hosts behind the others.

use std::collections::{HashMap, VecDeque};

use crate::inventory::Target;

/// The indices of all targets, one from each bastion's hosts in turn, otherwise as they came.
pub(super) fn round_robin(targets: &[Target]) -> Vec<usize> {
    let mut groups: Vec<VecDeque<usize>> = Vec::new();
    let mut places: HashMap<Option<&str>, usize> = HashMap::new();
    for (index, target) in targets.iter().enumerate() {
        let place = *places.entry(target.jump.as_deref()).or_insert_with(|| {
            groups.push(VecDeque::new());
            groups.len() - 1
        });
        if let Some(group) = groups.get_mut(place) {
            group.push_back(index);
        }
    }
    let mut order = Vec::with_capacity(targets.len());
    while order.len() < targets.len() {
        order.extend(groups.iter_mut().filter_map(VecDeque::pop_front));
        groups.retain(|group| !group.is_empty());
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bastions_take_turns_and_every_target_comes_once() {
        let via = |jump: Option<&str>| Target { jump: jump.map(str::to_owned), ..Target::default() };
        let targets = [via(Some("a")), via(Some("a")), via(Some("a")), via(None), via(Some("b"))];
        assert_eq!(round_robin(&targets), [0, 3, 4, 1, 2]);
        assert_eq!(round_robin(&[]), Vec::<usize>::new());
    }
}
