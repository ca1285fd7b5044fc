from recollect.hosts import entries
from recollect.hosts.entries import MARKETPLACES, PLUGIN, PLUGINS, SETTINGS, Json

FOLDER = "/home/ada/.recollect/plugin"


def test_switching_on_and_off_again_leaves_the_settings_as_they_were() -> None:
    settings = {"model": "opus", "enabledPlugins": {"other@shop": True}}

    on = entries.with_plugin(settings, FOLDER)
    off = entries.without_plugin(SETTINGS, on, before=settings)

    assert entries.folder(on) == FOLDER
    assert off == settings


def test_what_the_user_added_meanwhile_stays() -> None:
    on = entries.with_plugin({}, FOLDER)
    on["enabledPlugins"]["other@shop"] = True
    on["hooks"] = {}

    off = entries.without_plugin(SETTINGS, on, before={})

    assert off == {"enabledPlugins": {"other@shop": True}, "hooks": {}}


def test_an_empty_entry_that_was_there_before_stays() -> None:
    before: Json = {"enabledPlugins": {}}
    on = entries.with_plugin(before, FOLDER)

    assert entries.without_plugin(SETTINGS, on, before=before) == before


def test_empty_entries_that_the_hosts_own_uninstall_leaves_go_as_well() -> None:
    left = {"model": "opus", "enabledPlugins": {}, "extraKnownMarketplaces": {}}

    assert entries.without_plugin(SETTINGS, left, before={"model": "opus"}) == {"model": "opus"}


def test_without_knowing_the_past_only_what_our_entry_filled_goes() -> None:
    on = {"enabledPlugins": {PLUGIN: True}, "extraKnownMarketplaces": {}}

    off = entries.without_plugin(SETTINGS, on, before=None)

    assert off == {"extraKnownMarketplaces": {}}


def test_the_hosts_list_of_plugins_keeps_its_shape() -> None:
    listed = {"version": 2, "plugins": {PLUGIN: [{"scope": "user"}]}}

    assert entries.without_plugin(PLUGINS, listed, before=None) == PLUGINS.blank


def test_the_hosts_list_of_marketplaces_loses_ours_alone() -> None:
    listed: Json = {"recollect": {"source": {}}, "shop": {"source": {}}}

    assert entries.without_plugin(MARKETPLACES, listed, before=None) == {"shop": {"source": {}}}


def test_a_plugin_that_is_disabled_or_comes_from_elsewhere_is_not_switched_on() -> None:
    disabled = entries.with_plugin({}, FOLDER) | {"enabledPlugins": {PLUGIN: False}}
    github = {"source": {"source": "github", "repo": "ada/recollect"}}
    elsewhere = entries.with_plugin({}, FOLDER) | {"extraKnownMarketplaces": {"recollect": github}}

    assert (entries.folder(disabled), entries.folder(elsewhere), entries.folder({})) == ("", "", "")


def test_settings_of_a_shape_we_do_not_know_are_named() -> None:
    assert entries.misshapen({"enabledPlugins": [PLUGIN]}) == "enabledPlugins"
    assert entries.misshapen({"enabledPlugins": {}, "model": "opus"}) == ""
