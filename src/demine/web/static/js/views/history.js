// The page of a player's history: best times, all games, and progress in plots.

import { append, button, el, row, select, tabs } from "./elements.js";
import { statusLine } from "./dialog.js";
import { plot } from "./plot.js";
import { replays } from "./replays.js";
import { empty, localTime, table } from "./tables.js";
import { attempt } from "../waiting.js";
import { ntr, tr } from "../words.js";

/** @typedef {import("../app.js").App} App */

const PLACES = ["best", "games", "replays", "progress"];
const FIND_DELAY_MS = 200;

/**
 * @param {App} app
 * @param {HTMLElement} page
 */
export function show(app, page) {
  const first = Math.max(0, PLACES.indexOf(location.hash.slice(1)));
  const status = statusLine();
  document.title = tr("History");
  page.className = "history";
  page.replaceChildren(
    el("header", { class: "page-header" }, el("h1", {}, tr("Records and history")),
      el("a", { class: "button", href: "/" }, tr("To the game"))),
    status.line,
    tabs(tr("Records and history"), [
      { title: tr("Best"), make: () => loading(() => best(app)) },
      { title: tr("Games"), make: () => loading(() => new Games(app, status).load()) },
      { title: tr("Replays"), make: () => loading(() => replays(app)) },
      { title: tr("Progress"), make: () => loading(() => new Progress(app, status).load()) },
    ], first));
}

/** Return a place that is filled once it is there. @param {() => Promise<Node>} make */
function loading(make) {
  const place = el("div");
  void attempt(async () => place.replaceChildren(await make()), place);
  return place;
}

/** @param {App} app */
async function best(app) {
  const { heads, rows } = await app.authority.request("GET", "/api/records");
  if (!rows.length) {
    return empty(tr("No ranked games yet"), tr("Your best times, averages and streaks will be here. Finish a game on a fresh board, without undo or hints, and it counts."));
  }
  const shown = rows.map((/** @type {any} */ each) => each.cells.map((/** @type {string} */ text, /** @type {number} */ place) =>
    (place === 1 && each.best_id ? el("a", { href: `/w/${each.best_id}` }, text) : text)));
  return el("div", {}, table(heads, shown, tr("Best times and averages, in seconds")),
    el("p", { class: "note" }, tr("Times in seconds. Only games on fresh boards, without undo or hints, count.")));
}

class Games {
  /** @param {App} app @param {ReturnType<typeof statusLine>} status */
  constructor(app, status) {
    this.app = app;
    this.status = status;
    this.query = { page: 0, sort: "ended", order: "desc", rules: "", result: "", find: "" };
    this.box = el("div");
    this.asked = 0;
  }

  async load() {
    const found = await this.fetch();
    if (!found.count) {
      return empty(tr("No games yet"), tr("Every game you finish will be here, with its recording and its statistics."));
    }
    this.filters = this.makeFilters(found.filters);
    this.draw(found);
    return el("div", {}, this.filters, this.box);
  }

  fetch() {
    const asked = new URLSearchParams(Object.entries(this.query).map(([name, value]) => [name, String(value)]));
    return this.app.authority.request("GET", `/api/history?${asked}`);
  }

  /** @param {Partial<Games["query"]>} changed */
  async change(changed) {
    Object.assign(this.query, { page: 0 }, changed);
    const number = (this.asked += 1);
    try {
      const found = await this.fetch();
      if (number === this.asked) this.draw(found);
    } catch (error) {
      this.status.fail(error);
    }
  }

  /** @param {any} filters */
  makeFilters(filters) {
    const all = /** @type {[string, string]} */ (["", tr("All")]);
    const find = el("input", { type: "search", placeholder: tr("date, rules, result, note") });
    let timer = 0;
    find.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(() => this.change({ find: find.value }), FIND_DELAY_MS);
    });
    return el("div", { class: "filters" },
      row(tr("Rules"), select([all, ...filters.rules], "", (rules) => this.change({ rules }))),
      row(tr("Result"), select([all, ...filters.results], "", (result) => this.change({ result }))),
      row(tr("Find"), find));
  }

  /** @param {any} found */
  draw(found) {
    const heads = found.heads.map((/** @type {any} */ head) => this.head(head));
    const rows = found.rows.map((/** @type {any} */ each) => [
      // A game that was lost and goes on after an undo is played, not watched.
      el("a", { href: `/${each.status === "running" ? "g" : "w"}/${each.id}` }, localTime(each.cells[0])),
      ...each.cells.slice(1),
    ]);
    const { page } = this.query;
    const step = (/** @type {string} */ text, /** @type {number} */ to) =>
      button(text, () => this.change({ page: to }), { disabled: to < 0 || to >= found.pages });
    this.box.replaceChildren(
      table(heads, rows, tr("Games")),
      el("div", { class: "pages" },
        found.pages > 1 && step(tr("Newer"), page - 1), found.pages > 1 && step(tr("Older"), page + 1),
        el("span", {}, found.count ? ntr("{n} game", "{n} games", found.count) : tr("No game matches these filters.")),
        found.pages > 1 && el("span", {}, `${page + 1} / ${found.pages}`)));
  }

  /** @param {{key: string, label: string}} head */
  head({ key, label }) {
    const sorted = this.query.sort === key;
    const down = this.query.order === "desc";
    const made = button(sorted ? `${label} ${down ? "▾" : "▴"}` : label,
      () => this.change({ sort: key, order: sorted && down ? "asc" : "desc" }), { class: "head" });
    if (sorted) made.setAttribute("aria-pressed", "true");
    return made;
  }
}

class Progress {
  /** @param {App} app @param {ReturnType<typeof statusLine>} status */
  constructor(app, status) {
    this.app = app;
    this.status = status;
    this.box = el("div");
  }

  async load() {
    await this.draw("");
    return this.box;
  }

  /** @param {string} rules */
  async draw(rules) {
    const found = await this.app.authority.request("GET", `/api/plots?rules=${encodeURIComponent(rules)}`);
    if (!found.choices.length) {
      this.box.replaceChildren(empty(tr("No ranked games yet"), tr("Your progress will be here once you have won some games.")));
      return;
    }
    const choose = select(found.choices, found.rules, (value) => this.draw(value).catch((error) => this.status.fail(error)));
    this.box.replaceChildren(row(tr("Rules"), choose));
    append(this.box, ...plotsOf(found, (id) => this.app.goTo(`/w/${id}`)));
  }
}

/** @param {any} found @param {(id: string) => void} open */
function plotsOf({ wins, days }, open) {
  const of = (/** @type {string} */ name) =>
    wins.flatMap((/** @type {any} */ win, /** @type {number} */ at) => (win[name] === null ? [] : [{ x: at + 1, y: win[name], id: win.id, at: win.at }]));
  const times = of("time_ms").map((/** @type {any} */ point) => ({ ...point, y: point.y / 1000 }));
  const rates = days.filter((/** @type {any} */ day) => day.games).map((/** @type {any} */ day, /** @type {number} */ at) =>
    ({ x: at + 1, y: (100 * day.wins) / day.games, at: day.day }));
  return [
    plot({ title: tr("Time of each win, in seconds"), points: times, average: 10, best: "least", open }),
    plot({ title: tr("3BV/s of each win"), points: of("bv_s"), average: 10, best: "most", open }),
    plot({ title: tr("Games won each day, in percent"), points: rates, average: 7, best: null }),
  ].filter(Boolean);
}
