from pathlib import Path

from recollect.hosts import claude_settings
from recollect.hosts.claude_settings import PLUGIN
from recollect.hosts.documents import Json

SETTINGS = claude_settings.settings(Path("/claude"))
MARKETPLACES = claude_settings.marketplaces(Path("/claude"))
PLUGINS = claude_settings.plugins(Path("/claude"))
FOLDER = "/home/ada/.recollect/plugin"


def test_switching_on_and_off_again_leaves_the_settings_as_they_were() -> None:
    settings = {"model": "opus", "enabledPlugins": {"other@shop": True}}

    on = claude_settings.with_plugin(settings, FOLDER)
    off = SETTINGS.without_ours(on, before=settings)

    assert claude_settings.folder(on) == FOLDER
    assert off == settings


def test_what_the_user_added_meanwhile_stays() -> None:
    on = claude_settings.with_plugin({}, FOLDER)
    on["enabledPlugins"]["other@shop"] = True
    on["hooks"] = {}

    off = SETTINGS.without_ours(on, before={})

    assert off == {"enabledPlugins": {"other@shop": True}, "hooks": {}}


def test_an_empty_entry_that_was_there_before_stays() -> None:
    before: Json = {"enabledPlugins": {}}
    on = claude_settings.with_plugin(before, FOLDER)

    assert SETTINGS.without_ours(on, before=before) == before


def test_empty_entries_that_the_hosts_own_uninstall_leaves_go_as_well() -> None:
    left = {"model": "opus", "enabledPlugins": {}, "extraKnownMarketplaces": {}}

    before = {"model": "opus"}

    assert SETTINGS.without_ours(left, before=before) == before


def test_without_knowing_the_past_only_what_our_entry_filled_goes() -> None:
    on = {"enabledPlugins": {PLUGIN: True}, "extraKnownMarketplaces": {}}

    off = SETTINGS.without_ours(on, before=None)

    assert off == {"extraKnownMarketplaces": {}}


def test_the_hosts_list_of_plugins_keeps_its_shape() -> None:
    listed = {"version": 2, "plugins": {PLUGIN: [{"scope": "user"}]}}

    assert PLUGINS.without_ours(listed, before=None) == PLUGINS.blank


def test_the_hosts_list_of_marketplaces_loses_ours_alone() -> None:
    listed: Json = {"recollect": {"source": {}}, "shop": {"source": {}}}

    left = MARKETPLACES.without_ours(listed, before=None)

    assert left == {"shop": {"source": {}}}


def test_a_plugin_that_is_disabled_or_comes_from_elsewhere_is_not_switched_on() -> None:
    disabled = claude_settings.with_plugin({}, FOLDER) | {"enabledPlugins": {PLUGIN: False}}
    github = {"source": {"source": "github", "repo": "ada/recollect"}}
    from_github = {"extraKnownMarketplaces": {"recollect": github}}
    elsewhere = claude_settings.with_plugin({}, FOLDER) | from_github

    assert (claude_settings.folder(disabled), claude_settings.folder(elsewhere)) == ("", "")
    assert claude_settings.folder({}) == ""


def test_settings_of_a_shape_we_do_not_know_are_named() -> None:
    assert claude_settings.misshapen({"enabledPlugins": [PLUGIN]}) == "enabledPlugins"
    assert claude_settings.misshapen({"enabledPlugins": {}, "model": "opus"}) == ""
