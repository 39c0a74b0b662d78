//! Suggestions for names that don't exist.

/// Returns the most similar candidate as `did you mean ...?`.
pub fn did_you_mean<'c>(given: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<String> {
    suggestion(given, candidates).map(|candidate| format!("did you mean `{candidate}`?"))
}

/// Returns the candidate most similar to the given name, if any is similar enough.
pub fn suggestion<'c>(given: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    nearest(given, candidates, |length| length.div_ceil(3))
}

/// Returns the most similar of very many candidates, of which some are a little similar to any name.
pub(crate) fn suggestion_of_many<'c>(
    given: &str,
    candidates: impl IntoIterator<Item = &'c str>,
) -> Option<&'c str> {
    nearest(given, candidates, |length| length.div_ceil(6))
}

/// Returns the candidate with the fewest edits. `max_edits` is the maximum for the length of the longer name.
fn nearest<'c>(
    given: &str,
    candidates: impl IntoIterator<Item = &'c str>,
    max_edits: impl Fn(usize) -> usize,
) -> Option<&'c str> {
    let folded = given.to_lowercase();
    let likeness = |candidate: &str| {
        let candidate = candidate.to_lowercase();
        let edits = strsim::damerau_levenshtein(&folded, &candidate);
        let lengths = [folded.chars().count(), candidate.chars().count()];
        let [shorter, longer] = [lengths[0].min(lengths[1]), lengths[0].max(lengths[1])];
        // `edits < shorter`: two different single letters have nothing in common.
        (edits == 0 || edits < shorter && edits <= max_edits(longer)).then_some(edits)
    };
    let scored = candidates.into_iter().filter_map(|candidate| Some((likeness(candidate)?, candidate)));
    scored.min().map(|(_, candidate)| candidate)
}
