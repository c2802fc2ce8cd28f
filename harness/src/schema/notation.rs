//! The specification's notation for types: reads definitions, without knowing what their names mean.
//!
//! ```text
//! Checkpoint = Container {
//!     epoch: Epoch
//!     root: Root
//! }
//! Shape = CompatibleUnion { 1: Square  2: Circle }
//! Roots = Vector[Root, SLOTS_PER_HISTORICAL_ROOT // 2]
//! Bits = ProgressiveContainer(active_fields=[1] * 3 + [0, 1]) { a: uint8  b: uint8  c: uint8  d: uint8 }
//! ```

use std::fmt;

/// The right side of a definition.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Expr {
    /// `uint64`, `Root`
    Name(String),
    /// `List[Validator, VALIDATOR_REGISTRY_LIMIT]`: a type and its arguments.
    Generic(String, Vec<Argument>),
    /// `Container { .. }`
    Container(Vec<(String, Expr)>),
    /// `ProgressiveContainer(active_fields=[..]) { .. }`
    ProgressiveContainer(Vec<bool>, Vec<(String, Expr)>),
    /// `CompatibleUnion { 1: .. }`
    CompatibleUnion(Vec<(u64, Expr)>),
}

/// What stands between brackets: the reader cannot tell a type's name from a constant's, the resolver can.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Argument {
    Type(Expr),
    Number(Number),
}

/// Arithmetic over constants.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Number {
    Literal(u64),
    Constant(String),
    FloorLog2(Box<Number>),
    Binary(Box<Number>, Operator, Box<Number>),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
}

/// Where the notation is not understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotationError {
    line: usize,
    expected: String,
    found: String,
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: expected {}, found {}", self.line, self.expected, self.found)
    }
}

/// A file of definitions.
#[derive(Debug, Default)]
pub(super) struct File {
    /// The fork that this one builds on.
    pub(super) extends: Option<String>,
    /// In the order of the file.
    pub(super) definitions: Vec<(String, Expr)>,
}

/// Reads a whole file: an optional line `extends FORK`, then definitions.
pub(super) fn read_file(text: &str) -> Result<File, NotationError> {
    let mut reader = Reader::new(text)?;
    let mut file = File::default();
    if reader.accept_word("extends") {
        file.extends = Some(reader.name()?);
    }
    while reader.peek() != &Token::End {
        let name = reader.name()?;
        reader.expect("=")?;
        file.definitions.push((name, reader.expr(0)?));
    }
    Ok(file)
}

