// The page of ranked boards: those of a day, the player's one attempt at each, and who was best.

import { copy, statusLine } from "./dialog.js";
import { button, el, row, select } from "./elements.js";
import { placeText } from "./leaderboards.js";
import { appearance } from "./listing.js";
import { exactTime } from "./race_words.js";
import { empty, localTime, table } from "./tables.js";
import { withSign } from "../waiting.js";
import { ntr, tr } from "../words.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {{game: string | null, status: string | null, time_ms: number | null}} Attempt */
/** @typedef {{level: string, rules: string, digest: string, is_ready: boolean, secret: string | null, mine: Attempt | null}} Board */
/** @typedef {{day: string, today: string, boards: Board[]}} Day */
/** @typedef {{place: number, name: string, game: string | null, won_at: string, time_ms: number, efficiency: number | null, you: boolean}} Row */
/** @typedef {{total: number, rows: Row[], you: Row | null, is_listed: boolean}} Found */

const COUNT = 25;
const DAY_MS = 24 * 3600 * 1000;
/** How often the time that is left is told anew, and a new day looked for. */
const TICK_MS = 10_000;

/**
 * Show the page of today or of another day: `/daily`, `/daily/2026-11-26`.
 * @param {App} app
 * @param {HTMLElement} page
 * @param {string} path
 */
export async function show(app, page, path) {
  document.title = tr("Ranked daily boards");
  page.className = "history leaderboards daily";
  const shown = new DailyPage(app, page, path.split("/")[2] ?? "");
  await shown.load();
}

class DailyPage {
  /** @param {App} app @param {HTMLElement} page @param {string} day */
  constructor(app, page, day) {
    this.app = app;
    this.page = page;
    this.asks = day;
    this.status = statusLine();
    const wanted = new URLSearchParams(location.search);
    this.query = {
      level: wanted.get("level") ?? "beginner",
      measure: wanted.get("measure") ?? "time",
      friends: wanted.get("friends") ?? "false",
    };
    this.after = 0;
    this.box = el("div");
    this.left = el("p", { class: "note" });
    this.asked = 0;
    /** @type {Day} */
    this.day = { day: "", today: "", boards: [] };
  }

  async load() {
    this.day = await this.app.authority.request("GET", `/api/daily?day=${encodeURIComponent(this.asks)}`);
    if (!this.day.boards.some(({ level }) => level === this.query.level)) this.query.level = "beginner";
    if (!this.isOver) this.query.measure = "time"; // the other one tells of the board
    this.page.replaceChildren(
      el("header", { class: "page-header" }, el("h1", {}, tr("Ranked daily boards")), el("a", { class: "button", href: "/" }, tr("To the game"))),
      this.status.line, this.days(), this.left,
      this.day.boards.length ? this.boards() : empty(tr("No boards"), tr("The server did not run on this day.")));
    if (this.isPlayable || this.isOver) this.page.append(el("h2", {}, tr("Leaderboard")), this.choices(), this.box);
    this.page.append(this.explanation());
    if (this.day.boards.length && this.day.day <= this.day.today) await this.turn(0);
    this.tick();
  }

  get isOver() {
    return this.day.boards.length > 0 && this.day.day < this.day.today;
  }

  get isPlayable() {
    return this.day.boards.length > 0 && this.day.day === this.day.today;
  }

  /** Tell the time that is left as long as the page is shown, and turn to the new day with it. */
  tick() {
    const { left, day } = this;
    const tell = () => {
      const minutes = Math.ceil((Date.parse(day.today) + DAY_MS - Date.now()) / 60_000);
      if (!left.isConnected || !this.isPlayable) return window.clearInterval(timer);
      const time = tr("{hours} h {minutes} min", { hours: Math.floor(minutes / 60), minutes: minutes % 60 });
      left.textContent = minutes > 0 && minutes <= 24 * 60 ? tr("New boards in {time}, at 0:00 UTC.", { time }) : tr("New boards come at 0:00 UTC.");
      if (minutes <= 0 && !this.asks) {
        window.clearInterval(timer);
        void this.load().catch((error) => this.status.fail(error));
      }
      return undefined;
    };
    const timer = window.setInterval(tell, TICK_MS);
    tell();
  }

