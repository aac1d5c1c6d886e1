"""Positions: moves made and taken back, hands, status, equality, copies and pickles."""

import copy
import os
import pickle
import random
import resource

import pytest

import garrison

GAMES = garrison.variants()


def walk(name, plies, seed):
    """A position after random moves, from the start of a game."""
    generator = random.Random(seed)
    position = garrison.Position(name)
    for _ in range(plies):
        moves = position.legal_moves
        if position.is_over or not moves:
            break
        position.push(generator.choice(moves))
    return position


@pytest.mark.parametrize("name", GAMES)
def test_what_is_pushed_is_popped(name):
    position = walk(name, 60, 1)
    moves = position.moves
    fens = [position.fen]
    for move in reversed(moves):
        assert position.pop() == move
        fens.append(position.fen)
    assert position == garrison.Position(name) == position.root()
    assert position.moves == []
    for move, fen in zip(moves, reversed(fens[:-1])):
        san = position.san(move)
        gives_check = position.gives_check(move)
        assert position.push(san) == move
        assert position.fen == fen and position.is_check == gives_check
        assert garrison.Position(name, fen) == position
        assert garrison.Position(name, fen).key == position.key


@pytest.mark.parametrize("name", GAMES)
def test_pickles_and_copies_keep_everything(name):
    position = walk(name, 40, 2)
    for other in (pickle.loads(pickle.dumps(position)), copy.copy(position), position.copy()):
        assert other == position and hash(other) == hash(position)
        assert other.moves == position.moves
        assert other.repetitions == position.repetitions
        if position.moves:
            other.pop()
            assert other != position
    for move in position.legal_moves:
        again = pickle.loads(pickle.dumps(move))
        assert again == move and repr(again) == repr(move) and again.piece == move.piece
        assert position.copy().push(again) == move


def test_a_game_of_a_user_is_pickled_with_its_definition():
    game = garrison.Variant.from_text("name = 'passing'\nbase = 'chess'\npass = true")
    position = game.start()
    position.push("0000")
    again = pickle.loads(pickle.dumps(position))
    assert again == position and again.variant == game and again.moves == ["0000"]
    assert pickle.loads(pickle.dumps(game)) == game
    assert game not in [garrison.Variant("chess"), "chess", None]


def test_the_same_definition_is_the_same_game():
    text = "name = 'same'\nbase = 'chess'\npass = true"
    game = garrison.Variant.from_text(text)
    assert garrison.Variant.from_text(text) == game
    assert garrison.Variant.from_text(text + "\n") != game


def test_moves_are_their_texts():
    position = garrison.Position("crazyhouse", "4k3/P7/8/8/8/8/8/4K3[N] w - - 0 1")
    moves = {str(move): move for move in position.legal_moves}
    assert moves["a7a8q"].promotion == "+Q" and moves["a7a8q"].piece == "P"
    assert moves["N@e5"].is_drop and moves["N@e5"].promotion is None
    assert moves["e1d1"].from_square == "e1" and moves["e1d1"].to_square == "d1"
    assert sorted(moves.values()) == sorted(moves)
    assert moves["N@e5"] in {"N@e5"} and "N@e5" in set(moves.values())
    assert moves["N@e5"] != "n@e5" and moves["N@e5"] != 3 and moves["N@e5"] != "\ud800"
    with pytest.raises(TypeError):
        moves["N@e5"] < 3


def test_a_move_of_another_position_means_what_its_text_means():
    chess, zh = garrison.Position("chess"), garrison.Position("crazyhouse")
    assert zh.push(chess.parse_move("e2e4")) == "e2e4"
    with pytest.raises(garrison.MoveError):
        zh.push(chess.parse_move("e2e4"))
    with pytest.raises(garrison.MoveError):
        chess.push(garrison.Position("shogi").parse_move("a3a4"))
    first = garrison.Position("shoranji")
    setup = first.legal_moves[7]
    after = first.copy()
    after.push(first.legal_moves[3])
    assert after.push(setup).text == setup.text


