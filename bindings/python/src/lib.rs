//! The extension module `linesman._rules`: the rules as Python objects. `linesman/_rules.pyi` describes them.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use linesman_bindings::{Mistake, json, restore};
use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyTuple};

create_exception!(linesman, Error, PyValueError, "A request that can't be met.");
create_exception!(linesman, NoSuchGame, Error, "There is no game of this name.");
create_exception!(linesman, BadOption, Error, "There is no such option, or it can't have this value.");
create_exception!(linesman, NotAPosition, Error, "A token that can't be read.");
create_exception!(linesman, NotAMove, Error, "Text that is not a move under any options of the game.");
create_exception!(linesman, IllegalMove, Error, "A move that is not legal here.");
create_exception!(linesman, NoSuchSeat, Error, "There is no seat of this number.");

/// Makes the exception for a mistake.
fn exception(py: Python<'_>, mistake: &Mistake) -> PyErr {
    let description = mistake.description();
    let error = match mistake {
        Mistake::NoGame { .. } => NoSuchGame::new_err(description.why),
        Mistake::Options { .. } => BadOption::new_err(description.why),
        Mistake::NotAPosition(_) => NotAPosition::new_err(description.why),
        Mistake::Refused(_) if description.rule.is_none() => NotAMove::new_err(description.why),
        Mistake::Refused(_) => IllegalMove::new_err(description.why),
        Mistake::NoSeat { .. } => NoSuchSeat::new_err(description.why),
    };
    let value = error.value(py);
    let annotated = match (description.rule, description.place) {
        (Some(rule), _) => value.setattr("rule", rule),
        (None, Some(place)) => value.setattr("place", place),
        (None, None) => Ok(()),
    };
    annotated.err().unwrap_or(error)
}

/// Converts the mistake of a result to an exception.
fn or_raise<T>(py: Python<'_>, result: Result<T, Mistake>) -> PyResult<T> {
    result.map_err(|mistake| exception(py, &mistake))
}

/// Converts JSON to a Python value.
fn from_json<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (text,))
}

/// Makes a named tuple of `linesman._values`.
fn named_tuple<'py>(
    py: Python<'py>,
    name: &str,
    values: impl pyo3::call::PyCallArgs<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    py.import("linesman._values")?.getattr(name)?.call1(values)
}

/// The names of all games.
#[pyfunction]
fn games(py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
    PyTuple::new(py, linesman_bindings::names())
}

