//! Escaping of foreign texts for HTML and SVG, and the parts of a strict content security policy.

use std::fmt;

use data_encoding::BASE64;
use serde::Serialize;
use sha2::{Digest, Sha256};

/// Markup of HTML or SVG. Only literals become markup unchanged: a text that [`html!`](crate::markup::html) inserts is
/// escaped.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub(crate) struct Html(String);

/// Markup from a literal with values instead of each `{}`: texts are escaped, and markup stays unchanged. A name in
/// the braces needs its value after the semicolon (`{x}`: `html!("..."; x)` or `html!("..."; x = left + 1)`); the
/// compiler refuses others, because they would not be escaped.
macro_rules! html {
    ($markup:literal $(, $value:expr)* $(,)?) => {
        $crate::markup::Html::of(format_args!(concat!($markup) $(, $crate::markup::Value::in_html(&$value))*))
    };
    ($markup:literal; $($name:ident $(= $value:expr)?),+ $(,)?) => {
        $crate::markup::Html::of(format_args!(
            concat!($markup),
            $($name = $crate::markup::Value::in_html(&$crate::markup::named!($name $(= $value)?))),+
        ))
    };
}
pub(crate) use html;

/// The value of a name. Used only by [`html!`](crate::markup::html).
macro_rules! named {
    ($name:ident) => {
        $name
    };
    ($name:ident = $value:expr) => {
        $value
    };
}
pub(crate) use named;

/// A value that can be inserted into markup.
pub(crate) trait Value {
    fn in_html(&self) -> Html;
}

impl Value for Html {
    fn in_html(&self) -> Html {
        self.clone()
    }
}

impl Value for str {
    fn in_html(&self) -> Html {
        let mut safe = String::with_capacity(self.len());
        for symbol in self.chars() {
            match symbol {
                '&' => safe.push_str("&amp;"),
                '<' => safe.push_str("&lt;"),
                '>' => safe.push_str("&gt;"),
                '"' => safe.push_str("&quot;"),
                '\'' => safe.push_str("&#39;"),
                other => safe.push(other),
            }
        }
        Html(safe)
    }
}

impl Value for char {
    fn in_html(&self) -> Html {
        self.encode_utf8(&mut [0; 4]).in_html()
    }
}

impl Value for usize {
    fn in_html(&self) -> Html {
        Html(self.to_string())
    }
}

impl Value for String {
    fn in_html(&self) -> Html {
        self.as_str().in_html()
    }
}

impl<V: Value + ?Sized> Value for &V {
    fn in_html(&self) -> Html {
        V::in_html(self)
    }
}

impl Html {
    /// Used only by [`html!`](crate::markup::html).
    pub(crate) fn of(markup: fmt::Arguments<'_>) -> Html {
        Html(markup.to_string())
    }

    pub(crate) fn literal(markup: &'static str) -> Html {
        Html(markup.to_owned())
    }

    /// Converts data to JSON, in which no markup can start.
    pub(crate) fn json(data: &impl Serialize) -> Html {
        let json = serde_json::to_string(data).expect("the data is plain values");
        // Outside strings, JSON has none of these characters.
        Html(json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026"))
    }

    pub(crate) fn push(&mut self, markup: Html) {
        self.0.push_str(&markup.0);
    }

    /// Appends a line of markup.
    pub(crate) fn line(&mut self, markup: Html) {
        self.push(markup);
        self.0.push('\n');
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    pub(crate) fn into_string(self) -> String {
        self.0
    }
}

impl fmt::Display for Html {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromIterator<Html> for Html {
    fn from_iter<I: IntoIterator<Item = Html>>(parts: I) -> Html {
        Html(parts.into_iter().map(|part| part.0).collect())
    }
}

/// Returns the digest that identifies an inline script or style in a page's policy.
pub(crate) fn digest(text: &str) -> String {
    format!("sha256-{}", BASE64.encode(&Sha256::digest(text.as_bytes())))
}

/// Inserts values into a page's frame at their names: `{{title}}`. The text of a value is never expanded
/// again.
pub(crate) fn fill(frame: &'static str, values: &[(&str, &Html)]) -> Html {
    let mut page = String::new();
    let mut rest = frame;
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, after) = after.split_once("}}").expect("each name in the frame is closed");
        let value = values.iter().find(|(known, _)| *known == name);
        page.push_str(before);
        page.push_str(value.expect("each name in the frame has a value").1.as_str());
        rest = after;
    }
    page.push_str(rest);
    Html(page)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_has_the_form_that_policies_need() {
        assert_eq!(digest(""), "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
    }

    #[test]
    fn the_text_of_a_value_is_not_expanded() {
        let filled = fill("a {{x}} b {{y}}", &[("x", &html!("{{{{y}}}}")), ("y", &html!("2"))]);
        assert_eq!(filled.as_str(), "a {{y}} b 2");
    }

    #[test]
    fn texts_are_escaped() {
        let text = "<b a='1' c=\"2\">&amp;";
        let escaped = "&lt;b a=&#39;1&#39; c=&quot;2&quot;&gt;&amp;amp;";
        assert_eq!(html!("{}", text).as_str(), escaped);
        assert_eq!(
            html!("<i>{}</i>", html!("<b>{}</b>", text)).into_string(),
            format!("<i><b>{escaped}</b></i>")
        );
    }
}
