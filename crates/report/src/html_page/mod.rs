//! The frame of all HTML pages, with a strict policy and a heading, and their style for light and dark themes.

use crate::markup::{Html, digest, fill, html};

/// The program and its version.
pub(crate) const GENERATOR: &str = concat!("linesman ", env!("CARGO_PKG_VERSION"));

pub(crate) const FRAME: &str = include_str!("frame.html");
pub(crate) const STYLE: &str = include_str!("frame.css");

/// A page, without what all pages share.
pub(crate) struct HtmlPage<'p> {
    /// The kind of the page, in a word.
    pub(crate) kind: &'static str,
    pub(crate) title: Html,
    pub(crate) styles: &'p [&'static str],
    /// The only script that may run in it, which its body has.
    pub(crate) script: Option<&'p Html>,
    /// Items of the list beside the title.
    pub(crate) facts: Html,
    pub(crate) body: Html,
}

impl HtmlPage<'_> {
    /// Returns the whole page. Its policy names the digests of the script and the style, so nothing else ever runs in
    /// it, and it forbids all requests.
    pub(crate) fn finish(&self) -> String {
        let style: Html = [STYLE].iter().chain(self.styles).map(|style| Html::literal(style)).collect();
        let script = self.script.map(|script| html!("script-src '{}'; ", digest(script.as_str())));
        let policy = html!(
            "default-src 'none'; {}style-src '{}'; base-uri 'none'; form-action 'none'",
            script.unwrap_or_default(),
            digest(style.as_str())
        );
        fill(
            FRAME,
            &[
                ("policy", &policy),
                ("generator", &Html::literal(GENERATOR)),
                ("title", &self.title),
                ("style", &style),
                ("kind", &Html::literal(self.kind)),
                ("facts", &self.facts),
                ("body", &self.body),
            ],
        )
        .into_string()
    }
}
