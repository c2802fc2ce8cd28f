//! From a name or an expression to a [`Type`], in one fork under one preset.

use std::cell::RefCell;

use super::notation::{Argument, Expr, Number, Operator};
use super::{SchemaError, Schemas, Set};
use crate::types::{Field, Type, TypeError};

/// Presets that only some vectors use and that no constant depends on.
const WITHOUT_CONSTANTS: &str = "general";

/// What names mean: the definitions of a fork and of those before it, of a set and of those it extends.
pub(super) struct Scope<'s> {
    /// The newest first.
    sets: Vec<(&'s str, &'s Set)>,
    /// The newest first.
    forks: Vec<&'s str>,
    preset: String,
    /// Names being resolved, to find a definition that leads back to itself.
    open: RefCell<Vec<String>>,
}

impl<'s> Scope<'s> {
    pub(super) fn new(
        schemas: &'s Schemas,
        set: &str,
        preset: &str,
        fork: &str,
    ) -> Result<Self, SchemaError> {
        let mut sets = Vec::new();
        let mut next = Some(set);
        while let Some((name, found)) = next.and_then(|name| schemas.sets.get_key_value(name)) {
            sets.push((name.as_str(), found));
            next = schemas.releases.extended(name);
        }
        let mut scope =
            Self { sets, forks: Vec::new(), preset: preset.into(), open: RefCell::new(Vec::new()) };
        let mut next = Some(fork);
        while let Some(name) = next {
            let (name, extends) = scope.find_fork(name)?;
            scope.forks.push(name);
            next = extends;
        }
        scope.check_preset()?;
        Ok(scope)
    }

    pub(super) fn forks(&self) -> &[&'s str] {
        &self.forks
    }

    pub(super) fn names(&self) -> Vec<String> {
        let visible =
            |fork: &&str| self.sets.iter().filter_map(|(_, set)| set.forks.get(*fork)).collect::<Vec<_>>();
        let mut names: Vec<String> =
            self.forks.iter().flat_map(visible).flat_map(|fork| fork.definitions.keys().cloned()).collect();
        names.sort();
        names.dedup();
        names
    }

    fn find_fork(&self, name: &str) -> Result<(&'s str, Option<&'s str>), SchemaError> {
        let found = self.sets.iter().find_map(|(_, set)| set.forks.get_key_value(name));
        let (name, _) = found.ok_or_else(|| {
            let mut known: Vec<_> = self.sets.iter().flat_map(|(_, set)| set.forks.keys().cloned()).collect();
            known.sort();
            known.dedup();
            SchemaError::UnknownFork { fork: name.into(), set: self.set_name(), known: known.join(", ") }
        })?;
        let files = self.sets.iter().filter_map(|(_, set)| set.forks.get(name));
        Ok((name, files.filter_map(|file| file.extends.as_deref()).next()))
    }

    fn check_preset(&self) -> Result<(), SchemaError> {
        let mut constants = self.sets.iter().flat_map(|(_, set)| set.constants.values());
        if self.preset == WITHOUT_CONSTANTS || constants.any(|values| values.contains_key(&self.preset)) {
            Ok(())
        } else {
            Err(SchemaError::UnknownPreset(self.preset.clone()))
        }
    }

    fn set_name(&self) -> String {
        self.sets.first().map(|(name, _)| (*name).to_owned()).unwrap_or_default()
    }

    /// A built-in type, or the newest definition of the name.
    pub(super) fn resolve_name(&self, name: &str) -> Result<Type, SchemaError> {
        if let Some(ty) = built_in(name) {
            return ty.map_err(|error| SchemaError::Illegal { name: name.into(), error });
        }
        let definition = self.forks.iter().find_map(|fork| {
            self.sets.iter().find_map(|(_, set)| set.forks.get(*fork)?.definitions.get(name))
        });
        let definition = definition.ok_or_else(|| SchemaError::UnknownType {
            name: name.into(),
            fork: self.forks[0].into(),
            set: self.set_name(),
        })?;
        if self.open.borrow().iter().any(|open| open == name) {
            return Err(SchemaError::Circular(name.into()));
        }
        self.open.borrow_mut().push(name.into());
        let resolved = self.resolve_as(name, definition);
        self.open.borrow_mut().pop();
        resolved
    }

    pub(super) fn resolve(&self, expr: &Expr) -> Result<Type, SchemaError> {
        self.resolve_as("the type", expr)
    }

    fn resolve_as(&self, name: &str, expr: &Expr) -> Result<Type, SchemaError> {
        let legal = |made: Result<Type, TypeError>| {
            made.map_err(|error| SchemaError::Illegal { name: name.into(), error })
        };
        match expr {
            Expr::Name(name) => self.resolve_name(name),
            Expr::Generic(generic, arguments) => legal(self.generic(generic, arguments)?),
            Expr::Container(fields) => legal(Type::container(self.fields(fields)?)),
            Expr::ProgressiveContainer(active, fields) => {
                legal(Type::progressive_container(active.clone(), self.fields(fields)?))
            }
            Expr::CompatibleUnion(options) => {
                let options: Result<Vec<_>, _> =
                    options.iter().map(|(selector, option)| Ok((*selector, self.resolve(option)?))).collect();
                legal(Type::compatible_union(options?))
            }
        }
    }

