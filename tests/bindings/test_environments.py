"""Tests of the environments: they pass PettingZoo's own tests and play by the rules."""

import contextlib
import io
import pickle
import unittest
import warnings

import numpy as np
from pettingzoo.test import api_test, render_test, seed_test

import linesman

CASES = [(name, {}) for name in linesman.games()] + [
    ("quixo", {"size": 3, "repetition": 2}),
    ("trexo", {"size": 6, "line": 3}),
    ("tandem", {"players": 3, "layout": "quick5", "tiles": 6, "line": 3}),
    ("tandem", {"players": 4, "tiles": 3, "line": 2, "max_plies": 40}),
]

# PettingZoo warns of this in each of its own games whose observation has a mask.
OF_DICTIONARIES = {
    "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
    "Observation is not a NumPy array",
}


def play(env, choose):
    """Plays a game and returns the rewards of all agents."""
    env.reset()
    total = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, over, _, _ = env.last()
        total[agent] += reward
        env.step(None if over else choose(env, observation["action_mask"]))
    return total


class Environments(unittest.TestCase):
    def test_pettingzoos_own_tests_pass(self):
        for name, options in CASES:
            with self.subTest(name=name, **options), contextlib.redirect_stdout(io.StringIO()):
                with warnings.catch_warnings(record=True) as seen:
                    warnings.simplefilter("always")
                    api_test(linesman.env(name, **options), num_cycles=60)
                    api_test(linesman.raw_env(name, **options), num_cycles=20)
                self.assertLessEqual({str(warning.message) for warning in seen}, OF_DICTIONARIES)

    def test_the_same_actions_give_the_same_game(self):
        for name, options in CASES:
            with self.subTest(name=name, **options):
                seed_test(lambda: linesman.env(name, **options), num_cycles=60)

    def test_positions_are_shown_as_text(self):
        for name, options in CASES:
            with self.subTest(name=name, **options), contextlib.redirect_stdout(io.StringIO()) as shown:
                render_test(lambda render_mode: linesman.env(name, render_mode=render_mode, **options))
                self.assertIn("seat 2 to move", shown.getvalue())
        env = linesman.env("quixo", size=3, render_mode="ansi")
        env.reset()
        env.step(env.unwrapped.number("a1a3"))
        self.assertEqual(env.render(), " 3 x . .\n 2 . . .\n 1 . . .\n   a b c\nseat 2 to move")

    def test_the_winner_is_rewarded(self):
        env = linesman.env("quixo", size=3)
        env.reset()
        for move in "a1a3 c1c3 a1a3 c1c3 a1a3".split():
            env.step(env.unwrapped.number(move))
        self.assertEqual(env.rewards, {"seat_1": 1.0, "seat_2": -1.0})
        self.assertEqual(env.terminations, {"seat_1": True, "seat_2": True})
        self.assertEqual(env.infos["seat_2"]["reason"], "line")

    def test_rewards_add_up_to_zero(self):
        for name, options in CASES:
            rng = np.random.default_rng(1)
            rewards = play(linesman.env(name, **options), lambda _, mask: rng.choice(np.flatnonzero(mask)))
            with self.subTest(name=name, **options):
                self.assertAlmostEqual(sum(rewards.values()), 0.0)

    def test_a_turn_of_tandem_is_several_actions_of_one_agent(self):
        env = linesman.raw_env("tandem")
        env.reset()
        for action, agent in [("1c3", "seat_1"), ("/2a1", "seat_2")]:
            if not env.observe("seat_1")["action_mask"][env.number(action)]:
                action = env.game.actions[np.flatnonzero(env.observe("seat_1")["action_mask"])[0]]
            env.step(env.number(action))
            self.assertEqual(env.agent_selection, agent)
        self.assertEqual(env.position.ply, 1)
        self.assertFalse(env.observe("seat_1")["action_mask"].any(), "it is not its turn")

    def test_a_wrong_action_is_rejected_or_loses(self):
        raw = linesman.raw_env("quixo")
        raw.reset()
        raw.step(raw.number("a1a5"))
        with self.assertRaises(linesman.IllegalMove):
            raw.step(raw.number("a5a1"))
        with self.assertRaisesRegex(linesman.Error, "there is no action 44: actions are 0 to 43"):
            raw.step(44)
        env = linesman.env("quixo")
        env.reset()
        env.step(env.unwrapped.number("a1a5"))
        env.step(env.unwrapped.number("a5a1"))
        self.assertEqual(env.rewards, {"seat_1": 0, "seat_2": -1})
        self.assertTrue(all(env.terminations.values()))

    def test_a_game_starts_from_a_token(self):
        env = linesman.env("quixo", size=3)
        env.reset(options={"token": "x../..o/...:1:2"})
        self.assertEqual(env.agent_selection, "seat_1")
        seen = env.observe("seat_1")["observation"]
        own = [plane.name for plane in env.unwrapped.game.planes].index("pieces, own")
        self.assertEqual(seen[own].tolist(), [[1, 0, 0], [0, 0, 0], [0, 0, 0]])
        with self.assertRaisesRegex(linesman.Error, "the game is over"):
            env.reset(options={"token": "xxx/..o/o..:2:5"})

    def test_an_environment_can_be_sent_to_another_process(self):
        env = pickle.loads(pickle.dumps(linesman.raw_env("tandem", players=3)))
        self.assertEqual(env.game.options["players"], 3)

    def test_a_wrong_render_mode_is_rejected(self):
        with self.assertRaisesRegex(ValueError, "there is no render mode `rgb`; use ansi or human"):
            linesman.env("quixo", render_mode="rgb")


if __name__ == "__main__":
    unittest.main()
