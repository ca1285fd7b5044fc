from itertools import islice

from benchmarks import corpus, invented


def test_the_same_seed_gives_the_same_memories() -> None:
    first, again = (list(invented.memories(50, seed=1)) for _ in range(2))

    assert first == again
    assert first != list(invented.memories(50, seed=2))


def test_an_entry_is_as_long_as_a_real_one() -> None:
    lengths = [len(one.text.split()) for one in islice(invented.memories(200, seed=1), 200)]

    assert 55 <= min(lengths) <= max(lengths) <= 140


def test_a_few_words_are_in_most_entries_and_most_words_in_few() -> None:
    entries = [set(one.text.split()) for one in invented.memories(300, seed=1)]
    often = sorted(
        (sum(word in entry for entry in entries) for word in set().union(*entries)), reverse=True
    )

    assert often[0] > 250
    assert often[len(often) // 2] <= 3


def test_an_invented_home_is_searched_by_words_and_has_all_its_vectors() -> None:
    with corpus.opened() as shelf:
        (project,) = invented.fill(shelf, projects=1, entries=30)
        some = next(invented.memories(30, seed=0))

        found = shelf.first(3, some.title, among=[project])

        assert some.id in found
        assert shelf.app.meaning.pending() == 0
