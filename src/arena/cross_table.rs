//! The cross table of a tournament: who made how many points against whom.

use std::fmt::Write as _;

/// The most columns of the text.
const WIDTH: usize = 80;

/// A row and a column for each engine, in the order given; `cell` is the text of a row in a column. Where not all
/// columns have room, they follow below, with the names again.
pub fn cross_table(names: &[&str], cell: impl Fn(usize, usize) -> String) -> String {
    let cells: Vec<Vec<String>> = (0..names.len())
        .map(|row| (0..names.len()).map(|column| cell(row, column)).collect())
        .collect();
    let length = |text: &String| text.chars().count();
    let wide = cells.iter().flatten().map(length).max().unwrap_or(0).max(2) + 2;
    let name = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let head = name + 6;
    let columns: Vec<usize> = (0..names.len()).collect();
    let mut text = String::new();
    for block in columns.chunks((WIDTH.saturating_sub(head) / wide).max(1)) {
        let numbers = block.iter().map(|column| format!("{:>wide$}", column + 1));
        let _ = writeln!(text, "{:head$}{}", "", numbers.collect::<String>());
        for (row, cells) in cells.iter().enumerate() {
            let cells = block.iter().map(|&column| format!("{:>wide$}", cells[column]));
            let cells = cells.collect::<String>();
            let _ = writeln!(text, "{:>4}  {:<name$}{cells}", row + 1, names[row]);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_meeting_has_a_cell_and_no_line_is_too_long() {
        for engines in [2, 3, 7, 40] {
            let names: Vec<String> =
                (0..engines).map(|number| format!("engine {number}")).collect();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let text = cross_table(&names, |row, column| format!("{row}/{column}"));
            assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
            let cells = text.split_whitespace().filter(|word| word.contains('/')).count();
            assert_eq!(cells, engines * engines, "{text}");
        }
        let text = cross_table(&["a", "bc"], |row, column| {
            ["–", "1.5/2", "0.5/2", "–"][2 * row + column].into()
        });
        assert_eq!(
            text,
            "              1      2\n   1  a       –  1.5/2\n   2  bc  0.5/2      –\n"
        );
    }
}
