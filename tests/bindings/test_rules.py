"""Tests of the Python rules."""

import ast
import contextlib
import copy
import inspect
import io
import pathlib
import pickle
import random
import re
import threading
import unittest

import linesman

LINE = "a1a3 c1c3 a1a3 c1c3 a1a3".split()


class Games(unittest.TestCase):
    def test_every_game_can_be_played_to_its_end(self):
        for name in linesman.games():
            position = linesman.Game(name).start()
            rng = random.Random(1)
            while not position.is_over:
                self.assertEqual(position.outcome, None)
                position.play(rng.choice(position.legal()))
            self.assertEqual(position.legal(), [])
            self.assertEqual(len(position.outcome.places), position.game.seats)
            self.assertEqual(position.ply, len(position.moves))

    def test_a_game_describes_itself(self):
        game = linesman.Game("quixo-teams", consultation=True)
        self.assertEqual((game.name, game.title, game.seats), ("quixo-teams", "Quixo for teams", 4))
        self.assertEqual(game.sides, (0, 1, 0, 1))
        self.assertEqual(game.options, {"max_plies": 200, "repetition": 3, "consultation": True})
        self.assertIn("dot", game.about)
        self.assertIn("# Quixo", game.page)
        self.assertEqual(repr(game), "<linesman.Game quixo-teams max_plies=200,repetition=3,consultation=true>")

    def test_mistakes_are_named_in_the_words_of_the_rules(self):
        game = linesman.Game("quixo")
        position = game.start()
        position.play("a1a5")
        for error, act, words in [
            (linesman.NoSuchGame, lambda: linesman.Game("chess"), "there is no game `chess`; the games are `quixo`"),
            (linesman.BadOption, lambda: linesman.Game("quixo", size=9), "`size` can't be `9`: it must be 3 to 8"),
            (linesman.BadOption, lambda: linesman.Game("quixo", sice=4), "no option `sice`; the options are `size`"),
            (linesman.BadOption, lambda: linesman.Game("kengu", size=4), "the game has no options"),
            (linesman.NotAPosition, lambda: game.from_token("x"), "(1 of 3 fields)"),
            (linesman.NotAMove, lambda: position.play("up"), "a move is two squares"),
            (linesman.IllegalMove, lambda: position.play("c3c5"), "border"),
            (linesman.IllegalMove, lambda: game.replay(["a1a5", "c3c5"]), "border"),
            (linesman.NoSuchSeat, lambda: position.observe(3), "there is no seat 3: the seats are 1 to 2"),
        ]:
            with self.subTest(words=words), self.assertRaises(error) as caught:
                act()
            self.assertIsInstance(caught.exception, linesman.Error)
            self.assertIsInstance(caught.exception, ValueError)
            self.assertIn(words, str(caught.exception))
        self.assertEqual(position.moves, ["a1a5"], "a move that is refused changes nothing")

    def test_values_of_other_types_are_rejected(self):
        with self.assertRaises(TypeError):
            linesman.Game(5)
        with self.assertRaises(TypeError):
            linesman.Game("quixo").start().play(None)
        with self.assertRaises(linesman.BadOption):
            linesman.Game("quixo", size=True)
        with self.assertRaises(linesman.BadOption):
            linesman.Game("quixo", size=None)
        with self.assertRaises(TypeError):
            linesman.Position()

    def test_help_has_the_texts_that_editors_show(self):
        stub = pathlib.Path(linesman.__file__).with_name("_rules.pyi").read_text(encoding="utf-8")
        for node in ast.parse(stub).body:
            if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
                self.assertEqual(inspect.getdoc(getattr(linesman, node.name)), ast.get_docstring(node), node.name)
            for member in getattr(node, "body", []):
                if isinstance(member, ast.FunctionDef) and not member.name.startswith("_"):
                    own = getattr(getattr(linesman, node.name), member.name)
                    self.assertEqual(inspect.getdoc(own), ast.get_docstring(member), member.name)