  /** Return the way to the day before and the day after. */
  days() {
    const { day, today } = this.day;
    const at = Date.parse(day);
    const other = (/** @type {number} */ by) => new Date(at + by * DAY_MS).toISOString().slice(0, 10);
    const way = (/** @type {string} */ text, /** @type {string} */ to, /** @type {boolean} */ isThere) =>
      button(text, () => this.app.goTo(to === today ? "/daily" : `/daily/${to}`), { disabled: !isThere });
    const tomorrow = new Date(Date.parse(today) + DAY_MS).toISOString().slice(0, 10);
    return el("div", { class: "pages" },
      way(tr("Day before"), other(-1), true), el("strong", {}, day === today ? tr("Today, {day}", { day }) : day),
      way(tr("Day after"), other(1), day < tomorrow));
  }

  boards() {
    return el("ul", { class: "daily-boards" }, this.day.boards.map((board) => el("li", {},
      el("h2", {}, levelName(board.level)), el("p", {}, this.standing(board)), this.way(board), this.proof(board))));
  }

  /** Say how the player stands at a board. @param {Board} board */
  standing({ mine, is_ready }) {
    const time = mine?.time_ms === null || mine?.time_ms === undefined ? "" : exactTime(mine.time_ms);
    if (this.day.day > this.day.today) return tr("Not open yet");
    if (mine) {
      return {
        won: tr("Won in {time} s", { time }), lost: tr("Lost after {time} s", { time }), resigned: tr("Not finished"),
        running: tr("Your attempt is under way, and its clock goes on."), ready: this.isOver ? tr("Not played") : tr("Begun: the clock starts with the first click."),
      }[mine.status ?? ""] ?? tr("Your game was deleted.");
    }
    if (this.isOver) return tr("Not played");
    return is_ready ? tr("One attempt, without help or a pause") : tr("This board is being laid…");
  }

  /** Return what leads to the attempt, or to its recording. @param {Board} board */
  way({ level, mine, is_ready }) {
    const ended = mine?.status === "won" || mine?.status === "lost" || mine?.status === "resigned";
    if (this.isOver && ended) return el("a", { class: "button", href: `/w/${mine?.game}` }, tr("Watch"));
    if (!this.isPlayable || ended || (mine && !mine.game)) return null;
    if (!is_ready) return button(tr("Look again"), () => this.load().catch((error) => this.status.fail(error)));
    return button(mine ? tr("Continue") : tr("Begin"), () => this.play(level), { class: "button accent", "aria-label": `${mine ? tr("Continue") : tr("Begin")}: ${levelName(level)}` });
  }

  /** Return the digest of a board, and its secret once that is told. @param {Board} board */
  proof({ level, digest, secret }) {
    const text = secret ? `${this.day.day} ${level}\n${digest}\n${secret}` : digest;
    return el("details", {}, el("summary", {}, secret ? tr("Secret and digest") : tr("Digest")),
      secret ? el("dl", {}, el("dt", {}, tr("Digest")), el("dd", {}, el("code", {}, digest)),
        el("dt", {}, tr("Secret")), el("dd", {}, el("code", {}, secret))) : el("p", {}, el("code", {}, digest)),
      button(tr("Copy"), async () => {
        await copy(text);
        this.status.say(tr("Copied."));
      }, { class: "button slim" }));
  }

  /** Begin the attempt, or go on with it. @param {string} level */
  async play(level) {
    try {
      const { game } = await withSign(() => this.app.authority.request("POST", `/api/daily/${this.day.day}/${level}`));
      this.app.openGame(game);
    } catch (error) {
      this.status.fail(error);
    }
  }

