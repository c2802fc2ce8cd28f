//! A command line in one text.

use std::ffi::OsString;

/// Splits a command line into its words, between spaces. Quotes, single or double, keep a word together; nothing else has
/// a meaning, so that paths with backslashes stay what they are.
///
/// # Errors
///
/// If there is no word, or a quote that no other ends.
pub fn words(line: &str) -> Result<Vec<OsString>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in line.chars() {
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, _) if c.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    if let Some(quote) = quote {
        return Err(format!("{line}: expected another {quote}, to end the quotation"));
    }
    words.extend(word);
    if words.is_empty() {
        return Err("expected a command, as in \"node my-hasher.js\"".into());
    }
    Ok(words.into_iter().map(OsString::from).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_keep_words_together() {
        for (line, expected) in [
            ("node my-hasher.js", &["node", "my-hasher.js"] as &[_]),
            ("  a\t b ", &["a", "b"]),
            (r#""C:\Program Files\node.exe" 'it is' x"#, &[r"C:\Program Files\node.exe", "it is", "x"]),
            (r#"a" b"c '' "it's""#, &["a bc", "", "it's"]),
        ] {
            assert_eq!(words(line).unwrap(), expected, "{line}");
        }
    }

    #[test]
    fn no_command_and_open_quotes_are_refused() {
        for (line, expected) in
            [("", "expected a command"), (" ", "expected a command"), ("a 'b", "another '")]
        {
            let error = words(line).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }
}
