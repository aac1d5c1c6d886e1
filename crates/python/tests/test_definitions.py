"""Games of a user: texts, files, folders, faults."""

import pytest

import garrison

ONE = "name = 'one'\nbase = 'chess'\npass = true\n"
TWO = "name = 'two'\nbase = 'one'\ntitle = 'Two'\n"


def test_a_text_is_a_game():
    game = garrison.Variant.from_text(ONE)
    assert (game.name, game.files, game.ranks) == ("one", 8, 8)
    assert "0000" in game.start().legal_moves
    assert "one" not in garrison.variants()
    with pytest.raises(garrison.UnknownVariantError):
        garrison.Variant("one")


def test_several_games_know_each_other(tmp_path):
    assert [game.name for game in garrison.parse_variants(ONE, TWO)] == ["one", "two"]
    (tmp_path / "a.toml").write_text(TWO)
    (tmp_path / "b.toml").write_text(ONE)
    assert sorted(game.name for game in garrison.load_variants(tmp_path)) == ["one", "two"]
    assert garrison.Variant.from_file(tmp_path, "two").title == "Two"
    assert garrison.Variant.from_file(str(tmp_path / "b.toml")).name == "one"
    with pytest.raises(garrison.GarrisonError, match="several games are defined: two, one; `name`"):
        garrison.Variant.from_file(tmp_path)
    with pytest.raises(garrison.GarrisonError, match="no game 'three' is defined; there is two, one"):
        garrison.Variant.from_file(tmp_path, "three")


def test_all_faults_come_together():
    text = "name = 'mine'\nbase = 'chess'\npas = true\n[pieces]\nN = { betza = 'Q?', valu = 3 }\n"
    with pytest.raises(garrison.DefinitionError) as raised:
        garrison.Variant.from_text(text)
    faults = raised.value.faults
    assert [(fault.line, fault.key) for fault in faults][:1] == [(3, "pas")]
    assert len(faults) >= 2 and str(raised.value) == "\n".join(str(fault) for fault in faults)
    assert all(fault.file == "text" and fault.column > 0 and fault.message for fault in faults)


def test_files_that_cannot_be_read(tmp_path):
    for path in [tmp_path / "none.toml", tmp_path, "a\0b"]:
        with pytest.raises(garrison.DefinitionError) as raised:
            garrison.Variant.from_file(path)
        assert raised.value.faults[0].line == 0
    with pytest.raises(garrison.DefinitionError, match="did|nearest|no game"):
        garrison.Variant.from_text("name = 'a'\nbase = 'ches'")


def test_every_game_says_what_it_is():
    for name in garrison.variants():
        game = garrison.Variant(name)
        assert garrison.Variant(game.title) == game or game.family != game.name
        assert len(game.squares) <= game.files * game.ranks
        assert game.pieces and game.rules and game.start().fen == game.start_fen
        assert game.has_hands == bool(game.hand_letters)
        assert game.has_setup == (game.start().setup_phase != "done")
        assert game.html().startswith("<!") and "<svg" in game.poster()
        for piece in game.pieces:
            assert piece.letter and piece.name and piece.words is not None
            assert (piece.value is None) == piece.is_royal
