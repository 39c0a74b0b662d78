//! Suggestions for names that don't exist.

/// The most likely candidate, as `did you mean ...?`.
pub(crate) fn did_you_mean<'c>(given: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<String> {
    suggestion(given, candidates).map(|candidate| format!("did you mean `{candidate}`?"))
}

/// The candidate most similar to the given name, if any is similar.
pub fn suggestion<'c>(given: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let folded = given.to_lowercase();
    let likeness = |candidate: &str| {
        let candidate = candidate.to_lowercase();
        let edits = strsim::damerau_levenshtein(&folded, &candidate);
        let allowed = folded.chars().count().max(candidate.chars().count()).div_ceil(3);
        (edits <= allowed).then_some(edits)
    };
    let scored = candidates.into_iter().filter_map(|candidate| Some((likeness(candidate)?, candidate)));
    scored.min_by_key(|(edits, _)| *edits).map(|(_, candidate)| candidate)
}
