//! One Debian package, described and built.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use crate::ground::machine::cache;
use crate::ground::shell::{digest, sh};

/// What a packaged file holds.
#[derive(Debug, Clone)]
pub enum Content {
    /// A text with its mode.
    Text(String, u32),
    /// A symbolic link.
    Link(String),
    /// A real shared object with this soname, so that ldconfig lists it.
    Library(String),
    /// A kernel module: name, version, licence, kernel release.
    Module { name: String, version: String, license: String, kernel: String },
}

/// A package to be built.
#[derive(Debug, Clone)]
pub struct Package {
    /// Its name.
    pub name: String,
    /// Its full version.
    pub version: String,
    /// Its architecture.
    pub arch: &'static str,
    /// Further control fields, for example `("Depends", "...")`.
    pub fields: Vec<(&'static str, String)>,
    /// Its files, by absolute path without the leading slash.
    pub files: Vec<(String, Content)>,
    /// Its maintainer scripts: name and POSIX sh text.
    pub scripts: Vec<(&'static str, String)>,
}

impl Package {
    /// A package of the machine's architecture with a changelog and nothing else.
    pub fn new(name: impl Into<String>, version: impl Into<String>) -> Self {
        let (name, version) = (name.into(), version.into());
        let changelog = format!("usr/share/doc/{name}/changelog.Debian");
        let text = format!("{name} ({version})\n");
        Self {
            name,
            version,
            arch: "amd64",
            fields: Vec::new(),
            files: vec![(changelog, Content::Text(text, 0o644))],
            scripts: Vec::new(),
        }
    }

    /// Adds a control field.
    pub fn field(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.fields.push((name, value.into()));
        self
    }

    /// Adds `Depends`.
    pub fn depends(self, value: impl Into<String>) -> Self {
        self.field("Depends", value)
    }

    /// Names the source package.
    pub fn source(self, value: impl Into<String>) -> Self {
        self.field("Source", value)
    }

    /// Sets another architecture.
    pub fn arch(mut self, arch: &'static str) -> Self {
        self.arch = arch;
        self
    }

    /// Adds a file.
    pub fn file(mut self, path: impl Into<String>, content: Content) -> Self {
        self.files.push((path.into(), content));
        self
    }

    /// Adds a text file of mode 0644.
    pub fn text(self, path: impl Into<String>, text: impl Into<String>) -> Self {
        self.file(path, Content::Text(text.into(), 0o644))
    }

    /// Adds a program of mode 0755.
    pub fn program(self, path: impl Into<String>, text: impl Into<String>) -> Self {
        self.file(path, Content::Text(text.into(), 0o755))
    }

    /// Adds a shared library `NAME.so.VERSION` and its `.so.1` link in `folder`.
    pub fn library(self, folder: &str, name: &str, version: &str) -> Self {
        let soname = format!("{name}.so.1");
        let file = format!("{name}.so.{version}");
        self.file(format!("{folder}/{file}"), Content::Library(soname.clone()))
            .file(format!("{folder}/{soname}"), Content::Link(file))
    }

    /// Adds a maintainer script.
    pub fn script(mut self, name: &'static str, text: impl Into<String>) -> Self {
        self.scripts.push((name, text.into()));
        self
    }

    /// The control paragraph.
    pub fn control(&self) -> String {
        let mut text = format!("Package: {}\nVersion: {}\nArchitecture: {}\n", self.name, self.version, self.arch);
        text.push_str("Maintainer: lab <lab@lab.invalid>\nPriority: optional\nSection: restricted/libs\n");
        for (name, value) in &self.fields {
            text.push_str(&format!("{name}: {value}\n"));
        }
        text.push_str("Description: a lab package\n");
        text
    }

    /// The file name in an archive's pool.
    pub fn file_name(&self) -> String {
        format!("{}_{}_{}.deb", self.name, self.version.replace(':', "%3a"), self.arch)
    }

    /// The built package in the cache.
    ///
    /// # Panics
    /// When it cannot be built.
    pub fn build(&self) -> PathBuf {
        let key = digest(&[&format!("{self:?}"), "2"]);
        let folder = cache().join("deb").join(&key);
        let file = folder.join(self.file_name());
        static ONE: Mutex<()> = Mutex::new(());
        let _one = ONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if file.is_file() {
            return file;
        }
        let tree = folder.join("tree");
        drop(fs::remove_dir_all(&tree));
        fs::create_dir_all(tree.join("DEBIAN")).expect("cache is writable");
        fs::write(tree.join("DEBIAN/control"), self.control()).expect("writable");
        for (name, text) in &self.scripts {
            let path = tree.join("DEBIAN").join(name);
            fs::write(&path, text).expect("writable");
            let mode = if *name == "triggers" || *name == "conffiles" { 0o644 } else { 0o755 };
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("own file");
        }
        for (path, content) in &self.files {
            let path = tree.join(path);
            fs::create_dir_all(path.parent().expect("relative path")).expect("writable");
            content.write(&path);
        }
        // A fixed build date, years before anything the lab tells: file dates must not give the story away.
        let (tree_at, file_at) = (tree.display(), file.display());
        sh(&format!(
            "SOURCE_DATE_EPOCH=1749859200 dpkg-deb --root-owner-group -Znone --build {tree_at} {file_at}.new >{tree_at}.log
             mv {file_at}.new {file_at}"
        ));
        drop(fs::remove_dir_all(&tree));
        file
    }
}

impl Content {
    fn write(&self, path: &Path) {
        match self {
            Self::Text(text, mode) => {
                fs::write(path, text).expect("writable");
                fs::set_permissions(path, fs::Permissions::from_mode(*mode)).expect("own file");
            }
            Self::Link(target) => symlink(target, path).expect("writable"),
            Self::Library(soname) => {
                let made =
                    elf(&format!("int lab_{};", digest(&[soname])), &format!("-shared -nostdlib -Wl,-soname,{soname}"));
                fs::copy(made, path).expect("writable");
            }
            Self::Module { name, version, license, kernel } => {
                let mut code = String::new();
                let pairs = [
                    ("license", license.as_str()),
                    ("version", version),
                    ("name", name),
                    ("srcversion", &digest(&[name, version]).to_uppercase()),
                    ("vermagic", &format!("{kernel} SMP mod_unload modversions ")),
                ];
                for (index, (key, value)) in pairs.iter().enumerate() {
                    code.push_str(&format!(
                        "static const char m{index}[] __attribute__((section(\".modinfo\"), used)) = \"{key}={value}\";\n"
                    ));
                }
                let made = elf(&code, "-c");
                match path.extension().and_then(|extension| extension.to_str()) {
                    Some("zst") => drop(sh(&format!("zstd -q -f -o {} {}", path.display(), made.display()))),
                    Some("xz") => drop(sh(&format!("xz -c {} >{}", made.display(), path.display()))),
                    _ => drop(fs::copy(made, path).expect("writable")),
                }
            }
        }
    }
}

/// A compiled object of the cache.
fn elf(code: &str, flags: &str) -> PathBuf {
    let folder = cache().join("elf");
    fs::create_dir_all(&folder).expect("cache is writable");
    let file = folder.join(digest(&[code, flags]));
    if !file.is_file() {
        let source = file.with_extension("c");
        fs::write(&source, code).expect("cache is writable");
        let at = file.display();
        sh(&format!("cc {flags} -o {at}.new -x c {}; mv {at}.new {at}", source.display()));
    }
    file
}