  choices() {
    const levels = this.day.boards.map(({ level }) => /** @type {[string, string]} */ ([level, levelName(level)]));
    /** @type {[string, string][]} */
    const measures = this.isOver ? [["time", tr("Time")], ["efficiency", tr("Efficiency")]] : [["time", tr("Time")]];
    return el("div", { class: "filters" },
      row(tr("Level"), select(levels, this.query.level, (level) => this.choose({ level }))),
      row(tr("By"), select(measures, this.query.measure, (measure) => this.choose({ measure }))),
      row(tr("Who"), select([["false", tr("Everybody")], ["true", tr("Friends")]], this.query.friends, (friends) => this.choose({ friends }))));
  }

  /** @param {Partial<DailyPage["query"]>} changed */
  choose(changed) {
    Object.assign(this.query, changed);
    history.replaceState(null, "", `${location.pathname}?${new URLSearchParams(this.query)}`);
    return this.turn(0);
  }

  /** Show the rows after so many others. @param {number} after */
  async turn(after) {
    this.after = after;
    const number = (this.asked += 1);
    const { level, measure, friends } = this.query;
    const asked = new URLSearchParams({ measure, friends, after: String(after), count: String(COUNT) });
    try {
      const found = await this.app.authority.request("GET", `/api/daily/${this.day.day}/${level}/places?${asked}`);
      if (number === this.asked) this.draw(found);
    } catch (error) {
      if (number === this.asked) this.status.fail(error);
    }
  }

  /** @param {Found} found */
  draw(found) {
    const { total, rows, you, is_listed } = found;
    const step = (/** @type {string} */ text, /** @type {number} */ to) => button(text, () => this.turn(to), { disabled: to < 0 || to >= total });
    const isFriends = this.query.friends === "true";
    const isElsewhere = you && !rows.some((each) => each.you);
    this.box.replaceChildren(
      isElsewhere ? el("p", {}, tr("Your place: {place}, {time}", { place: placeText(you.place), time: exactTime(you.time_ms) })) : "",
      rows.length ? this.places(rows) : el("p", {}, isFriends ? tr("Neither you nor a friend has won here.") : tr("Nobody appears here yet.")),
      el("div", { class: "pages" },
        total > COUNT && step(tr("Better places"), this.after - COUNT), total > COUNT && step(tr("Next places"), this.after + COUNT),
        el("span", {}, total ? ntr("{n} player", "{n} players", total) : "")),
      isFriends ? "" : appearance(this.app, is_listed, () => this.turn(this.after)));
  }

  /** @param {Row[]} rows */
  places(rows) {
    const heads = [tr("Place"), tr("Player"), tr("Time"), ...(this.isOver ? [tr("Efficiency")] : []), tr("Played")];
    const efficiency = (/** @type {Row} */ each) => (each.efficiency === null ? "–" : `${Math.round(100 * each.efficiency)}%`);
    const made = table(heads, rows.map((each) => [placeText(each.place), player(each), exactTime(each.time_ms),
      ...(this.isOver ? [efficiency(each)] : []), localTime(each.won_at)]), tr("Leaderboard"));
    made.querySelectorAll("tbody tr").forEach((line, at) => line.classList.toggle("own", rows[at].you));
    return made;
  }

  explanation() {
    return el("p", { class: "note" }, this.isOver
      ? tr("Secret, day and level give the board: draw it again, and compare the digest that was shown beforehand. How that is done stands in the handbook under Daily boards.")
      : tr("Nobody knows these boards before the day is over. Each follows from a secret of which the digest is shown beforehand; then the secret is told, efficiency is compared, and all games can be watched."));
  }
}

/** @param {string} level */
const levelName = (level) => ({ beginner: tr("Beginner"), intermediate: tr("Intermediate"), expert: tr("Expert") })[level] ?? level;

/** @param {Row} row */
function player({ name, game, you }) {
  const text = you && name ? tr("{name} (you)", { name }) : name || (you ? tr("You") : tr("No name"));
  return game ? el("a", { href: `/w/${game}` }, text) : text;
}