/// A game with its options fixed.
///
/// Errors: NoSuchGame, and BadOption for an unknown option or a value that the option can't have.
#[pyclass(frozen, module = "linesman")]
struct Game {
    game: Arc<linesman_bindings::Game>,
    actions: Py<PyTuple>,
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (name, /, **options))]
    fn new(py: Python<'_>, name: &str, options: Option<&Bound<'_, PyDict>>) -> PyResult<Game> {
        let mut texts: Vec<(String, String)> = Vec::new();
        for (option, value) in options.into_iter().flatten() {
            let text = match value.cast::<PyBool>() {
                Ok(flag) => flag.is_true().to_string(),
                Err(_) => value.str()?.to_string(),
            };
            texts.push((option.extract()?, text));
        }
        let given: Vec<(&str, &str)> =
            texts.iter().map(|(option, value)| (option.as_str(), value.as_str())).collect();
        let game = or_raise(py, linesman_bindings::Game::new(name, &given))?;
        let actions = PyTuple::new(py, game.actions.texts())?.unbind();
        Ok(Game { game, actions })
    }

    /// The game's name, such as `quixo-teams`.
    #[getter]
    fn name(&self) -> &'static str {
        self.game.about.id
    }

    /// The game's name for people.
    #[getter]
    fn title(&self) -> &'static str {
        self.game.about.title
    }

    /// A description of the game in one line.
    #[getter]
    fn about(&self) -> &'static str {
        self.game.about.about
    }

    /// The page that explains the game, as Markdown.
    #[getter]
    fn page(&self) -> &'static str {
        self.game.about.page
    }

    /// Every option with its value.
    #[getter]
    fn options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        from_json(py, &json::text(&self.game.options()))
    }

    /// The number of seats.
    #[getter]
    fn seats(&self) -> usize {
        self.game.setup.teams().seats()
    }

    /// The side that each seat plays for, from 0, in turn order. Teammates have the same one.
    #[getter]
    fn sides<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.game.sides())
    }

    /// The actions of which moves are made, by their numbers.
    ///
    /// In most games an action is a whole move. In Tandem a move is its actions joined: `1c3`, `/2d4`, `!1a3e3`.
    #[getter]
    fn actions(&self, py: Python<'_>) -> Py<PyTuple> {
        self.actions.clone_ref(py)
    }

    /// The planes of an observation.
    #[getter]
    fn planes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let planes = self.game.planes.planes.iter();
        let planes = planes.map(|plane| named_tuple(py, "Plane", (&plane.name, plane.most)));
        PyTuple::new(py, planes.collect::<PyResult<Vec<_>>>()?)
    }

    /// The numbers of planes, rows and columns of an observation.
    #[getter]
    fn observation_shape(&self) -> (usize, usize, usize) {
        let planes = &self.game.planes;
        (planes.planes.len(), planes.height, planes.width)
    }

    /// The position in which the game starts.
    fn start(slf: &Bound<'_, Game>) -> Position {
        Position::new(slf, linesman_bindings::Position::start(&slf.get().game))
    }

    /// The position of a token, with which the history begins. Error: NotAPosition.
    fn from_token(slf: &Bound<'_, Game>, token: &str) -> PyResult<Position> {
        let position = linesman_bindings::Position::from_token(&slf.get().game, token);
        Ok(Position::new(slf, or_raise(slf.py(), position)?))
    }

    /// The position to which moves lead from the start, or from a token.
    ///
    /// Errors: NotAPosition, NotAMove, IllegalMove.
    #[pyo3(signature = (moves, token = None))]
    fn replay(slf: &Bound<'_, Game>, moves: Vec<String>, token: Option<&str>) -> PyResult<Position> {
        let position = restore(&slf.get().game, token, &moves);
        Ok(Position::new(slf, or_raise(slf.py(), position)?))
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<((&'static str,), Bound<'py, PyAny>)> {
        Ok(((self.name(),), self.options(py)?))
    }

    fn __repr__(&self) -> String {
        format!("<linesman.Game {} {}>", self.name(), self.game.setup.options())
    }
}

/// The arguments of `replay`.
type ReplayArguments = (Vec<String>, Option<String>);

/// A position of a game that is being played. `Game.start` and `Game.from_token` make one.
// The lock lets threads share it.
#[pyclass(frozen, module = "linesman")]
struct Position {
    game: Py<Game>,
    position: Mutex<linesman_bindings::Position>,
}

impl Position {
    fn new(game: &Bound<'_, Game>, position: linesman_bindings::Position) -> Position {
        Position { game: game.clone().unbind(), position: Mutex::new(position) }
    }

    fn lock(&self) -> MutexGuard<'_, linesman_bindings::Position> {
        self.position.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Position {
    /// The game.
    #[getter]
    fn game(&self, py: Python<'_>) -> Py<Game> {
        self.game.clone_ref(py)
    }

    /// The position as one word.
    #[getter]
    fn token(&self) -> String {
        self.lock().table().token()
    }

    /// The seat to move, from 1; at the end, the one whose turn it would be.
    #[getter]
    fn seat(&self) -> usize {
        self.lock().table().to_move().number()
    }

    /// The number of plies since the start of the game.
    #[getter]
    fn ply(&self) -> u32 {
        self.lock().table().ply()
    }

    /// True if the game has ended.
    #[getter]
    fn is_over(&self) -> bool {
        self.lock().table().is_over()
    }

    /// The moves that were played since the history began.
    #[getter]
    fn moves(&self) -> Vec<String> {
        self.lock().moves().to_vec()
    }

    /// The end of the game, if it has ended.
    #[getter]
    fn outcome<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(outcome) = self.lock().outcome() else { return Ok(None) };
        let places = PyTuple::new(py, &outcome.places)?;
        let scores = PyTuple::new(py, &outcome.scores)?;
        let marks = from_json(py, &json::text(&outcome.marks))?;
        named_tuple(py, "Outcome", (places, scores, outcome.reason, outcome.why, marks)).map(Some)
    }

    /// The contents of a picture: `boards`, `marks` and `captions`.
    #[getter]
    fn scene<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let text = json::text(&self.lock().scene());
        from_json(py, &text)
    }

    /// The legal moves, in byte order.
    fn legal(&self) -> Vec<String> {
        self.lock().legal()
    }

    /// Play a move, or put seat 3 out of a game of three sides or more: `!3`.
    ///
    /// Errors: NotAMove, IllegalMove. The position has not changed then.
    #[pyo3(signature = (r#move, /))]
    fn play(&self, py: Python<'_>, r#move: &str) -> PyResult<()> {
        let played = self.lock().play(r#move);
        or_raise(py, played)
    }

    /// The reason why a move can't be played, or None if it can.
    #[pyo3(signature = (r#move, /))]
    fn explain(&self, r#move: &str) -> Option<String> {
        self.lock().explain(r#move).map(|mistake| mistake.to_string())
    }

    /// A byte 1 for each action that can come next in this turn, and 0 for each other one.
    ///
    /// `chosen` are the actions of this turn so far, joined.
    #[pyo3(signature = (chosen = ""))]
    fn mask<'py>(&self, py: Python<'py>, chosen: &str) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.lock().mask(chosen))
    }

    /// The position as a seat sees it, as 16-bit numbers in the order of the machine.
    ///
    /// `numpy.frombuffer(position.observe(1), "int16").reshape(game.observation_shape)` makes an array of it: planes,
    /// rows from the top, columns. Error: NoSuchSeat.
    fn observe<'py>(&self, py: Python<'py>, seat: usize) -> PyResult<Bound<'py, PyBytes>> {
        let observed = self.lock().observe(seat);
        let numbers = or_raise(py, observed)?;
        let bytes: Vec<u8> = numbers.into_iter().flat_map(i16::to_ne_bytes).collect();
        Ok(PyBytes::new(py, &bytes))
    }

    /// An independent copy.
    fn copy(&self, py: Python<'_>) -> Position {
        Position::new(self.game.bind(py), self.lock().copy())
    }

    fn __copy__(&self, py: Python<'_>) -> Position {
        self.copy(py)
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> Position {
        self.copy(py)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, ReplayArguments)> {
        let replay = self.game.bind(py).getattr("replay")?;
        let position = self.lock();
        Ok((replay, (position.moves().to_vec(), position.start_token().map(str::to_owned))))
    }

    fn __repr__(&self) -> String {
        let position = self.lock();
        format!("<linesman.Position {} {}>", position.game().about.id, position.table().token())
    }
}

#[pymodule]
fn _rules(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    for (name, class) in [
        ("Error", py.get_type::<Error>()),
        ("NoSuchGame", py.get_type::<NoSuchGame>()),
        ("BadOption", py.get_type::<BadOption>()),
        ("NotAPosition", py.get_type::<NotAPosition>()),
        ("NotAMove", py.get_type::<NotAMove>()),
        ("IllegalMove", py.get_type::<IllegalMove>()),
        ("NoSuchSeat", py.get_type::<NoSuchSeat>()),
    ] {
        module.add(name, class)?;
    }
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<Game>()?;
    module.add_class::<Position>()?;
    module.add_function(wrap_pyfunction!(games, module)?)
}
