// The page of a co-op game: an invitation for whoever has no seat, else the board with everybody at it.

import { ask, busy, statusLine } from "./dialog.js";
import { CoopPanel } from "./coop_panel.js";
import { OthersCanvas } from "./coop_canvas.js";
import { button, el, row } from "./elements.js";
import { nameField, rename } from "./names.js";
import { nameOfSeat } from "../coop.js";
import { playsWithFingers, part } from "../page_parts.js";
import { leaveRace } from "../pages.js";
import { isOver } from "../state.js";
import { tr } from "../words.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("../coop.js").Partner} Partner */

/** The least time between two messages of where the pointer is, in milliseconds. */
const POINT_MS = 100;
/** The key that shows a cell to the others. */
const SIGNAL_KEY = "x";

/** @param {App} app @param {HTMLElement} place @param {string} path `/coop/ID` */
export async function show(app, place, path) {
  const id = path.split("/")[2];
  document.title = tr("Co-op game");
  const game = await app.authority.request("GET", `/api/coop/${id}`);
  if (location.pathname !== path) return; // it was left meanwhile
  if (game.seat) begin(app, id);
  else if (game.over) app.goTo(`/w/${id}`);
  else await invite(app, place, game);
}

/** Play at a seat that one has. @param {App} app @param {string} id */
function begin(app, id) {
  leaveRace(app);
  app.race = new CoopPage(app, id);
  app.playTogether(id);
}

/** Show who plays, and let whoever reads this sit down. @param {App} app @param {HTMLElement} place @param {any} game */
async function invite(app, place, game) {
  const me = await app.authority.request("GET", "/api/me");
  const status = statusLine();
  const name = nameField(me.name);
  const join = button(tr("Join the game"), () => busy(join, status, async () => {
    await rename(app, me.name, name.value);
    await app.authority.request("POST", `/api/coop/${game.game}/join`);
    begin(app, game.game);
  }), { class: "button accent", disabled: game.players.length >= game.most_seats });
  place.className = "race";
  place.replaceChildren(
    el("header", { class: "page-header" }, el("h1", {}, tr("Play one board together")), el("a", { class: "button", href: "/" }, tr("To the game"))),
    el("p", {}, el("strong", {}, game.title)),
    el("p", {}, tr("At this board: {names}", { names: game.players.map((/** @type {Partner} */ each) => each.name).join(", ") })),
    el("p", { class: "note" }, tr("{n} of {most} seats are taken.", { n: game.players.length, most: game.most_seats })),
    row(tr("Your name"), name),
    el("div", { class: "buttons" }, join), status.line);
}

/** A co-op game while it is on the page: what is beside and over its board. */
class CoopPage {
  /** @param {App} app @param {string} id */
  constructor(app, id) {
    this.app = app;
    this.id = id;
    this.ended = new AbortController();
    this.panel = new CoopPanel(app, id, {
      arm: (isArmed) => (this.isArmed = isArmed),
      follow: () => this.#goOn(app.state.coop?.next ?? ""),
    });
    this.canvas = new OthersCanvas(app);
    /** Whether the next press shows a cell to the others. */
    this.isArmed = false;
    this.isSwallowing = false;
    this.pointedAt = 0;
    /** @type {string} */
    this.cursor = "";
    part("game").before(this.panel.element);
    part("room").append(this.canvas.element);
    document.documentElement.toggleAttribute("data-coop", true);
    this.#listen();
  }

  close() {
    this.ended.abort();
    this.panel.element.remove();
    this.canvas.close();
    document.documentElement.toggleAttribute("data-coop", false);
  }

  /** Draw what the others do over the board; the view has drawn that. */
  draw() {
    const { coop, game, cursor } = this.app.state;
    if (!coop || !game) return;
    this.panel.show(coop, game);
    this.canvas.draw();
    const at = cursor?.join() ?? "";
    if (cursor && at !== this.cursor) this.#point([cursor[1] * 16 + 8, cursor[0] * 16 + 8]);
    this.cursor = at;
  }