class Positions(unittest.TestCase):
    def test_an_outcome_has_places_and_a_reason(self):
        position = linesman.Game("quixo", size=3).replay(LINE)
        outcome = position.outcome
        self.assertEqual((outcome.places, outcome.scores, outcome.reason), ((1, 2), (1.0, 0.0), "line"))
        self.assertEqual(outcome.why, "seat 1 has made a full line of `x`: a1 to a3")
        self.assertEqual(outcome.marks[0]["squares"], ["a1", "a2", "a3"])
        self.assertEqual((outcome.marks[0]["kind"], outcome.marks[0]["side"]), ("line", 0))
        with self.assertRaises(linesman.IllegalMove) as caught:
            position.play("c1c3")
        self.assertEqual((caught.exception.rule, str(caught.exception)), ("over", "the game is over"))

    def test_a_move_is_explained_before_it_is_played(self):
        position = linesman.Game("quixo").start()
        self.assertIsNone(position.explain("a1a5"))
        self.assertIn("border", position.explain("c3c5"))
        with self.assertRaises(linesman.IllegalMove) as caught:
            position.play("c3c5")
        self.assertEqual(caught.exception.rule, "not-border")
        self.assertEqual(str(caught.exception), position.explain("c3c5"))

    def test_errors_in_a_token_have_their_place(self):
        with self.assertRaises(linesman.NotAPosition) as caught:
            linesman.Game("quixo", size=3).from_token("x../..q/...:2:1")
        self.assertIn("row 2", caught.exception.place)

    def test_a_seat_can_be_eliminated_from_a_game_of_three(self):
        position = linesman.Game("tandem", players=3).start()
        position.play("!2")
        self.assertTrue(position.token.endswith("!2"), position.token)
        position.play(position.legal()[0])
        self.assertEqual(position.seat, 3)
        self.assertIn("only two sides are left", position.explain("!3"))
        self.assertEqual(position.game.replay(position.moves).token, position.token)

    def test_a_scene_shows_pieces(self):
        position = linesman.Game("trexo").start()
        position.play("a1b1")
        board = position.scene["boards"][0]
        self.assertEqual((board["width"], board["height"], len(board["cells"])), (10, 10, 100))
        piece = board["cells"][0]["piece"]
        self.assertEqual((piece["symbol"], piece["level"]), ("x", 1))
        self.assertEqual(piece["pointer"], {"kind": "joint", "direction": "east"})
        self.assertEqual({mark["kind"] for mark in position.scene["marks"]}, {"to"})

    def test_copies_and_their_histories_are_independent(self):
        game = linesman.Game("quixo", size=3, repetition=2)
        position = game.from_token("x../..o/...:1:2")
        position.play("a1a3")
        for other in (position.copy(), copy.copy(position), copy.deepcopy(position)):
            self.assertEqual((other.token, other.moves), (position.token, position.moves))
            other.play(other.legal()[0])
            self.assertEqual(other.ply, position.ply + 1)
        restored = pickle.loads(pickle.dumps(position))
        self.assertEqual((restored.token, restored.moves), (position.token, position.moves))
        self.assertEqual(restored.game.options, game.options)

    def test_threads_can_share_a_position(self):
        position = linesman.Game("kengu").start()
        lists = []
        threads = [threading.Thread(target=lambda: lists.append(position.legal())) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(lists, [position.legal()] * 4)


class Actions(unittest.TestCase):
    def test_the_mask_has_the_legal_moves(self):
        for name in ("quixo", "quixo-teams", "trexo", "kengu"):
            position = linesman.Game(name).start()
            for _ in range(5):
                allowed = [action for action, is_on in zip(position.game.actions, position.mask()) if is_on]
                self.assertEqual(sorted(allowed), position.legal())
                position.play(allowed[len(allowed) // 2])

    def test_a_turn_of_tandem_is_chosen_step_by_step(self):
        position = linesman.Game("tandem").start()
        actions, chosen, moves = position.game.actions, [""], []
        while chosen:
            turn = chosen.pop()
            allowed = [turn + action for action, is_on in zip(actions, position.mask(turn)) if is_on]
            chosen += allowed
            if not allowed:
                moves.append(turn)
        self.assertEqual(sorted(moves), position.legal())

    def test_observations_have_the_games_shape(self):
        for name in linesman.games():
            game = linesman.Game(name)
            planes, rows, columns = game.observation_shape
            self.assertEqual(len(game.planes), planes)
            for seat in range(1, game.seats + 1):
                self.assertEqual(len(game.start().observe(seat)), 2 * planes * rows * columns)


class Page(unittest.TestCase):
    def test_the_programs_of_the_guide_print_what_their_comments_say(self):
        page = pathlib.Path(__file__, "../../../docs/how-to/python-rules.md").resolve().read_text(encoding="utf-8")
        programs = "".join(re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL))
        with contextlib.redirect_stdout(io.StringIO()) as shown:
            exec(compile(programs, "python-rules.md", "exec"), {})
        printed = iter(shown.getvalue().splitlines())
        for expected in re.findall(r"^ *print\(.*\) +# (.*)$", programs, re.MULTILINE):
            self.assertIn(expected, printed)
        table = re.search(r"^```text\n(own turn.*?)^```$", page, re.MULTILINE | re.DOTALL).group(1)
        self.assertTrue(shown.getvalue().endswith(table), shown.getvalue())


if __name__ == "__main__":
    unittest.main()
