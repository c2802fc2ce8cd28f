//! Where programs for a platform come from and how they run here: what is looked up, and what to do where it is missing.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::cells::Model;
use crate::launch::{self, Ending, Launcher};

/// A target of the compiler, with the means to run its programs.
pub(crate) struct Platform {
    pub(crate) name: &'static str,
    /// Cargo's features of the program that cells run.
    pub(crate) features: &'static [&'static str],
    /// Whether hashtree builds for it.
    pub(crate) hashtree: bool,
    toolchain: fn(&Tools) -> Found<Toolchain>,
    launcher: fn(&Tools, Model) -> Found<Launcher>,
}

/// What is missing, and where it comes from, if something is.
pub(crate) type Found<T> = Result<T, String>;

/// What cargo has to be told to build for a platform.
#[derive(Clone, Default)]
pub(crate) struct Toolchain {
    /// None: for this machine.
    pub(crate) triple: Option<&'static str>,
    pub(crate) arguments: Vec<OsString>,
    pub(crate) environment: Vec<(OsString, OsString)>,
}

impl Platform {
    pub(crate) fn toolchain(&self, tools: &Tools) -> Found<Toolchain> {
        (self.toolchain)(tools)
    }

    pub(crate) fn launcher(&self, tools: &Tools, cpu: Model) -> Found<Launcher> {
        (self.launcher)(tools, cpu)
    }
}

/// This machine.
pub(crate) const HERE: Platform = Platform {
    name: "here",
    features: &[],
    hashtree: cfg!(any(
        all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")),
        all(target_os = "macos", target_arch = "aarch64"),
    )),
    toolchain: |_| Ok(Toolchain::default()),
    launcher: |_, _| Ok(Launcher::default()),
};

/// x86-64 Linux on other CPUs than this one: the programs of this machine, emulated.
pub(crate) const X86_64: Platform = Platform {
    name: "here",
    features: &[],
    hashtree: true,
    toolchain: |_| match cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        true => Ok(Toolchain::default()),
        false => Err("an x86-64 Linux machine".to_owned()),
    },
    launcher: |tools, cpu| tools.qemu("qemu-x86_64", cpu, &[]),
};

/// 64-bit ARM Linux.
pub(crate) const AARCH64: Platform = Platform {
    name: "aarch64",
    features: &["--no-default-features", "--features", "hashtree"],
    hashtree: true,
    toolchain: |tools| match ARM_IS_HERE {
        true => Ok(Toolchain::default()),
        false => tools.aarch64(),
    },
    launcher: |tools, cpu| match ARM_IS_HERE {
        true => tools.qemu("qemu-aarch64", cpu, &[]),
        false => tools.qemu("qemu-aarch64", cpu, &["-L", ARM_LIBRARIES]),
    },
};

/// WebAssembly with 128-bit vectors, in node.
pub(crate) const WASM: Platform = Platform {
    name: "wasm",
    features: &["--no-default-features"],
    hashtree: false,
    toolchain: Tools::wasm,
    launcher: |tools, _| {
        let node = tools.program("node", "Node.js 20 or newer")?;
        let runner = tools.workspace.join("xtask/src/matrix/run_wasi.mjs");
        // V8's short cuts into WASI's functions corrupt node 20's heap: it crashes after some runs
        let options = ["--no-warnings", "--no-turbo-fast-api-calls"].map(OsString::from);
        let emulator = [node.into()].into_iter().chain(options).chain([runner.into()]).collect();
        Ok(Launcher { emulator, environment: Vec::new() })
    },
};

/// A target without an operating system.
pub(crate) const BARE: Platform = Platform {
    name: "bare",
    features: &[],
    hashtree: false,
    toolchain: Tools::bare,
    launcher: |_, _| Err("an operating system".to_owned()),
};

const ARM: &str = "aarch64-unknown-linux-gnu";
const ARM_IS_HERE: bool = cfg!(all(target_os = "linux", target_arch = "aarch64"));
/// Where Debian's and Ubuntu's cross compilers have the C library.
const ARM_LIBRARIES: &str = "/usr/aarch64-linux-gnu";
const FROM_SETUP: &str = "or --setup DIR on Debian";

/// Where things are looked up.
pub(crate) struct Tools {
    pub(crate) workspace: PathBuf,
    pub(crate) target: PathBuf,
    pub(crate) setup: Option<PathBuf>,
}

impl Tools {
    /// A program of the setup, or of the machine.
    pub(crate) fn program(&self, name: &str, comes_from: &str) -> Found<PathBuf> {
        let places = self.setup.iter().map(|setup| setup.join("qemu/usr/bin"));
        let path = std::env::var_os("PATH").unwrap_or_default();
        let mut files = places.chain(std::env::split_paths(&path).collect::<Vec<_>>());
        let file = files.find_map(|folder| {
            let file = folder.join(name).with_extension(std::env::consts::EXE_EXTENSION);
            file.is_file().then_some(file)
        });
        file.ok_or_else(|| format!("{name}: {comes_from}"))
    }

