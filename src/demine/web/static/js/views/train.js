// The page of training: a question on a board, its answer with the proof, and what a set came to.

import { append, button, el } from "./elements.js";
import { statusLine } from "./dialog.js";
import { letPanAndZoom, zoomKeys } from "./pan_zoom.js";
import { table } from "./tables.js";
import { AccessibleGrid, layOver } from "../accessible_grid.js";
import { BoardCanvas } from "../board_canvas.js";
import { movedCursor, movesCursor } from "../cursor.js";
import { COVERED, UNKNOWN, faceAt } from "../faces.js";
import { tr } from "../words.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("../faces.js").Cell} Cell */
/**
 * @typedef {{id: string, place: string, count: number, signs: boolean[], heading: string, text: string,
 *   origin: string, rows: number, cols: number, faces: number[], looks: number[], faded: number[],
 *   may_be_a_guess: boolean}} Question
 * @typedef {{is_right: boolean, text: string, marks: number[]}} Answer
 * @typedef {{headline: string, heads: string[], rows: string[][]}} Progress
 * @typedef {{text: string, notes: string[], heads: string[], rows: string[][], progress: Progress}} Summary
 */

/** The smallest and the largest cells that a board is shown with at first, in CSS pixels. */
const COMFORT = { least: 20, most: 48, whole: 18 };
/** How far a finger or the mouse may move in a click, in CSS pixels. */
const CLICK = 8;

/** @param {App} app @param {HTMLElement} page */
export async function show(app, page) {
  document.title = tr("Training");
  await new Training(app, page).begin("own");
}

class Training {
  /** @param {App} app @param {HTMLElement} page */
  constructor(app, page) {
    this.app = app;
    this.kind = "own";
    /** @type {Question | null} */
    this.question = null;
    /** @type {Answer | null} */
    this.given = null;
    /** What the question shows. @type {import("../faces.js").Sight} */
    this.sight = { rows: 1, cols: 1, faces: new Uint8Array(1) };
    this.looks = new Uint8Array(1);
    this.veil = new Uint8Array(1);
    /** @type {Cell | null} */
    this.cursor = null;
    this.busy = false;
    this.status = statusLine();
    this.daily = button(tr("Drill of the day"), () => this.begin(this.kind === "own" ? "daily" : "own"));
    this.main = el("div", { class: "train-main" });
    page.className = "train";
    page.replaceChildren(
      el("header", { class: "page-header" }, el("h1", {}, tr("Training")),
        this.daily, el("a", { class: "button", href: "/" }, tr("To the game"))),
      this.status.line, this.main);
    this.place = el("span", {});
    this.signs = el("span", { class: "train-signs", role: "img" });
    this.heading = el("span", { class: "note" });
    this.text = el("h2", {});
    this.origin = el("p", { class: "note" });
    this.answer = el("p", { class: "train-answer", tabIndex: -1 });
    this.guess = button(tr("It is a guess"), () => this.give(null));
    this.next = button(tr("Next"), () => this.goOn(), { class: "button accent" });
    const canvas = el("canvas", { class: "page-canvas", "aria-hidden": "true" });
    const grid = el("div", { class: "page-grid", role: "grid" });
    this.box = el("div", { class: "train-board" }, grid, canvas);
    this.asking = el("div", { class: "train-question" },
      el("div", { class: "train-head" }, this.place, this.signs, this.heading),
      this.text, this.origin, this.box,
      el("div", { class: "train-below" }, this.answer, el("div", { class: "buttons" }, this.guess, this.next)));
    this.board = new BoardCanvas(canvas, app.sprites);
    this.board.comfort = COMFORT;
    this.board.onView = () => layOver(this.grid, this.board);
    this.grid = new AccessibleGrid(grid, app.view.grid.live, {
      focused: (cell) => this.moveTo(cell),
      act: (command, cell) => command === "act" && this.give(cell),
    });
    this.grid.names = app.view.grid.names;
    letPanAndZoom(this.box, this.board);
    this.listenToClicks();
    this.listenToKeys();
  }

  /** Begin a set, or go on with one that was left. @param {string} kind */
  begin(kind) {
    this.kind = kind;
    this.daily.textContent = kind === "own" ? tr("Drill of the day") : tr("My set");
    return this.step(true);
  }

  goOn() {
    return this.given && this.step(false);
  }

  /** Ask for the next question, or for the end of the set. @param {boolean} begin */
  async step(begin) {
    if (!this.question) this.main.replaceChildren(el("p", { class: "empty" }, tr("Looking for mistakes and slow proofs in your games…")));
    const told = await this.ask("/api/train", { set: this.kind, begin });
    if (!told) return;
    if (told.question) this.showQuestion(told.question);
    else this.showSummary(told.summary);
  }

  /** Answer with a covered cell, or null for a guess. @param {Cell | null} cell */
  async give(cell) {
    const { question } = this;
    if (!question || this.given || (cell && faceAt(this.sight, cell) !== COVERED)) return;
    const told = await this.ask("/api/train/answer", { id: question.id, cell });
    if (told && this.question === question) this.showAnswer(told);
  }

  /** Ask the server one thing at a time; null if it did not answer, which is said. @param {string} path @param {unknown} body */
  async ask(path, body) {
    if (this.busy) return null;
    this.busy = true;
    try {
      const told = await this.app.authority.request("POST", path, body);
      this.status.say("");
      return told;
    } catch (error) {
      this.status.fail(error);
      if (!this.question) this.main.replaceChildren(el("div", { class: "empty" }, button(tr("Try again"), () => this.step(true))));
      return null;
    } finally {
      this.busy = false;
    }
  }

  // What is shown