  /** Say who came, who left, and what is pointed at. @param {any} news @param {Partner[]} before */
  follow(news, before) {
    const { coop, game } = this.app.state;
    if (!coop || !game) return;
    if (news.players) this.#sayWhoCame(before, news.players, coop.seat);
    if (news.signal && news.signal[0] !== coop.seat) {
      const [seat, line, col] = news.signal;
      this.app.announce(tr("{name} points at row {row}, column {col}", { name: nameOfSeat(coop, seat), row: line, col }));
    }
    if (news.next && news.by !== coop.seat) {
      if (isOver(game)) this.#goOn(news.next);
      else this.app.showNews(tr("{name} began another board", { name: nameOfSeat(coop, news.by) }));
    }
  }

  /** Play another board with the same players; while one is played nobody is taken away from it unasked. */
  async playAgain() {
    const { game } = this.app.state;
    const question = { title: tr("New board"), text: tr("This board is not over: the others can go on, or follow you."), confirm: tr("New board") };
    if (game && !isOver(game) && game.status !== "ready" && !await ask(question)) return;
    try {
      const next = await this.app.authority.request("POST", `/api/coop/${this.id}/again`);
      await this.#goOn(next.game);
    } catch (error) {
      this.app.showNews(/** @type {Error} */ (error).message, true);
    }
  }

  /** Sit down at the next board. @param {string} game */
  async #goOn(game) {
    try {
      await this.app.authority.request("POST", `/api/coop/${game}/join`);
      this.app.goTo(`/coop/${game}`);
    } catch (error) {
      this.app.showNews(/** @type {Error} */ (error).message, true);
    }
  }

  /** @param {Partner[]} before @param {Partner[]} after @param {number} own */
  #sayWhoCame(before, after, own) {
    const here = new Map(before.map((each) => [each.seat, each.here]));
    for (const { seat, name, here: isHere } of after) {
      if (seat === own || here.get(seat) === isHere) continue;
      if (isHere) this.app.showNews(tr("{name} is here", { name }));
      else if (here.has(seat)) this.app.showNews(tr("{name} is away", { name }));
    }
  }

  // What one shows the others

  #listen() {
    const { signal } = this.ended;
    const board = part("board");
    const options = { signal, capture: true };
    board.addEventListener("pointerdown", (event) => this.#press(event), options);
    board.addEventListener("pointermove", (event) => this.#move(event), options);
    for (const kind of /** @type {const} */ (["pointerup", "pointercancel"])) {
      board.addEventListener(kind, (event) => this.#release(event), options);
    }
    board.addEventListener("pointerleave", () => this.app.authority.show({ pointer: null }), { signal });
    document.addEventListener("keydown", (event) => this.#key(event), { signal });
  }

  /** @param {PointerEvent} event */
  #press(event) {
    if (!this.isArmed && !event.altKey) return;
    const cell = this.app.board.cellAt(event.clientX, event.clientY);
    event.preventDefault();
    event.stopImmediatePropagation();
    this.isSwallowing = true;
    this.panel.disarm();
    this.#signal(cell);
  }

  /** @param {PointerEvent} event */
  #move(event) {
    if (this.isSwallowing) event.stopImmediatePropagation();
    const { board } = this.app;
    const now = performance.now();
    if (now - this.pointedAt < POINT_MS || !board.cellAt(event.clientX, event.clientY)) return;
    this.pointedAt = now;
    this.#point(board.fieldPoint(event.clientX, event.clientY));
  }

  /** @param {PointerEvent} event */
  #release(event) {
    if (this.isSwallowing) event.stopImmediatePropagation();
    this.isSwallowing = false;
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.key.toLowerCase() !== SIGNAL_KEY || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (part("game").hidden || document.querySelector("dialog[open]") || event.target instanceof HTMLInputElement) return;
    const { cursor, pointer } = this.app.state;
    this.#signal(cursor ?? pointer);
  }

  /** @param {[number, number]} point */
  #point(point) {
    this.app.authority.show({ pointer: point });
  }

  /** @param {import("../faces.js").Cell | null} cell */
  #signal(cell) {
    if (cell) this.app.authority.show({ signal: cell });
    else this.app.showNews(playsWithFingers() ? tr("Tap a cell to show it to the others") : tr("Point at a cell to show it to the others"));
  }
}