    /// qemu's user mode, with a model of a CPU.
    fn qemu(&self, name: &str, cpu: Model, arguments: &[&str]) -> Found<Launcher> {
        let qemu = self.program(name, &format!("Debian's and Ubuntu's package qemu-user, {FROM_SETUP}"))?;
        let mut emulator: Vec<OsString> = vec![qemu.into()];
        emulator.extend(arguments.iter().map(OsString::from));
        match cpu {
            Model::Own => {}
            Model::Emulated(model) => emulator.extend(["-cpu", model].map(OsString::from)),
            Model::Masked(model, bits) => {
                let mask = self.mask()?;
                emulator.extend(["-cpu", model, "-E"].map(OsString::from));
                emulator.push(format!("LD_PRELOAD={},DENIED_HWCAP={bits:#x}", mask.display()).into());
            }
        }
        Ok(Launcher { emulator, environment: Vec::new() })
    }

    /// A library that denies bits of AT_HWCAP, built where it is not yet.
    fn mask(&self) -> Found<PathBuf> {
        let source = self.workspace.join("xtask/src/matrix/mask_hwcap.c");
        let folder = self.target.join("matrix");
        let library = folder.join("mask_hwcap.so");
        std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let mut command = Command::new(self.arm_compiler()?);
        let ran = launch::run(command.args(["-O1", "-shared", "-fPIC", "-o"]).arg(&library).arg(source));
        match ran.ending {
            Ending::Success => Ok(library),
            _ => Err(format!("mask_hwcap.so: the C compiler {}", ran.last_words())),
        }
    }

    fn arm_compiler(&self) -> Found<PathBuf> {
        match ARM_IS_HERE {
            true => self.program("cc", "a C compiler"),
            false => self.program(
                "aarch64-linux-gnu-gcc",
                "Debian's and Ubuntu's packages gcc-aarch64-linux-gnu and libc6-dev-arm64-cross",
            ),
        }
    }

    /// Whether rustup's toolchain has the standard library for a target.
    fn has_std(&self, triple: &str) -> bool {
        let ran =
            launch::run(Command::new("rustc").args(["--print", "sysroot"]).current_dir(&self.workspace));
        Path::new(ran.stdout.trim()).join("lib/rustlib").join(triple).join("lib").is_dir()
    }

    /// Debian's compiler, which has what rustup's lacks.
    fn debians_compiler(&self, triple: &str) -> Found<Vec<(OsString, OsString)>> {
        let missing =
            || format!("Rust's standard library for {triple}: rustup target add {triple}, {FROM_SETUP}");
        let setup = self.setup.as_ref().filter(|setup| setup.join("rustc").is_file()).ok_or_else(missing)?;
        let tool = |name: &str| setup.join(name).into_os_string();
        Ok(vec![("RUSTC".into(), tool("rustc")), ("RUSTDOC".into(), tool("rustdoc"))])
    }

    fn aarch64(&self) -> Found<Toolchain> {
        let gcc = self.arm_compiler()?.into_os_string();
        let mut environment = if self.has_std(ARM) { Vec::new() } else { self.debians_compiler(ARM)? };
        // hashtree's build looks at plain CC only.
        environment.push(("CC".into(), gcc.clone()));
        environment.push(("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER".into(), gcc));
        Ok(Toolchain { triple: Some(ARM), arguments: Vec::new(), environment })
    }

    fn wasm(&self) -> Found<Toolchain> {
        const TRIPLE: &str = "wasm32-wasip1";
        const SIMD: &str = "-Ctarget-feature=+simd128";
        if self.has_std(TRIPLE) {
            let environment = vec![("RUSTFLAGS".into(), SIMD.into())];
            return Ok(Toolchain { triple: Some(TRIPLE), arguments: Vec::new(), environment });
        }
        let mut environment = self.debians_compiler(TRIPLE)?;
        let libc =
            self.setup.iter().map(|setup| setup.join("rust/usr/lib/wasm32-wasi")).next().unwrap_or_default();
        let libc = libc.display();
        // Debian's C library for it lacks a few functions: the program imports them, and run_wasi.mjs provides them.
        let flags = format!(
            "{SIMD} -Clink-self-contained=no -L{libc} -Clink-arg={libc}/crt1-command.o -Clink-arg=--allow-undefined"
        );
        environment.push(("RUSTFLAGS".into(), flags.into()));
        environment.push(("CARGO_TARGET_WASM32_WASIP1_LINKER".into(), self.rust_lld()?.into()));
        environment.push(("RUSTC_BOOTSTRAP".into(), "1".into()));
        let arguments = vec!["-Zbuild-std=std,panic_abort,test".into()];
        Ok(Toolchain { triple: Some(TRIPLE), arguments, environment })
    }

    fn bare(&self) -> Found<Toolchain> {
        const TRIPLE: &str = "aarch64-unknown-none";
        if self.has_std(TRIPLE) {
            return Ok(Toolchain { triple: Some(TRIPLE), ..Toolchain::default() });
        }
        let mut environment = self.debians_compiler(TRIPLE)?;
        environment.push(("RUSTC_BOOTSTRAP".into(), "1".into()));
        Ok(Toolchain { triple: Some(TRIPLE), arguments: vec!["-Zbuild-std=core".into()], environment })
    }

    /// The linker that rustup's toolchain brings.
    fn rust_lld(&self) -> Found<PathBuf> {
        let ran = launch::run(
            Command::new("rustc").args(["--print", "target-libdir"]).current_dir(&self.workspace),
        );
        let lld = Path::new(ran.stdout.trim()).with_file_name("bin").join("rust-lld");
        if lld.is_file() {
            Ok(lld)
        } else {
            Err(format!("{}: it comes with rustup's toolchain", lld.display()))
        }
    }
}
