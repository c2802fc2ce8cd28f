//! Tables for people.

use std::fmt;

/// Rows under a header; each column as wide as its widest line, cells of several lines allowed.
pub(crate) struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn new(header: &[&str]) -> Self {
        Self { rows: vec![header.iter().map(|&name| name.to_owned()).collect()] }
    }

    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    fn widths(&self) -> Vec<usize> {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |cell: &String| cell.lines().map(|line| line.chars().count()).max().unwrap_or(0);
        let column = |i| self.rows.iter().filter_map(|row| row.get(i)).map(width).max().unwrap_or(0);
        (0..columns).map(column).collect()
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let widths = self.widths();
        for row in &self.rows {
            let height = row.iter().map(|cell| cell.lines().count()).max().unwrap_or(0);
            for line in 0..height {
                let cells = row
                    .iter()
                    .zip(&widths)
                    .map(|(cell, &width)| format!("{:width$}", cell.lines().nth(line).unwrap_or_default()));
                writeln!(f, "{}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
            }
        }
        Ok(())
    }
}

/// Breaks words into lines of at most `width`; a longer word stays whole.
pub(crate) fn wrap(words: &[&str], width: usize) -> String {
    let mut lines: Vec<String> = Vec::new();
    for &word in words {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up_over_cells_of_several_lines() {
        let mut table = Table::new(&["a", "b", "c"]);
        table.row(["one".into(), wrap(&["two", "three", "four"], 9), "five".into()]);
        assert_eq!(table.to_string(), "a    b          c\none  two three  five\n     four\n");
    }
}
