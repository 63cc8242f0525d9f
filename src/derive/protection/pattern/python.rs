//! The differential test: every pattern of a corpus against every name, here and in python3's own `re`.

use std::io::Write;
use std::process::{Command, Stdio};

use super::{Fault, Python, compile};

const PATTERNS: &[&str] = &[
    "nvidia-",
    "libnvidia-",
    "xserver-xorg-video-nvidia",
    "nvidia*",
    ".*nvidia.*",
    "linux-",
    "cuda-",
    "*nvidia*",
    "linux-*nvidia*",
    "libnvidia-*-535",
    "^nvidia",
    "nvidia$",
    "nvidia-driver-535$",
    r"nvidia-driver-535\Z",
    "...",
    "",
    "NVIDIA-",
    "(?i)NVIDIA-",
    "(?i:NV)idia",
    "(?-i:nv)idia",
    "(lib)?nvidia-",
    "^(lib)?nvidia-",
    "nvidia-*.",
    "a|b",
    "x|nvidia-",
    "(x|nvidia-)",
    "(?:x|lib)nvidia",
    r"nvidia-\w+-\d+",
    r"nvidia-\d",
    r"lib\w+\+\+",
    r"libstdc\+\+6",
    "nvidia-(?!container)",
    "(?!nvidia-container)nvidia",
    "(?=nvidia)n",
    "(?<=n)vidia",
    "n(?<=n)vidia",
    "n(?<!x)vidia",
    "(?<=a+)b",
    "(?<=ab|cd)e",
    "(?<=a|bc)d",
    "(?P<x>nvidia)-",
    "(?P<x>n)(?P=x)",
    "(?P<x>n)(?P<x>v)",
    "(?P=y)",
    r"(n)\1",
    r"(n)(v)\2",
    r"\1",
    r"(a\1)",
    r"\0",
    r"\07",
    r"\012",
    r"[\012]",
    r"\x6evidia",
    r"\x6",
    r"nvidia",
    "[n]vidia",
    "[^a]vidia",
    "[]n]vidia",
    "[^]]vidia",
    "[a-z]+-",
    "[z-a]",
    r"[\d-z]",
    r"[a-\d]",
    "[-n]vidia",
    "[n-]vidia",
    "[a-n-z]vidia",
    r"[\w.-]+535",
    r"[^\W]vidia",
    "[[:alpha:]]",
    "[[]",
    "[a&&b]",
    "[a||b]",
    "[~~]",
    "[n",
    "(n",
    "n)",
    "(?n)",
    "n**",
    "n*+",
    "n++",
    "n?+",
    "n{1}+",
    "n+?",
    "n??",
    "n{2}",
    "n{0,1}",
    "n{,1}",
    "n{,}",
    "n{",
    "n{}",
    "n{a}",
    "n{1",
    "n{1,0}",
    "nvidia-{1}driver",
    "+nvidia",
    "?nvidia",
    "{1}nvidia",
    "|nvidia",
    "nvidia|",
    "()",
    "()*nvidia",
    "(?:)*nvidia",
    "^*n",
    "$?",
    r"\b*n",
    r"\bnvidia",
    r"nvidia\b",
    r"n\Bvidia",
    r"\q",
    r"\-n",
    "n\\",
    r"\Anvidia",
    r"\znvidia",
    r"\N",
    r"\u006e",
    r"\U0000006e",
    r"\u00",
    "(?#comment)nvidia",
    "(?#open",
    "n(?#c)*vidia",
    "(?x) n v i d i a",
    "(?x) nvidia # note",
    "(?x:n v)idia",
    "n(?i)VIDIA",
    "(?s).",
    "(?m)^n",
    "(?a)n",
    "(?L)n",
    "(?au)n",
    "(?i-i:n)",
    "(?-:n)",
    "(?",
    "(?P",
    "(?P<",
    "(?P<n",
    "(?P<1>n)",
    "(?P<>n)",
    "(?P>n)",
    "(?<n>x)",
    "(n)?(?(1)v|lib)",
    "(n)(?(1)v|x|y)",
    "(?(1)n|l)",
    "(?(x)n|l)",
    "(?(0)n)",
    "(?>n)vidia",
    "(?>n+)nvidia",
    "(?>lib|l)",
    r"\.",
    "a.b",
    "nvidia..river",
    "lib.*:i386",
    "libnvidia-compute-535$",
    "libnvidia-compute-535(:i386)?$",
    "((((n))))vidia",
    "(n(v(i(d))))",
    "nvidia-driver-{535}",
    "nvidia-[0-9]{3}",
    "nvidia-(driver|utils)-[0-9]{3}$",
    r"\d\d",
    "cuda-(?!toolkit)",
    "(?=.*535)",
    "(?=.*535)nvidia",
    "(?!.*535)nvidia",
    r"nvidia-\S+$",
    r"nvidia-\s",
    "'nvidia-'",
    "“nvidia-”",
    "nvidia- ",
    "libnvidia- xserver",
    "nvidia-driver-535 nvidia-utils-535",
    r"[\q]",
    r"[\b]",
    r"[n\]]vidia",
    r"[a-\-]",
    r"[\--n]",
];

const NAMES: &[&str] = &[
    "nvidia-driver-535",
    "nvidia-utils-535-server",
    "nvidia-container-toolkit",
    "libnvidia-compute-535",
    "libnvidia-compute-535:i386",
    "libcuda1",
    "linux-modules-nvidia-535-generic",
    "linux-generic",
    "cuda-drivers",
    "cuda-toolkit-12-4",
    "xserver-xorg-video-nvidia-535",
    "libstdc++6",
    "firmware-nvidia-gsp",
    "nvidia-535",
    "n",
    "nnvidia",
    "libegl-nvidia0",
    "nvidia-firmware-535-535.183.01",
    "nvidia",
];

const SCRIPT: &str = "import re, sys, json, warnings
warnings.simplefilter('ignore')
d = json.load(sys.stdin)
out = []
for p in d['patterns']:
    try:
        r = re.compile(p)
        out.append([bool(r.match(n)) for n in d['names']])
    except (re.error, OverflowError):
        out.append(None)
print(json.dumps([sys.version_info >= (3, 11), out]))
";

#[test]
fn the_engine_agrees_with_python() {
    let child = Command::new("python3").args(["-c", SCRIPT]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let Ok(mut child) = child else {
        eprintln!("SKIPPED: no python3 on this machine, the patterns were not compared with Python's own answers");
        return;
    };
    let input = serde_json::json!({"patterns": PATTERNS, "names": NAMES}).to_string();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    let (since311, answers): (bool, Vec<Option<Vec<bool>>>) = serde_json::from_slice(&output.stdout).unwrap();
    let python = if since311 { Python::Since311 } else { Python::Before311 };
    let mut evaluated = 0;
    for (pattern, theirs) in PATTERNS.iter().zip(&answers) {
        match (compile(pattern, python), theirs) {
            (Ok(matcher), Some(theirs)) => {
                evaluated += 1;
                for (name, expected) in NAMES.iter().zip(theirs) {
                    assert_eq!(matcher.matches(name), Some(*expected), "`{pattern}` against `{name}`");
                }
            }
            (Err(Fault::Invalid(_)), None) => {}
            // Not evaluated is honest whatever Python says; it must stay rare.
            (Err(Fault::Beyond(why)), _) => eprintln!("not evaluated: `{pattern}` ({why})"),
            (ours, theirs) => panic!("`{pattern}`: ours {ours:?}, python's {theirs:?}"),
        }
    }
    assert!(evaluated >= 110, "only {evaluated} patterns were compared");
}
