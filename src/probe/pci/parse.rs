//! The frame's sections to evidence.

use super::{Gpu, Pci};
use crate::probe::Sections;
use crate::reading::Reading;

/// Reads the frame. A machine without a PCI bus has no GPU on it.
pub fn parse(sections: &Sections) -> Reading<Pci> {
    match sections.reading("devices") {
        Reading::Known(lines) => Reading::Known(devices(lines)),
        Reading::Absent => Reading::Known(Pci::default()),
        Reading::Unread(unread) => Reading::Unread(unread),
    }
}

/// Lines of address, class, device and driver; `-` for no driver.
fn devices(lines: &[String]) -> Pci {
    let mut pci = Pci::default();
    for line in lines {
        let mut words = line.split_ascii_whitespace();
        let (Some(address), Some(class), Some(device)) = (words.next(), words.next(), words.next()) else { continue };
        let class = class.trim_start_matches("0x");
        if class.starts_with("0680") {
            pci.nvswitches += 1;
        } else if class.starts_with("03") {
            pci.gpus.push(Gpu {
                address: address.to_owned(),
                device: device.trim_start_matches("0x").to_owned(),
                driver: words.next().filter(|driver| *driver != "-").map(str::to_owned),
            });
        }
    }
    pci
}

#[cfg(test)]
mod tests {
    use crate::probe::samples;

    #[test]
    fn samples_read_as_expected() {
        samples::check("pci", super::parse);
    }

    #[test]
    fn no_input_panics() {
        samples::survive("pci", super::parse);
    }
}
