//! NVIDIA devices on the PCI bus.

mod parse;
pub use parse::parse;

/// The bus, from /sys/bus/pci/devices.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Pci {
    /// Functions of vendor 10de and class 03xx.
    pub gpus: Vec<Gpu>,
    /// How many NVSwitches (vendor 10de, class 0680) there are.
    pub nvswitches: usize,
}

/// One GPU.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Gpu {
    /// `0000:3b:00.0`.
    pub address: String,
    /// `2330` of `0x2330`.
    pub device: String,
    /// The bound kernel driver: `nvidia`, `vfio-pci`, `nouveau`.
    pub driver: Option<String>,
}
