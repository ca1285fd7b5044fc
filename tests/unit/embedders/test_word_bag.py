"""The embedder that tests use keeps the promises of an embedder, too."""

from recollect.testing import EmbedderContract, WordBag

MEANINGS = {"purchases": "orders", "long": "slow", "https": "tls", "cert": "certificate"}


class TestWordBag(EmbedderContract):
    def make(self) -> WordBag:
        return WordBag(MEANINGS)


def test_bags_of_different_names_point_different_ways() -> None:
    one, other = WordBag(name="one"), WordBag(name="other")

    assert one.question("tea") @ other.question("tea") == 0


def test_it_remembers_which_documents_it_was_given() -> None:
    bag = WordBag()

    bag.documents(["tea", "cake"])
    bag.question("who has the tea?")

    assert bag.asked == ["tea", "cake"]