    fn fields(&self, fields: &[(String, Expr)]) -> Result<Vec<Field>, SchemaError> {
        let field = |(name, expr): &(String, Expr)| Ok(Field { name: name.clone(), ty: self.resolve(expr)? });
        fields.iter().map(field).collect()
    }

    /// The outer error is of the notation, the inner one of the type's rules.
    fn generic(&self, name: &str, arguments: &[Argument]) -> Result<Result<Type, TypeError>, SchemaError> {
        let wrong = |takes| Err(SchemaError::Arguments(name.into(), takes));
        Ok(match (name.to_ascii_lowercase().as_str(), arguments) {
            ("vector", [element, length]) => Type::vector(self.type_of(element)?, self.number_of(length)?),
            ("list", [element, limit]) => Type::list(self.type_of(element)?, self.number_of(limit)?),
            ("progressivelist", [element]) => Type::progressive_list(self.type_of(element)?),
            ("bitvector", [length]) => Type::bit_vector(self.number_of(length)?),
            ("bitlist", [limit]) => Ok(Type::bit_list(self.number_of(limit)?)),
            ("bytevector", [length]) => Type::vector(Type::byte(), self.number_of(length)?),
            ("bytelist", [limit]) => Type::list(Type::byte(), self.number_of(limit)?),
            ("union", options) => {
                let option = |option: &Argument| match option {
                    Argument::Number(Number::Constant(none)) if none == "None" => Ok(None),
                    option => self.type_of(option).map(Some),
                };
                Type::union(options.iter().map(option).collect::<Result<_, _>>()?)
            }
            ("vector", _) => return wrong("an element type and a length"),
            ("list", _) => return wrong("an element type and a limit"),
            ("progressivelist", _) => return wrong("an element type"),
            ("bitvector" | "bytevector", _) => return wrong("a length"),
            ("bitlist" | "bytelist", _) => return wrong("a limit"),
            _ => {
                let (fork, set) = (self.forks[0].into(), self.set_name());
                return Err(SchemaError::UnknownType { name: name.into(), fork, set });
            }
        })
    }

    fn type_of(&self, argument: &Argument) -> Result<Type, SchemaError> {
        match argument {
            Argument::Type(expr) => self.resolve(expr),
            Argument::Number(Number::Constant(name)) => self.resolve_name(name),
            Argument::Number(number) => {
                Err(SchemaError::Arguments(format!("{number:?}"), "no number here, but a type"))
            }
        }
    }

    fn number_of(&self, argument: &Argument) -> Result<u64, SchemaError> {
        match argument {
            Argument::Number(number) => self.number(number),
            Argument::Type(expr) => {
                Err(SchemaError::Arguments(format!("{expr:?}"), "no type here, but a number"))
            }
        }
    }

    fn number(&self, number: &Number) -> Result<u64, SchemaError> {
        let range = || SchemaError::Arithmetic(format!("{number:?}"));
        match number {
            Number::Literal(value) => Ok(*value),
            Number::Constant(name) => self.constant(name),
            Number::FloorLog2(inner) => self.number(inner)?.checked_ilog2().map(u64::from).ok_or_else(range),
            Number::Binary(left, operator, right) => {
                let (left, right) = (self.number(left)?, self.number(right)?);
                match operator {
                    Operator::Add => left.checked_add(right),
                    Operator::Subtract => left.checked_sub(right),
                    Operator::Multiply => left.checked_mul(right),
                    Operator::Divide => left.checked_div(right),
                }
                .ok_or_else(range)
            }
        }
    }

    fn constant(&self, name: &str) -> Result<u64, SchemaError> {
        let found = self.sets.iter().find_map(|(_, set)| set.constants.get(name)?.get(&self.preset));
        found.copied().ok_or_else(|| SchemaError::UnknownConstant(name.into()))
    }
}

/// The types that the specification defines in prose, in the spellings of all releases.
fn built_in(name: &str) -> Option<Result<Type, TypeError>> {
    let lower = name.to_ascii_lowercase();
    match lower.as_str() {
        "boolean" | "bool" => Some(Ok(Type::boolean())),
        "byte" => Some(Ok(Type::byte())),
        "progressivebitlist" => Some(Ok(Type::progressive_bit_list())),
        "progressivebytelist" => Some(Type::progressive_list(Type::byte())),
        _ => {
            let digits = |prefix| lower.strip_prefix(prefix).and_then(|digits: &str| digits.parse().ok());
            match (digits("uint"), digits("bytes")) {
                (Some(bits), _) => Some(Type::uint(bits)),
                (_, Some(length)) => Some(Type::vector(Type::byte(), length)),
                _ => None,
            }
        }
    }
}
