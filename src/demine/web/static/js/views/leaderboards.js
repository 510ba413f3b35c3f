// The page of leaderboards: who is best on which boards, and the player's friends.

import { exactTime } from "./race_words.js";
import { statusLine } from "./dialog.js";
import { button, el, row, select, tabs } from "./elements.js";
import { friends, invitation } from "./friends.js";
import { appearance } from "./listing.js";
import { empty, localTime, table } from "./tables.js";
import { attempt } from "../waiting.js";
import { ntr, tr } from "../words.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {{place: number, name: string, game: string, won_at: string, time_ms: number, speed: number | null, efficiency: number | null, you: boolean}} Row */
/** @typedef {{rules: string, period: string, total: number, rows: Row[], you: Row | null, is_listed: boolean}} Found */

const COUNT = 25;
/** So many places are told apart. */
const MOST_PLACES = 100_000;

/**
 * Show the page, or the invitation of a friend over it: `/leaderboards`, `/friend/TOKEN`.
 * @param {App} app
 * @param {HTMLElement} page
 * @param {string} path
 */
export function show(app, page, path) {
  const status = statusLine();
  const token = /^\/friend\/([\w-]+)/.exec(path)?.[1];
  document.title = tr("Leaderboards");
  page.className = "history leaderboards";
  page.replaceChildren(
    el("header", { class: "page-header" }, el("h1", {}, tr("Leaderboards")),
      el("a", { class: "button", href: "/" }, tr("To the game"))),
    status.line,
    token ? loading(() => invitation(app, token, status)) : "",
    tabs(tr("Leaderboards"), [
      { title: tr("Best games"), make: () => loading(() => new Leaderboard(app, status).load()) },
      { title: tr("Friends"), make: () => loading(() => friends(app, status)) },
    ], location.hash === "#friends" ? 1 : 0));
}

/** Return a place that is filled once it is there. @param {() => Promise<Node>} make */
function loading(make) {
  const place = el("div");
  void attempt(async () => place.replaceChildren(await make()), place);
  return place;
}

/** What can be chosen, by the names that the server has for it. @returns {Record<string, [string, string][]>} */
const choices = () => ({
  level: [["beginner", tr("Beginner")], ["intermediate", tr("Intermediate")], ["expert", tr("Expert")]],
  deal: [["opening", tr("With an opening")], ["classic", tr("Classic")], ["guess-free", tr("Guess-free")]],
  measure: [["time", tr("Time")], ["speed", tr("3BV/s")], ["efficiency", tr("Efficiency")]],
  period: [["all", tr("All time")], ["month", tr("This month")], ["week", tr("This week")]],
  friends: [["false", tr("Everybody")], ["true", tr("Friends")]],
});

class Leaderboard {
  /** @param {App} app @param {ReturnType<typeof statusLine>} status */
  constructor(app, status) {
    this.app = app;
    this.status = status;
    this.query = asked();
    this.after = 0;
    this.box = el("div");
    this.asked = 0;
  }

  async load() {
    this.draw(await this.fetch());
    const labels = { level: tr("Level"), deal: tr("Boards"), measure: tr("By"), period: tr("When"), friends: tr("Who") };
    return el("div", {},
      el("div", { class: "filters" }, Object.entries(choices()).map(([name, all]) =>
        row(labels[/** @type {keyof typeof labels} */ (name)], select(all, this.query[name], (value) => this.choose(name, value))))),
      this.box);
  }

  /** @returns {Promise<Found>} */
  fetch() {
    const asked = new URLSearchParams({ ...this.query, after: String(this.after), count: String(COUNT) });
    return this.app.authority.request("GET", `/api/leaderboards?${asked}`);
  }

  /** @param {string} name @param {string} value */
  choose(name, value) {
    this.query[name] = value;
    history.replaceState(null, "", `/leaderboards?${new URLSearchParams(this.query)}`);
    return this.turn(0);
  }

  /** Show the rows after so many others. @param {number} after */
  async turn(after) {
    this.after = after;
    const number = (this.asked += 1);
    try {
      const found = await this.fetch();
      if (number !== this.asked) return;
      this.draw(found);
      this.status.say("");
    } catch (error) {
      if (number === this.asked) this.status.fail(error);
    }
  }

  /** @param {Found} found */
  draw(found) {
    this.box.replaceChildren(
      this.own(found),
      found.rows.length ? this.places(found) : this.nobody(),
      this.steps(found),
      this.query.friends === "true" ? "" : appearance(this.app, found.is_listed, () => this.turn(this.after)),
      el("p", { class: "note" }, tr("Games that were played here to the end, on new boards, without help and without a pause. Each was checked by playing it again; a name leads to its recording. Weeks begin on Mondays, in UTC.")));
  }

  /** @param {Found} found */
  places({ rows }) {
    const heads = [tr("Place"), tr("Player"), tr("Time"), tr("3BV/s"), tr("Efficiency"), tr("Played")];
    const made = table(heads, rows.map((each) => [placeText(each.place), player(each), exactTime(each.time_ms),
      each.speed?.toFixed(2) ?? "–", each.efficiency === null ? "–" : `${Math.round(100 * each.efficiency)}%`, localTime(each.won_at)]), tr("Best games"));
    made.querySelectorAll("tbody tr").forEach((line, at) => line.classList.toggle("own", rows[at].you));
    return made;
  }

  nobody() {
    return this.query.friends === "true"
      ? empty(tr("No game here yet"), tr("Win a game on these boards, and make friends under Friends: they are compared here."))
      : empty(tr("No game here yet"), tr("Win a game on these boards, and be the first."));
  }

  /** Return where the player is, if that is not to be seen in the table. @param {Found} found */
  own({ total, rows, you, is_listed }) {
    if (!you || rows.some((each) => each.you)) return "";
    const before = Math.floor((you.place - 1) / COUNT) * COUNT;
    return el("div", { class: "appearance" },
      el("p", {}, tr("Your place: {place}, {time}", { place: placeText(you.place), time: exactTime(you.time_ms) })),
      is_listed && before < total && before !== this.after && button(tr("Show it"), () => this.turn(before)));
  }

  /** @param {Found} found */
  steps({ total }) {
    const step = (/** @type {string} */ text, /** @type {number} */ to) =>
      button(text, () => this.turn(to), { disabled: to < 0 || to >= total });
    return el("div", { class: "pages" },
      total > COUNT && step(tr("Better places"), this.after - COUNT), total > COUNT && step(tr("Next places"), this.after + COUNT),
      el("span", {}, total ? ntr("{n} player", "{n} players", total) : ""));
  }
}

/** Return what the address asks for, and the defaults of all else. @returns {Record<string, string>} */
function asked() {
  const wanted = new URLSearchParams(location.search);
  return Object.fromEntries(Object.entries(choices()).map(([name, all]) => {
    const value = wanted.get(name);
    return [name, all.find(([known]) => known === value)?.[0] ?? all[0][0]];
  }));
}

/** Return a place as it is told. @param {number} place */
export const placeText = (place) => (place > MOST_PLACES ? `> ${MOST_PLACES}` : String(place));

/** @param {Row} row */
function player({ name, game, you }) {
  const text = name || (you ? tr("You") : tr("No name"));
  return el("a", { href: `/w/${game}` }, you && name ? tr("{name} (you)", { name }) : text);
}
