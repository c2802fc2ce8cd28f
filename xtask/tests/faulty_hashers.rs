//! Whoever certifies hashers has to be tested with wrong ones: each fault here is caught by `cargo xtask certify`, by the
//! check that is there for it, and no right hasher is accused.
//!
//! The faults are functions of a library, `faulty_hashers/faults.c`, and programs, which this target itself is when it is
//! started with `--program`. At its end a table tells which stage caught which; it is also in `faulty-hashers.tsv` in the
//! target directory's `tmp`.

#[path = "faulty_hashers/programs.rs"]
mod programs;
#[path = "tools/certify.rs"]
mod tools;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;

use libtest_mimic::{Arguments, Failed, Trial};
use tools::{Certified, certify, compile};

/// Each fault of the library, and the first check that has to catch it: most are caught by others as well.
#[rustfmt::skip] // a table
const FUNCTIONS: [(&str, &str); 58] = [
    // in some lanes, at some sizes
    ("one_bit_in_one_lane_of_8", "lanes"),
    ("last_lane_of_16", "lanes"),
    ("lane_2_takes_a_byte_of_lane_3", "lanes"),
    ("remainder_mod_4_dropped", "batch-sizes"),
    ("remainder_mod_16_dropped_in_long_batches", "batch-sizes"),
    ("no_more_than_4096", "batch-sizes"),
    ("count_as_uint8", "batch-sizes"),
    ("count_as_uint16", "batch-sizes"),
    ("odd_counts", "batch-sizes"),
    ("exactly_48", "batch-sizes"),
    ("one_past_a_power_of_two", "batch-sizes"),
    ("neighbours_swapped", "lanes"),
    ("first_and_last_swapped", "lanes"),
    ("each_from_the_pair_before", "lanes"),
    // another function
    ("siblings_swapped", "batch-sizes"),
    ("words_little_endian", "batch-sizes"),
    ("without_the_padding_block", "batch-sizes"),
    ("wrong_length_in_the_padding", "batch-sizes"),
    ("sha224s_initial_state", "batch-sizes"),
    ("last_byte_left_out", "batch-sizes"),
    ("xors_into_the_output", "batch-sizes"),
    // for some contents
    ("zero_pairs", "zeros-and-ones"),
    ("pairs_of_ones", "zeros-and-ones"),
    ("equal_siblings", "contents"),
    ("zero_right_sibling", "contents"),
    ("one_in_4096_pairs", "contents"),
    ("a_single_bit", "contents"),
    // in some calls
    ("stale_when_empty", "calls"),
    ("first_call_cold", "batch-sizes"),
    ("each_thousandth_call", "calls"),
    ("after_5000_calls", "calls"),
    ("after_a_long_batch", "calls"),
    ("cached_by_address", "calls"),
    ("cached_by_left_sibling", "calls"),
    // at some addresses
    ("misaligned_input", "alignments"),
    ("misaligned_output", "alignments"),
    ("one_misalignment_of_both", "alignments"),
    // with several threads
    ("two_threads_at_once", "threads"),
    ("scratch_shared_by_threads", "threads"),
    ("only_on_its_first_thread", "threads"),
    // in memory that is not its own
    ("one_byte_past_the_end", "guard-pages"),
    ("one_byte_before_the_start", "guard-pages"),
    ("a_whole_group_of_4", "batch-sizes"),
    ("past_the_end_what_was_there", "guard-pages"),
    ("reads_past_the_end", "guard-pages"),
    ("reads_before_the_start", "guard-pages"),
    ("writes_into_its_input", "guard-pages"),
    ("writes_into_its_input_and_back", "guard-pages"),
    // to the end of the process
    ("illegal_instruction", "batch-sizes"),
    ("segmentation_fault", "batch-sizes"),
    ("aborts", "lanes"),
    ("exits", "lanes"),
    ("hangs", "batch-sizes"),
    // right, in ways that are not everyone's
    ("right", RIGHT),
    ("right_backwards", RIGHT),
    ("right_through_a_copy", RIGHT),
    ("right_twice", RIGHT),
    // and no function at all
    ("no_such_function", "start"),
];