  /** @param {Question} question */
  showQuestion(question) {
    this.question = question;
    this.given = null;
    this.cursor = null;
    this.sight = { rows: question.rows, cols: question.cols, faces: Uint8Array.from(question.faces) };
    this.looks = Uint8Array.from(question.looks);
    this.veil = new Uint8Array(question.faces.length);
    for (const at of question.faded) this.veil[at] = 1;
    this.place.textContent = question.place;
    this.showSigns(question);
    this.heading.textContent = question.heading;
    this.text.textContent = question.text;
    this.origin.textContent = question.origin;
    this.answer.textContent = "";
    this.answer.className = "train-answer";
    this.guess.hidden = !question.may_be_a_guess;
    this.guess.disabled = false;
    this.next.hidden = true;
    this.main.replaceChildren(this.asking);
    this.board.applyTheme(); // its colours are those of the place where it stands
    this.draw();
    this.app.announce(`${question.place}. ${question.text}`);
  }

  /** @param {Question} question */
  showSigns(question) {
    const signs = question.signs.map((right) => (right ? "✓" : "✗"));
    this.signs.textContent = [...signs, "●", ...Array(Math.max(0, question.count - signs.length - 1)).fill("○")].join(" ");
    this.signs.setAttribute("aria-label", question.place);
    this.signs.hidden = question.count < 2;
  }

  /** @param {Answer} given */
  showAnswer(given) {
    this.given = given;
    this.cursor = null;
    this.answer.textContent = `${given.is_right ? "✓" : "✗"} ${given.text}`;
    this.answer.classList.add(given.is_right ? "right" : "wrong");
    this.guess.disabled = true;
    this.next.hidden = false;
    this.draw();
    const main = given.marks.findIndex(Boolean);
    if (main >= 0 && this.question) this.board.scrollTo(Math.floor(main / this.question.cols), main % this.question.cols);
    this.next.focus({ preventScroll: true });
    this.app.announce(given.text);
  }

  /** @param {Summary} summary */
  showSummary(summary) {
    this.question = null;
    const { progress } = summary;
    const again = button(tr("Another set"), () => this.begin("own"), { class: "button accent" });
    this.main.replaceChildren(el("div", { class: "train-summary" }, el("h2", {}, summary.text)));
    const box = /** @type {HTMLElement} */ (this.main.firstElementChild);
    append(box, summary.notes.map((note) => el("p", {}, note)), again,
      summary.rows.length > 0 && table(summary.heads, summary.rows, tr("This set")),
      progress.rows.length > 0 && el("h2", {}, tr("Progress by pattern")),
      progress.rows.length > 0 && table(progress.heads, progress.rows, tr("Progress by pattern")));
    again.focus({ preventScroll: true });
    this.app.announce(summary.text);
  }

  draw() {
    const { sight, given } = this;
    const marks = Uint8Array.from(given?.marks ?? new Uint8Array(sight.faces.length));
    const overlay = given ? { marks, risk: new Uint8Array(marks.length).fill(UNKNOWN) } : null;
    const faded = this.veil.map((is, at) => (marks[at] ? 0 : is));
    this.board.show({ ...sight, looks: this.looks, overlay, cursor: this.cursor, faded });
    this.grid.show(sight, overlay, this.cursor, false, document.documentElement.lang);
    layOver(this.grid, this.board);
  }

  // Hands and keys

  listenToClicks() {
    /** @type {[number, number] | null} */
    let began = null;
    this.box.addEventListener("pointerdown", (event) => {
      began = event.isPrimary && event.button === 0 ? [event.clientX, event.clientY] : null;
    });
    this.box.addEventListener("pointerup", (event) => {
      const near = began && Math.hypot(event.clientX - began[0], event.clientY - began[1]) <= CLICK;
      began = null;
      const cell = near ? this.board.cellAt(event.clientX, event.clientY) : null;
      if (cell) void this.give(cell);
    });
  }

  /** Take keys wherever the focus is, and none once another page is shown. */
  listenToKeys() {
    const shown = new AbortController();
    document.addEventListener("keydown", (event) => {
      if (this.main.isConnected) {
        this.key(event);
        return;
      }
      shown.abort();
      this.board.close();
    }, { signal: shown.signal });
    // The page has taken the other colours before, since it began to listen earlier.
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.board.applyTheme(), { signal: shown.signal });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (!this.question || document.querySelector("dialog[open]")) return;
    const command = this.app.keys.command(event);
    const presses = event.key === "Enter" || event.key === " ";
    if (presses && event.target instanceof Element && event.target.closest("button, a")) return;
    const zoom = /** @type {Record<string, () => void>} */ (zoomKeys(this.board))[event.key];
    const plain = !event.ctrlKey && !event.altKey && !event.metaKey;
    if (plain && event.key.toLowerCase() === "g" && this.question.may_be_a_guess) void this.give(null);
    else if (movesCursor(command) && !this.given) this.moveBy(command);
    else if ((command === "act" || event.key === "Enter") && !event.repeat) this.act();
    else if (plain && zoom) zoom();
    else return;
    event.preventDefault();
  }

  act() {
    if (this.given) void this.goOn();
    else if (this.cursor) void this.give(this.cursor);
    else this.moveBy("up");
  }

  /** @param {string} command */
  moveBy(command) {
    this.moveTo(movedCursor(this.sight, this.cursor, command));
  }

  /** @param {Cell} cell */
  moveTo(cell) {
    if (this.given || (this.cursor && this.cursor[0] === cell[0] && this.cursor[1] === cell[1])) return;
    this.cursor = cell;
    this.board.scrollTo(...cell);
    this.draw();
    this.grid.focus(cell);
  }
}