/// Reads one type, as in `List[uint64, 4]`.
pub(super) fn read_type(text: &str) -> Result<Expr, NotationError> {
    let mut reader = Reader::new(text)?;
    let expr = reader.expr(0)?;
    match reader.peek() {
        Token::End => Ok(expr),
        _ => Err(reader.error("the end")),
    }
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Word(String),
    Number(u64),
    Mark(&'static str),
    End,
}

struct Reader {
    tokens: Vec<(usize, Token)>,
    at: usize,
}

const MARKS: [&str; 14] = ["//", "=", "{", "}", "[", "]", "(", ")", ",", ":", "+", "-", "*", "#"];

/// Brackets nest at most this deep, so that no text exhausts the stack.
const MAX_NESTING: usize = 64;

impl Reader {
    fn new(text: &str) -> Result<Self, NotationError> {
        let mut tokens = Vec::new();
        for (number, line) in text.lines().enumerate() {
            tokenize(line, number + 1, &mut tokens)?;
        }
        tokens.push((text.lines().count(), Token::End));
        Ok(Self { tokens, at: 0 })
    }

    fn peek(&self) -> &Token {
        &self.tokens[self.at].1
    }

    fn next(&mut self) -> Token {
        let token = self.peek().clone();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    fn error(&self, expected: &str) -> NotationError {
        let (line, token) = &self.tokens[self.at];
        let found = match token {
            Token::Word(word) => word.clone(),
            Token::Number(number) => number.to_string(),
            Token::Mark(mark) => (*mark).into(),
            Token::End => "the end".into(),
        };
        NotationError { line: *line, expected: expected.into(), found }
    }

    fn accept(&mut self, mark: &str) -> bool {
        let found = matches!(self.peek(), Token::Mark(found) if *found == mark);
        if found {
            self.next();
        }
        found
    }

    fn accept_word(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), Token::Word(found) if found == word);
        if found {
            self.next();
        }
        found
    }

    fn expect(&mut self, mark: &str) -> Result<(), NotationError> {
        if self.accept(mark) { Ok(()) } else { Err(self.error(mark)) }
    }

    fn name(&mut self) -> Result<String, NotationError> {
        match self.peek() {
            Token::Word(_) => match self.next() {
                Token::Word(word) => Ok(word),
                _ => unreachable!("peeked"),
            },
            _ => Err(self.error("a name")),
        }
    }

    fn expr(&mut self, nesting: usize) -> Result<Expr, NotationError> {
        if nesting > MAX_NESTING {
            return Err(self.error("fewer levels of nesting"));
        }
        let name = self.name()?;
        match name.as_str() {
            "Container" => Ok(Expr::Container(self.fields(nesting)?)),
            "ProgressiveContainer" => {
                let active = self.active_fields()?;
                Ok(Expr::ProgressiveContainer(active, self.fields(nesting)?))
            }
            "CompatibleUnion" => Ok(Expr::CompatibleUnion(self.options(nesting)?)),
            _ if self.accept("[") => {
                let mut arguments = vec![self.argument(nesting + 1)?];
                while self.accept(",") {
                    arguments.push(self.argument(nesting + 1)?);
                }
                self.expect("]")?;
                Ok(Expr::Generic(name, arguments))
            }
            _ => Ok(Expr::Name(name)),
        }
    }

    /// An argument that starts with a word followed by `[` or `{` is a type; one that is a bare word may be either and
    /// is read as a number's constant, which the resolver takes as a type where it expects one.
    fn argument(&mut self, nesting: usize) -> Result<Argument, NotationError> {
        let follows = &self.tokens[(self.at + 1).min(self.tokens.len() - 1)].1;
        match (self.peek(), follows) {
            (Token::Word(_), Token::Mark("[" | "{")) => Ok(Argument::Type(self.expr(nesting)?)),
            _ => Ok(Argument::Number(self.sum(nesting)?)),
        }
    }

    fn fields(&mut self, nesting: usize) -> Result<Vec<(String, Expr)>, NotationError> {
        self.expect("{")?;
        let mut fields = Vec::new();
        while !self.accept("}") {
            let name = self.name()?;
            self.expect(":")?;
            fields.push((name, self.expr(nesting + 1)?));
        }
        Ok(fields)
    }

    fn options(&mut self, nesting: usize) -> Result<Vec<(u64, Expr)>, NotationError> {
        self.expect("{")?;
        let mut options = Vec::new();
        while !self.accept("}") {
            let selector = self.literal()?;
            self.expect(":")?;
            options.push((selector, self.expr(nesting + 1)?));
            self.accept(",");
        }
        Ok(options)
    }

    /// `(active_fields=[1] * 3 + [0, 1])`
    fn active_fields(&mut self) -> Result<Vec<bool>, NotationError> {
        self.expect("(")?;
        if !self.accept_word("active_fields") {
            return Err(self.error("active_fields"));
        }
        self.expect("=")?;
        let mut active = Vec::new();
        loop {
            let run = self.bits()?;
            let times = if self.accept("*") { self.literal()? } else { 1 };
            for _ in 0..times.min(1024) {
                active.extend_from_slice(&run);
            }
            if !self.accept("+") {
                break;
            }
        }
        self.expect(")")?;
        Ok(active)
    }

    fn bits(&mut self) -> Result<Vec<bool>, NotationError> {
        self.expect("[")?;
        let mut bits = Vec::new();
        while !self.accept("]") {
            match self.peek() {
                Token::Number(bit @ (0 | 1)) => bits.push(*bit == 1),
                _ => return Err(self.error("0 or 1")),
            }
            self.next();
            self.accept(",");
        }
        Ok(bits)
    }

    fn literal(&mut self) -> Result<u64, NotationError> {
        match *self.peek() {
            Token::Number(number) => {
                self.next();
                Ok(number)
            }
            _ => Err(self.error("a number")),
        }
    }

    fn sum(&mut self, nesting: usize) -> Result<Number, NotationError> {
        let mut left = self.product(nesting)?;
        loop {
            let operator = match self.peek() {
                Token::Mark("+") => Operator::Add,
                Token::Mark("-") => Operator::Subtract,
                _ => return Ok(left),
            };
            self.next();
            left = Number::Binary(Box::new(left), operator, Box::new(self.product(nesting)?));
        }
    }

    fn product(&mut self, nesting: usize) -> Result<Number, NotationError> {
        let mut left = self.atom(nesting)?;
        loop {
            let operator = match self.peek() {
                Token::Mark("*") => Operator::Multiply,
                Token::Mark("//") => Operator::Divide,
                _ => return Ok(left),
            };
            self.next();
            left = Number::Binary(Box::new(left), operator, Box::new(self.atom(nesting)?));
        }
    }

    fn atom(&mut self, nesting: usize) -> Result<Number, NotationError> {
        if nesting > MAX_NESTING {
            return Err(self.error("fewer levels of nesting"));
        }
        if let Token::Number(_) = self.peek() {
            return self.literal().map(Number::Literal);
        }
        if self.accept("(") {
            let inner = self.sum(nesting + 1)?;
            self.expect(")")?;
            return Ok(inner);
        }
        let name = self.name()?;
        if name == "floorlog2" {
            self.expect("(")?;
            let inner = self.sum(nesting + 1)?;
            self.expect(")")?;
            return Ok(Number::FloorLog2(Box::new(inner)));
        }
        Ok(Number::Constant(name))
    }
}