/// Stands where a check's name would, of what is to be certified.
const RIGHT: &str = "-";

/// What the messages of those that crash have to say.
const SAYS: [(&str, &str); 6] = [
    ("illegal_instruction", "killed by SIGILL"),
    ("segmentation_fault", "killed by SIGSEGV"),
    ("aborts", "killed by SIGABRT"),
    ("exits", "exited with status 0"),
    ("hangs", "no answer"),
    ("no_such_function", "has no symbol no_such_function"),
];

static TABLE: Mutex<Vec<String>> = Mutex::new(Vec::new());

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    if arguments.next().as_deref() == Some("--program") {
        return programs::run(&arguments.next().unwrap_or_default());
    }
    let arguments = Arguments::from_args();
    let mut trials: Vec<_> =
        programs::ALL.iter().map(|&(name, catches, says)| program(name, catches, says)).collect();
    let folder = tools::folder();
    trials.extend(functions(&arguments, folder.path()));
    let conclusion = libtest_mimic::run(&arguments, trials);
    write_table();
    conclusion.exit_code()
}

fn program(name: &'static str, catches: &'static str, says: &'static str) -> Trial {
    Trial::test(format!("program/{name}"), move || {
        let this = std::env::current_exe()?;
        let command = format!("\"{}\" --program {name}", this.display());
        // long enough for the right ones on a busy machine
        let timeout = if says.contains("within 2 s") { "2" } else { "60" };
        let certified = certify(&["--hasher-command", &command, "--hasher-timeout", timeout]);
        judge(&format!("program/{name}"), catches, says, &certified)
    })
}

fn functions(arguments: &Arguments, folder: &Path) -> Vec<Trial> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faulty_hashers/faults.c");
    // what is only listed need not be there
    let library =
        if arguments.list { Ok(PathBuf::new()) } else { compile(&[&source], folder, "faults", &[]) };
    let trial = |&(name, catches): &(&'static str, &'static str)| {
        tools::trial(format!("function/{name}"), "cc", &library, move |library| {
            let given = format!("{}:{name}", library.display());
            let timeout = if name == "hangs" { "2" } else { "60" };
            let says = SAYS.iter().find(|(of, _)| *of == name).map_or("", |(_, says)| says);
            let certified = certify(&["--hasher-library", &given, "--hasher-timeout", timeout]);
            judge(&format!("function/{name}"), catches, says, &certified)
        })
    };
    // what is right of one family is wrong of another
    let other_family = |family: &'static str| {
        tools::trial(format!("function/right as {family}"), "cc", &library, move |library| {
            let given = format!("{}:right", library.display());
            let certified = certify(&["--hasher-library", &given, "--family", family]);
            judge(&format!("function/right as {family}"), "batch-sizes", "batch of 1: node 0 is", &certified)
        })
    };
    FUNCTIONS.iter().map(trial).chain(["keccak256", "rfc6962"].map(other_family)).collect()
}

fn judge(name: &str, catches: &str, says: &str, certified: &Certified) -> Result<(), Failed> {
    let caught = certified.caught();
    TABLE
        .lock()
        .unwrap()
        .push(format!("{name}\t{}", if caught.is_empty() { RIGHT.into() } else { caught.join(", ") }));
    let expected = match catches {
        RIGHT => caught.is_empty() && certified.status == 0,
        _ => caught.iter().any(|stage| stage == catches) && certified.status != 0,
    };
    if expected && certified.text.contains(says) {
        return Ok(());
    }
    Err(format!(
        "expected {catches} to catch it, with {says:?}; caught by {caught:?}\n{:.4000}",
        certified.text
    )
    .into())
}

fn write_table() {
    let mut rows = TABLE.lock().unwrap();
    rows.sort();
    if rows.len() > 1 {
        println!("{}", rows.join("\n"));
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("faulty-hashers.tsv");
        std::fs::write(&path, rows.join("\n") + "\n").unwrap();
        println!("also in {}", path.display());
    }
}
