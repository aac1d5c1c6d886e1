"""Games: PGN in and out, tags, comments, variations, files."""

import pickle

import pytest

import garrison

TEXT = """[Event "Club"]
[White "Anna"]
[Variant "chess"]

{before} 1. e4 $1 {center} (1. d4 {or} d5 (1... Nf6 $5 2. c4)) 1... e5 2. Nf3 1/2-1/2
"""


def test_all_of_a_game_is_read_and_written():
    game = garrison.Game.from_pgn(TEXT)
    assert game.headers["White"] == "Anna" and game.comment == "before" and game.result == "1/2-1/2"
    assert [str(move) for move in game.moves] == ["e2e4", "e7e5", "g1f3"]
    first = game.plies[0]
    assert (first.nags, first.comment, first.number, first.side) == ([1], "center", 1, "white")
    line = first.variations[0]
    assert [ply.san for ply in line.plies] == ["d4", "d5"] and line.plies[0].comment == "or"
    inner = line.plies[1].variations[0]
    assert [ply.san for ply in inner.plies] == ["Nf6", "c4"] and inner.plies[0].nags == [5]
    assert garrison.Game.from_pgn(str(game)) == game
    assert pickle.loads(pickle.dumps(game)) == game == game.copy()
    assert game.end.fen.startswith("rnbqkbnr/pppp1ppp") and game.position(1).moves == ["e2e4"]


def test_a_game_is_put_together():
    game = garrison.Game("crazyhouse", "4k3/8/8/8/8/8/8/4K3[N] w - - 0 1")
    game.add("N@d6", comment="check")
    game.add("Kd7")
    game.add_variation(1, ["Kd8", "Nf7"], comment="or")
    game.annotate(1, nags=[2])
    assert game.plies[1].nags == [2] and game.plies[0].comment == "check"
    assert [ply.san for ply in game.plies[1].variations[0].plies] == ["Kd8", "Nf7+"]
    assert garrison.Game.from_pgn(str(game)).plies[1].variations[0].comment == "or"
    assert game.remove_last() == "e8d7" and len(game) == 1
    for wrong in [lambda: game.add("Kd7+x"), lambda: game.add("e1e3"), lambda: game.add_variation(0, ["e1e3"])]:
        with pytest.raises(garrison.MoveError):
            wrong()
    for wrong in [lambda: game.annotate(1, comment="x"), lambda: game.add_variation(5, ["Kd7"]), lambda: game.position(3)]:
        with pytest.raises(garrison.GarrisonError):
            wrong()
    assert len(game) == 1 and game.end.turn == "black"


def test_headers_are_a_mapping():
    game = garrison.Game("chess")
    game.headers["Round"] = "1"
    game.headers["Result"] = "0-1"
    assert game.result == "0-1" and dict(game.headers) == {"Variant": "chess", "Round": "1", "Result": "0-1"}
    assert list(game.headers) == game.headers.keys() and "Round" in game.headers and 3 not in game.headers
    assert game.headers == {"Variant": "chess", "Round": "1", "Result": "0-1"} == dict(game.headers)
    assert game.headers == game.copy().headers != garrison.Game("chess").headers and game.headers != 3
    game.headers.update({"Site": "here", "Round": "2"})
    assert game.headers.pop("Site") == "here" and game.headers.pop("Site", "-") == "-"
    for wrong in [lambda: game.headers.pop("Site"), lambda: game.headers.pop("")]:
        with pytest.raises(KeyError):
            wrong()
    with pytest.raises(garrison.GarrisonError):
        game.headers.pop("Variant")
    del game.headers["Round"]
    assert game.headers.get("Round", "-") == "-"
    with pytest.raises(KeyError):
        game.headers["Round"]
    with pytest.raises(KeyError):
        del game.headers["Round"]
    for name in ["", "a b", "Variant", "FEN", "\0"]:
        with pytest.raises(garrison.GarrisonError):
            game.headers[name] = "x"
    with pytest.raises(garrison.GarrisonError):
        game.headers["Result"] = "3-0"


def test_odd_texts_are_written_so_that_they_can_be_read():
    game = garrison.Game("chess")
    game.headers["White"] = 'a "quoted" \\ name\nof two lines'
    game.add("e4", comment="ends } here { and ; there\n\n% and\tthere \0")
    again = garrison.Game.from_pgn(str(game))
    assert again.moves == game.moves and len(list(garrison.parse_pgn(str(game)))) == 1


def test_faulty_games_do_not_end_the_others(tmp_path):
    text = TEXT + "\n[Variant \"chess\"]\n\n1. e5 *\n\n" + TEXT
    games = garrison.parse_pgn(text)
    assert len(next(games)) == 3
    with pytest.raises(garrison.PgnError, match="game 2, line 9: move 1 of White"):
        next(games)
    assert len(next(games)) == 3 and next(games, None) is None
    path = tmp_path / "games.pgn"
    path.write_text(text, encoding="utf-8")
    games = garrison.read_pgn(path, skip_faulty=True)
    assert [len(game) for game in games] == [3, 3] and len(games.faults) == 1
    with pytest.raises(garrison.PgnError):
        garrison.read_pgn(tmp_path / "none.pgn")
    with pytest.raises(garrison.PgnError, match="holds no game"):
        garrison.Game.from_pgn("")
    with pytest.raises(garrison.PgnError, match="tag Variant is missing"):
        garrison.Game.from_pgn("1. e4 *")


def test_faults_of_variations_are_kept():
    game = garrison.Game.from_pgn("1. e4 (1. e5) e5 *", "chess")
    assert len(game) == 2 and len(game.faults) == 1 and "variation" in game.faults[0]


def test_a_game_of_a_user(tmp_path):
    own = garrison.Variant.from_text("name = 'own'\nbase = 'chess'\npass = true")
    game = garrison.Game.from_position(garrison.Position(own, moves=["0000", "e5"]))
    assert garrison.Game.from_pgn(str(game), own) == game == pickle.loads(pickle.dumps(game))


def test_a_game_of_setups():
    position = garrison.Position("shoranji")
    position.keep_arrays()
    position.push("d3d5")
    game = garrison.Game.from_position(position)
    assert [ply.number for ply in game.plies] == [0, 0, 1]
    assert garrison.Game.from_pgn(str(game)) == game