fn tokenize(line: &str, number: usize, tokens: &mut Vec<(usize, Token)>) -> Result<(), NotationError> {
    let mut rest = line.trim_start();
    while let Some(first) = rest.chars().next() {
        let word = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        let unknown = || NotationError {
            line: number,
            expected: "a name, a number or a mark".into(),
            found: rest.chars().take(20).collect(),
        };
        let (token, length) = if first.is_ascii_digit() {
            (Token::Number(rest[..word].parse().map_err(|_| unknown())?), word)
        } else if word > 0 {
            (Token::Word(rest[..word].into()), word)
        } else {
            let mark = MARKS.iter().find(|mark| rest.starts_with(**mark)).ok_or_else(unknown)?;
            if *mark == "#" {
                return Ok(());
            }
            (Token::Mark(mark), mark.len())
        };
        tokens.push((number, token));
        rest = rest[length..].trim_start();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(name: &str) -> Expr {
        Expr::Name(name.into())
    }

    #[test]
    fn definitions_of_every_shape_are_read() {
        let file = read_file(
            "extends phase0\n# why\nRoot = Bytes32\nA = Container { a: Root  b: List[Root, (N + 1) * 2 // 3] }\n\
             B = ProgressiveContainer(active_fields=[1] * 2 + [0, 1]) {\n a: A\n b: A\n c: A\n}\n\
             C = CompatibleUnion { 1: A, 2: B }\nD = Vector[Root, floorlog2(GINDEX)]",
        )
        .unwrap();
        assert_eq!(file.extends.as_deref(), Some("phase0"));
        assert_eq!(file.definitions.len(), 5);
        assert_eq!(file.definitions[0], ("Root".into(), name("Bytes32")));
        let Expr::ProgressiveContainer(active, fields) = &file.definitions[2].1 else { panic!("{file:?}") };
        assert_eq!((active.as_slice(), fields.len()), (&[true, true, false, true][..], 3));
        assert_eq!(file.definitions[3].1, Expr::CompatibleUnion(vec![(1, name("A")), (2, name("B"))]));
    }

    #[test]
    fn multiplication_binds_closer_than_addition() {
        let Expr::Generic(_, arguments) = read_type("Vector[T, 1 + 2 * 3]").unwrap() else { panic!() };
        let Argument::Number(Number::Binary(_, Operator::Add, right)) = &arguments[1] else { panic!() };
        assert!(matches!(**right, Number::Binary(_, Operator::Multiply, _)));
    }

    #[test]
    fn errors_name_the_line_and_what_was_expected() {
        let error = |text| read_file(text).map(|_| ()).unwrap_err().to_string();
        assert_eq!(error("A = Container {\n  a Root\n}"), "line 2: expected :, found Root");
        assert_eq!(error("A = List[Root, 4"), "line 1: expected ], found the end");
        assert_eq!(error("A = ?"), "line 1: expected a name, a number or a mark, found ?");
        assert!(error(&format!("A = {}", "List[".repeat(100_000))).contains("fewer levels of nesting"));
    }
}
