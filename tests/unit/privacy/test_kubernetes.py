from recollect.privacy import redact

SECRET = """\
apiVersion: v1
kind: Secret
metadata:
  name: shop
data:
  colour: Ymx1ZWJsdWU=
  size: bGFyZ2U=
"""


def test_each_value_of_a_secret_is_replaced_whatever_its_name() -> None:
    cleaned = redact.redact(SECRET)

    assert "colour: [secret:kubernetes-secret]" in cleaned
    assert "size: [secret:kubernetes-secret]" in cleaned
    assert "name: shop" in cleaned


def test_a_secret_as_json_is_one_too() -> None:
    cleaned = redact.redact('{"kind": "Secret", "data": {"colour": "Ymx1ZWJsdWU="}}')

    assert "Ymx1ZWJsdWU=" not in cleaned


def test_a_config_map_stays() -> None:
    settings = SECRET.replace("Secret", "ConfigMap")

    assert redact.redact(settings) == settings
