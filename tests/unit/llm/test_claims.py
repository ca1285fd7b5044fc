import pytest

from recollect.llm import claims
from recollect.llm.claims import ClaimTexts


def said(*texts: str, translated: bool = False) -> ClaimTexts:
    return ClaimTexts.of(texts, translated=translated)


def test_the_share_of_a_claim_counts_names_and_words_alike() -> None:
    there = said("`get_orders` loads the lines")

    assert there.share("get_orders loads the lines") == 1
    assert there.share("get_orders rotates credentials") == pytest.approx(1 / 3)
    assert there.share("") == 0


def test_a_span_that_was_cut_off_is_compared_without_its_last_piece() -> None:
    there = said("go test -tags=integration ./cmd/cli/integration_test")

    assert there.has("`go test -tags=integration ./cmd/cli/integr…` passed", claims.HALF)
    assert not there.has("`go vet -tags=unit ./cmd/cli/integr…` passed", claims.HALF)


def test_only_the_newest_texts_are_looked_at() -> None:
    texts = [str(number) * claims.LONGEST_TEXT for number in range(9)]

    kept = said(*texts).text.split("\n")

    assert [line[0] for line in kept if line] == [*"45678"]
