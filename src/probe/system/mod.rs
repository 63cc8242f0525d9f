//! What kind of machine this is, and who is looking.

mod parse;
pub use parse::parse;

/// The system behind the login.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct System {
    /// `uname -n`.
    pub node_name: String,
    /// `uname -m`: `x86_64`, `aarch64`, `ppc64le`.
    pub machine: String,
    /// `ID` of os-release (`ubuntu`, `debian`); empty when there is no os-release.
    pub os_id: String,
    /// `ID_LIKE`, split at blanks.
    pub os_like: Vec<String>,
    /// `VERSION_ID`.
    pub os_version: String,
    /// `VERSION_CODENAME`.
    pub os_codename: String,
    /// `PRETTY_NAME`.
    pub os_name: String,
    /// What the machine is, as far as it decides whether NVIDIA's rules apply.
    pub platform: Platform,
    /// Who owns the installed files.
    pub package_manager: PackageManager,
    /// The native dpkg architecture (`amd64`); empty without dpkg.
    pub dpkg_arch: String,
    /// The effective user id of the probe script.
    pub uid: u32,
    /// Names of the groups of that user.
    pub groups: Vec<String>,
}

/// Kinds of machine.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Platform {
    /// A machine of its own, physical or virtual: the module is its own.
    #[default]
    Machine,
    /// A container or LXC guest: the kernel and its module are the host's. Holds the kind (`lxc`, `docker`).
    Container(String),
    /// Windows Subsystem for Linux: the driver lives in Windows.
    Wsl,
    /// A Jetson board: the driver belongs to the board support package. Holds its release line.
    Jetson(String),
}

/// Kinds of package manager.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PackageManager {
    /// dpkg and apt.
    Dpkg,
    /// rpm with dnf, yum or zypper.
    Rpm,
    /// Neither (NixOS, an appliance).
    #[default]
    Other,
}