def test_castling_is_written_as_its_position_has_it():
    """As the king's two squares, or as the king that takes its rook where rights are named by files."""
    fen = "4k3/8/8/8/8/8/8/R3K2R w {} - 0 1"
    for rights, text in [("KQ", "e1g1"), ("HA", "e1h1")]:
        position = garrison.Position("chess", fen.format(rights))
        move = position.parse_san("O-O")
        assert move.is_castling and move == text and position.parse_move(text) == move
        assert move in position.legal_moves and not position.is_capture(move)
        again = pickle.loads(pickle.dumps(move))
        assert again == move and again.is_castling
        assert position.push(again) == move and position.piece_at("g1") == "K"
        copied = pickle.loads(pickle.dumps(position))
        assert copied == position and copied.moves == [text]


def test_setups():
    position = garrison.Position("shoranji")
    assert position.setup_phase == "both" and len(position.legal_moves) == 90
    move = position.push("=TWF1T1FWT")
    assert move.is_setup and move.to_square is None and position.setup_phase == "second"
    with pytest.raises(garrison.MoveError):
        position.push("d8d6")
    assert position.keep_arrays() == 1
    assert position.setup_phase == "done" and position.turn == "white"


def test_hands_and_board():
    position = garrison.Position("minishogi", "4k/5/5/5/K4[GGp] b - - 0 1")
    assert position.hands == {"white": {"G": 2}, "black": {"P": 1}}
    assert position.board == {"a1": "K", "e5": "k"}
    assert position.piece_at("a1") == "K" and position.piece_at("b1") is None
    promoted = garrison.Position("minishogi", "4k/5/5/+r4/K4[] w - - 0 1")
    assert promoted.piece_at("a2") == "+r"


@pytest.mark.parametrize(
    "name, fen, text",
    [
        ("chess", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "draw (stalemate)"),
        ("chess", "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", "white wins (checkmate)"),
        ("xiangqi", "3k5/4R4/3R5/9/9/9/9/9/9/4K4 b - - 0 1", "white wins (checkmate)"),
    ],
)
def test_ends(name, fen, text):
    position = garrison.Position(name, fen)
    assert str(position.status) == text and position.is_over and position.status.is_over
    assert position.result == position.status.result != "*"


def test_repetition():
    position = garrison.Position("chess")
    for _ in range(2):
        for move in ["g1f3", "g8f6", "f3g1", "f6g8"]:
            assert not position.is_over
            position.push(move)
    assert position.repetitions == 3 and position.status.reason == "repetition"
    again = pickle.loads(pickle.dumps(position))
    assert again.repetitions == 3


def test_pictures():
    position = garrison.Position("shoogantshii")
    assert position.picture("black") != position.picture() == str(position)
    assert position._repr_svg_().startswith("<svg")
    plain = position.svg()
    for look in [
        {"style": "tiles"},
        {"theme": "dark"},
        {"bottom": "black"},
        {"arrows": [("a1", "a5")]},
        {"marks": ["e5"]},
        {"size": 20},
        {"coordinates": False},
        {"hands": False},
    ]:
        picture = position.svg(**look)
        assert picture.startswith("<svg") and picture != plain, look


def resident():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def test_memory_stays_flat():
    """300 000 pushes and pops; with GARRISON_PUSHES=10000000 ten million."""
    rounds = int(os.environ.get("GARRISON_PUSHES", "300000")) // 100

    position = garrison.Position("crazyhouse")

    def play(rounds):
        for number in range(rounds):
            made = 0
            while made < 100 and (moves := position.legal_moves):
                position.push(moves[(number + made) % len(moves)])
                made += 1
            for _ in range(made):
                position.pop()

    play(rounds // 10)
    before = resident()
    play(rounds)
    grown = resident() - before
    assert grown < 8_000, f"{grown} KiB more"
