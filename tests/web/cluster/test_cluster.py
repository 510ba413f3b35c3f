"""Two servers of one database: whoever asks either of them meets the same players and games."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path

import httpx
import pytest

pytest.importorskip("psycopg")
from prometheus_client.parser import text_string_to_metric_families
from websockets.exceptions import ConnectionClosed

from demine.logic.event import Lay
from demine.store.game_rows import new_id
from demine.web.cluster import members
from demine.web.database.database import prepare_shared
from demine.web.database.place import PostgresPlace, parse_place
from tests.web.browser.served_site import ServedSite
from tests.web.cluster.cluster_site import PASSES_NOTHING, Cluster, Traveller
from tests.web.coop.test_coop import CoopPlayer
from tests.web.postgres_server import PostgresServer

both_ways = pytest.mark.parametrize(
    "cluster", [{}, PASSES_NOTHING], indirect=True, ids=["passed", "relayed"], scope="module"
)


@pytest.fixture(scope="module")
def cluster(
    request: pytest.FixtureRequest,
    postgres: PostgresServer,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Cluster]:
    folder = tmp_path_factory.mktemp("cluster")
    made = Cluster(folder, postgres.new_database(), 2, getattr(request, "param", {}))
    yield made
    made.stop()


@pytest.fixture
def sites(cluster: Cluster) -> list[ServedSite]:
    return list(cluster.sites.values())


@pytest.fixture
def travellers(sites: list[ServedSite]) -> Iterator[list[Traveller]]:
    """A player at each server."""
    with ExitStack() as stack:
        yield [stack.enter_context(Traveller(site.address)) for site in sites]


@both_ways
def test_a_game_is_played_through_either_server(
    cluster: Cluster, sites: list[ServedSite], travellers: list[Traveller]
) -> None:
    player, _ = travellers
    game = player.make_game()
    for number, site in enumerate([*sites, *sites], 1):
        player.go_to(site)
        assert player.play(game)["seq"] == number - 1
        assert player.act("flag", 0, number)["seq"] == number
    assert cluster.game(game).board.flags == 2 * len(sites)


@both_ways
def test_a_process_stands_between_only_where_it_can_pass_nothing(
    request: pytest.FixtureRequest, cluster: Cluster, travellers: list[Traveller]
) -> None:
    player, _ = travellers
    game = player.make_game()
    player.go_to(cluster.away(player.id))
    player.play(game)
    assert player.act("flag", 0, 0)["seq"] == 1
    families = text_string_to_metric_families(cluster.away(player.id).text("/metrics"))
    (relayed,) = [each for each in families if each.name == "demine_relayed_sockets"]
    is_relayed = "relayed" in request.node.callspec.id
    assert sum(each.value for each in relayed.samples) == is_relayed


@both_ways
def test_two_pages_at_two_servers_show_the_same_game(
    sites: list[ServedSite], travellers: list[Traveller]
) -> None:
    player, _ = travellers
    game = player.make_game()
    player.play(game)
    player.go_to(sites[1])
    there = player.socket(f"/ws/games/{game}?client=b")
    assert player.hear(there)["hello"]["seq"] == 0
    assert player.act("flag", 0, 0)["seq"] == 1
    assert player.hear(there)["seq"] == 1


def test_a_player_is_the_same_at_both_servers(
    sites: list[ServedSite], travellers: list[Traveller]
) -> None:
    player, _ = travellers
    player.make_game()
    for site, name in zip([*sites, *sites], "ABCD", strict=True):
        player.go_to(site)
        answer = player.http.put("/api/me", json={"name": name})
        assert answer.json()["name"] == name
        assert answer.headers["cache-control"] == "no-store"
    player.go_to(sites[0])
    assert player.ask("GET", "/api/me").json()["name"] == "D"


@both_ways
def test_a_race_is_run_by_racers_at_two_servers(
    cluster: Cluster, travellers: list[Traveller]
) -> None:
    first, second = travellers
    race = first.make(rules="9x9/10", mine_costs="race")
    first.look()
    first.wish("ready")
    second.come_and_be_ready(race)
    states = [each.until_phase("running") for each in travellers]
    assert [len(each["seats"]) for each in states] == [2, 2]
    for racer, state in zip(travellers, states, strict=True):
        racer.play(state["game"])
        game = cluster.game(state["game"])
        mines = next(each for each in game.events if isinstance(each, Lay)).mine_map
        racer.win(mines)
    for racer in travellers:
        over = racer.until_phase("over")
        assert [each["status"] for each in over["seats"]] == ["finished", "finished"]
    again = first.ask("POST", f"/api/races/{race}/rematch").json()["race"]
    assert second.ask("POST", f"/api/races/{race}/rematch").json()["race"] == again


def test_a_stranger_who_joins_a_race_elsewhere_is_one_player(
    cluster: Cluster, travellers: list[Traveller]
) -> None:
    first, _ = travellers
    race = first.make()
    with Traveller(cluster.away(race).address) as stranger:
        seats = stranger.wish("join", race).json()["seats"]
        assert len(seats) == 2
        assert len(stranger.wish("ready").json()["seats"]) == 2


@both_ways
def test_a_board_is_played_together_from_two_servers(
    cluster: Cluster, sites: list[ServedSite]
) -> None:
    with ExitStack() as stack:
        first, second = (stack.enter_context(CoopPlayer(site.address)) for site in sites)
        game = first.make_coop()
        second.join(game)
        seats = [each.play(game)["seat"] for each in (first, second)]
        assert seats == [1, 2]
        for player, other in ((first, second), (second, first)):
            player.act("flag", 0, seats[player is second])
            while other.until_heard("seq").get("by") != seats[player is second]:
                pass
        acts = [each.player for each in cluster.game(game).events if hasattr(each, "player")]
        assert acts == ["P1", "P2"]
        first.http.put("/api/me", json={"name": "Somebody"})
        while not any(
            each["name"] == "Somebody" for each in second.until_heard("players")["players"]
        ):
            pass
        again = first.ask("POST", f"/api/coop/{game}/again")
        assert again.status_code == 409 or again.json()["game"] != game


@both_ways
def test_an_overlay_follows_its_player_from_server_to_server(
    cluster: Cluster, sites: list[ServedSite], travellers: list[Traveller]
) -> None:
    player, viewer = travellers
    player.play(player.make_game())
    link = str(player.ask("POST", "/api/me/overlay").json()["link"])
    path = "/ws/overlays/" + link.rpartition("/overlay/")[2]
    # Games of several live where they were made, so these are at home at either server.
    for site in [*sites, *sites]:
        player.go_to(site)
        game = str(player.ask("POST", "/api/coop", rules="5x5/3").json()["game"])
        player.play(game)
        assert shown_rules(viewer, path) == "5x5/3"
        player.play(player.make_game(rules="8x8/9"))
        assert shown_rules(viewer, path) == "8x8/9"
    for site in sites:
        viewer.go_to(site)
        assert shown_rules(viewer, path) == "8x8/9"
    player.http.delete("/api/me/overlay")
    with pytest.raises(AssertionError):
        shown_rules(viewer, path)


def shown_rules(viewer: Traveller, path: str) -> str:
    """The rules of the game that an overlay shows, connected to anew until it is the last one."""
    for _ in range(50):
        with viewer.socket(path) as socket, suppress(ConnectionClosed):
            message = viewer.hear(socket)
            if message.get("game"):
                return str(message["game"]["rules"])
    raise AssertionError(viewer.heard[-3:])


@both_ways
def test_a_deleted_player_is_gone_at_both_servers(
    cluster: Cluster, travellers: list[Traveller]
) -> None:
    player, _ = travellers
    game = player.make_game()
    player.go_to(cluster.away(player.id))
    player.play(game)
    socket = player.playing
    assert socket is not None
    assert player.http.delete("/api/me").status_code == 200
    assert player.last_word(socket)["bye"] == "not_found"


def test_a_file_that_is_too_large_is_refused_as_by_its_home(
    cluster: Cluster, travellers: list[Traveller]
) -> None:
    player, _ = travellers
    player.make_game()
    player.go_to(cluster.away(player.id))
    answer = player.http.put(
        "/api/me", content=b" " * (1 << 17), headers={"content-type": "application/json"}
    )
    assert answer.status_code == 413
    replay = player.http.post("/api/replays?name=x.avf", content=b"no replay")
    assert replay.status_code == 422, replay.text


def test_nobody_else_can_hand_a_request_on(cluster: Cluster, travellers: list[Traveller]) -> None:
    """Who claims to speak for another address is counted by their own."""
    player, _ = travellers
    claimed = {
        "x-demine-peer": json.dumps(["8.8.8.8", 1, "https", 1]),
        "x-demine-peer-proof": "0" * 64,
    }
    # The figures are for private networks alone.
    assert httpx.get(f"{player.address}/metrics", headers=claimed).status_code == 200
    garbled = {**claimed, "x-demine-peer": "{"}
    assert httpx.get(f"{player.address}/healthz", headers=garbled).status_code == 200


def test_the_figures_of_both_are_in_one_text(
    cluster: Cluster, sites: list[ServedSite], travellers: list[Traveller]
) -> None:
    for player in travellers:
        player.play(player.make_game())
        player.act("flag", 0, 0)
    for site in sites:
        families = {
            each.name: each for each in text_string_to_metric_families(site.text("/metrics"))
        }
        acts = [
            each for each in families["demine_act_seconds"].samples if each.name.endswith("_count")
        ]
        assert {int(each.labels["process"]) for each in acts} == set(cluster.nums)
        assert sum(each.value for each in acts) >= len(travellers)


def test_both_say_that_they_are_ready(sites: list[ServedSite]) -> None:
    assert [site.text("/readyz") for site in sites] == ["ready\n", "ready\n"]


def test_a_computer_that_cannot_be_reached_is_told_how(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    database = postgres.new_database()
    place = parse_place(database)
    assert isinstance(place, PostgresPlace)
    prepare_shared(place)
    with members.connect(place.url) as connection:
        connection.execute("SELECT pg_advisory_lock(%s, 99999)", [0x644D5376])
        connection.execute(
            "INSERT INTO members VALUES (99999, 'http://127.0.0.1:1', 'elsewhere', '')"
        )
        with pytest.raises(AssertionError, match="elsewhere serves this database too"):
            ServedSite(tmp_path, database=database)


def test_a_request_of_strange_letters_is_handed_on(
    cluster: Cluster, travellers: list[Traveller]
) -> None:
    player, _ = travellers
    player.make_game()
    player.go_to(cluster.away(player.id))
    strange = {b"user-agent": b"\xe9\xff", b"referer": "http://x/\u00e9".encode()}
    answer = player.http.get("/api/me", headers=list(strange.items()))
    assert answer.status_code == 200
    assert "bye" in player.hear(player.socket("/ws/races/x%23y"))


def test_processes_that_join_at_once_all_take_part(postgres: PostgresServer) -> None:
    """None of them takes another for dead that has not said yet where it is."""
    place = parse_place(postgres.new_database())
    assert isinstance(place, PostgresPlace)
    prepare_shared(place)
    for _ in range(20):
        with ExitStack() as stack:
            connections = [stack.enter_context(members.connect(place.url)) for _ in range(4)]
            with ThreadPoolExecutor(4) as threads:
                nums = [*threads.map(members.join, connections, ["http://127.0.0.1:1"] * 4)]
            assert [each.num for each in members.members_alive(connections[0])] == sorted(nums)


def test_ids_of_new_races_and_boards_live_where_they_are_made(
    cluster: Cluster, travellers: list[Traveller]
) -> None:
    for player in travellers:
        player.make_game()
        home = cluster.home(player.id)
        for _ in range(3):
            race = player.make()
            assert cluster.home(race) == home
            player.wish("leave", race)
    assert len({cluster.home(new_id()) for _ in range(50)}) == 2
