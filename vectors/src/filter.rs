//! Which cases to look at.

use crate::CaseId;

/// Narrows a walk. Each list names what is wanted; an empty one wants everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Presets, by exact name.
    pub presets: Vec<String>,
    /// Forks, by exact name.
    pub forks: Vec<String>,
    /// Runners, by exact name.
    pub runners: Vec<String>,
    /// Handlers, by exact name.
    pub handlers: Vec<String>,
    /// Texts of which one must occur in the case's path, `<preset>/.../<case>`.
    pub texts: Vec<String>,
}

impl Filter {
    /// Wants exactly the case `id`, and those whose path contains its path.
    pub(crate) fn exactly(id: &CaseId) -> Self {
        Self {
            presets: vec![id.preset.clone()],
            forks: vec![id.fork.clone()],
            runners: vec![id.runner.clone()],
            handlers: vec![id.handler.clone()],
            texts: vec![id.to_string()],
        }
    }

    /// Whether the case `id` is wanted.
    pub fn wants(&self, id: &CaseId) -> bool {
        self.wants_path(&id.names())
    }

    /// Whether anything below the folder of these names, outermost first, can be wanted.
    pub(crate) fn wants_path(&self, names: &[impl AsRef<str>]) -> bool {
        let levels = [&self.presets, &self.forks, &self.runners, &self.handlers];
        let wanted = levels.into_iter().zip(names);
        wanted
            .into_iter()
            .all(|(wanted, name)| wanted.is_empty() || wanted.iter().any(|w| w == name.as_ref()))
            && (names.len() < 6 || self.wants_text(names))
    }

    fn wants_text(&self, names: &[impl AsRef<str>]) -> bool {
        if self.texts.is_empty() {
            return true;
        }
        let names: Vec<&str> = names.iter().take(6).map(AsRef::as_ref).collect();
        let path = names.join("/");
        self.texts.iter().any(|text| path.contains(text.as_str()))
    }
}
