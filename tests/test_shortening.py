"""Texts that are too long to be shown."""

from kro_ls.shortening import menu_title, shortened


def test_a_text_that_fits_stays_as_it_is() -> None:
    assert shortened("a" * 80) == "a" * 80
    assert shortened("four", 4) == "four"


def test_a_longer_one_has_the_greatest_length_and_says_that_it_goes_on() -> None:
    assert shortened("a" * 81) == "a" * 77 + "..."
    assert shortened("fifteen letters", 8) == "fifte..."


def test_of_a_title_the_quoted_text_loses_its_middle() -> None:
    title = "Change to 'schema.spec.name'"
    assert menu_title(title) == title
    cut = menu_title(f"Leave out '{'ab ' * 40}end', as kro before 0.9.0 did")
    assert len(cut) == 80
    assert cut.startswith("Leave out 'ab ab ab")
    assert cut.endswith("ab end', as kro before 0.9.0 did")


def test_a_title_is_one_line_of_bounded_length_whatever_it_quotes() -> None:
    assert menu_title("Change to 'a\n  b'") == "Change to 'a b'"
    for text in ("x" * 500, "'x' " * 200, "'" * 300, "a b " * 100):
        assert len(menu_title(f"Change to '{text}', change to '{text}'")) <= 80
