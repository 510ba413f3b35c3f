// The page of analysis: a position is painted, pasted or taken from a game, and the solver says what it knows.

import { append, button, el, row } from "./elements.js";
import { Analyst } from "./analyst.js";
import { ask, copy, showDialog, statusLine } from "./dialog.js";
import { letPaint } from "./painting.js";
import { AccessibleGrid, layOver } from "../accessible_grid.js";
import { BoardCanvas } from "../board_canvas.js";
import { movedCursor, movesCursor } from "../cursor.js";
import { PLAIN, UNKNOWN } from "../faces.js";
import { keyName } from "../keyboard.js";
import { PositionEditor, blank, diagramOf, linkOf, mostMines, positionOfLink, positionOnWire } from "./position_editor.js";
import { isOver } from "../state.js";
import { nextTry } from "../waiting.js";
import { asSentence, tr } from "../words.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("../faces.js").Cell} Cell */
/** @typedef {import("./position_editor.js").Position} Position */
/** @typedef {import("./position_editor.js").Tool} Tool */
/** @typedef {import("./analyst.js").Analysed} Analysed */
/** @typedef {import("./analyst.js").Prove} Prove */

/** The smallest and the largest cells that a board is shown with at first, in CSS pixels. */
const COMFORT = { least: 20, most: 64, whole: 16 };
/** How long after a change the address has the position, in milliseconds; browsers refuse many changes in short time. */
const ADDRESS_MS = 400;
/** The side of a face on the palette, in CSS pixels. */
const FACE = 24;
/** What stands on the buttons of the tools that paint no face of their own. @type {Record<string, string>} */
const SIGNS = { cycle: "1→2", why: "?" };

/** @param {App} app @param {HTMLElement} page */
export function show(app, page) {
  document.title = tr("Analyse a position");
  return new Analysis(app, page).begin();
}

class Analysis {
  /** @param {App} app @param {HTMLElement} page */
  constructor(app, page) {
    this.app = app;
    this.facts = app.facts.position;
    this.editor = new PositionEditor(this.facts);
    this.analyst = new Analyst(app.authority, {
      answered: (answer) => this.showAnswer(answer),
      failed: (error, seconds) => this.showFailure(error, seconds),
      isSeen: () => this.box.isConnected,
    });
    /** What the server said of the present position. @type {Analysed | null} */
    this.answer = null;
    /** The position that the address has, or soon will. @type {Position | null} */
    this.kept = null;
    this.addressTimer = 0;
    /** Why the last question had no answer. @type {Error | null} */
    this.failure = null;
    /** @type {Cell | null} */
    this.cursor = null;
    this.gameId = app.state.game?.id ?? "";
    this.status = statusLine();
    this.said = el("div", { class: "analyse-said" });
    this.takeGameButton = button(tr("From the game"), () => this.takeGame(), { hidden: true });
    const canvas = el("canvas", { class: "page-canvas", "aria-hidden": "true" });
    const grid = el("div", { class: "page-grid", role: "grid" });
    this.box = el("div", { class: "analyse-board" }, grid, canvas);
    this.board = new BoardCanvas(canvas, app.sprites);
    this.board.comfort = COMFORT;
    this.board.onView = () => layOver(this.grid, this.board);
    this.grid = new AccessibleGrid(grid, app.view.grid.live, {
      focused: (cell) => this.moveTo(cell),
      act: (command, cell) => this.click(cell, { secondary: command === "flag" }),
    });
    this.grid.names = app.view.grid.names;
    /** The buttons of the tools. @type {Map<Tool, HTMLElement>} */
    this.tools = new Map(this.facts.tools.map((/** @type {Tool} */ tool) => [tool, this.makeTool(tool)]));
    const { editor } = this;
    this.width = this.makeNumber(1, (value) => this.resize(editor.position.rows, value));
    this.height = this.makeNumber(1, (value) => this.resize(value, editor.position.cols));
    this.mines = this.makeNumber(0, (value) => editor.setMines(clamp(value, 0, mostMines(editor.position.rows, editor.position.cols))));
    this.risks = el("input", { type: "checkbox", checked: true, onchange: () => this.draw() });
    this.undo = button(tr("Undo"), () => this.change(() => editor.undo()));
    this.redo = button(tr("Redo"), () => this.change(() => editor.redo()));
    this.layOut(page);
    this.board.applyTheme(); // its colours are those of the place where it stands
    letPaint(this.box, this.board, {
      paint: (cell, how) => this.click(cell, how),
      hold: (isHeld) => this.analyst.hold(isHeld),
    });
    this.listenToKeys();
    app.sprites.onReady.add(this.drawTools);
    this.drawTools();
  }

  /** @param {HTMLElement} page */
  layOut(page) {
    const clear = button(tr("Cover all"), () => this.change(() => this.editor.clear()));
    const paste = button(tr("Paste…"), () => this.openPaste());
    const copyText = button(tr("Copy as text"), () => this.copy(this.diagram()));
    const copyLink = button(tr("Copy link"), () => this.copy(this.link()));
    const prove = button(tr("Prove the easiest cell"), () => this.prove("easiest"));
    page.className = "analyse";
    page.replaceChildren(
      el("header", { class: "page-header" }, el("h1", {}, tr("Analyse a position")),
        this.takeGameButton, el("a", { class: "button", href: "/" }, tr("To the game"))),
      el("div", { class: "analyse-main" }, this.box, el("div", { class: "analyse-side" },
        el("div", { class: "analyse-tools", role: "group", "aria-label": tr("What a click paints") }, [...this.tools.values()]),
        el("div", { class: "numbers" }, row(tr("Width"), this.width), row(tr("Height"), this.height), row(tr("Mines"), this.mines)),
        el("div", { class: "buttons" }, this.undo, this.redo, clear, paste, copyText, copyLink),
        row(tr("Show risks"), this.risks),
        el("div", { class: "analyse-answers" }, this.status.line, this.said, el("div", { class: "buttons" }, prove)))));
  }

  /** @param {number} least @param {(value: number) => void} set */
  makeNumber(least, set) {
    const field = el("input", { type: "number", inputMode: "numeric", min: least, step: 1, required: true });
    field.addEventListener("change", () => {
      if (field.checkValidity()) this.change(() => set(Number(field.value)));
      else this.show(this.answer); // and with it the number that holds
    });
    return field;
  }

  /** Begin with the position of the link, or with that of a finished game, or with a covered board of its size. */
  async begin() {
    const { editor, facts, app: { state: { game } } } = this;
    const link = location.hash.slice(1);
    const linked = positionOfLink(link, facts);
    if (linked) editor.take(linked);
    else if (game && isOver(game)) await this.takeGame();
    else if (game && game.sight.faces.length <= facts.most_cells) editor.take(blank(game.sight.rows, game.sight.cols, game.mines));
    editor.forgetChanges();
    this.change(() => {});
    if (link && !linked) this.status.fail(tr("There is no position in this link that can be shown"));
    await this.offerGame();
  }

  // What the player does

  /** Change the position, and have it analysed anew. @param {() => void} edit */
  change(edit) {
    this.status.say("");
    edit();
    this.show(null);
    this.analyst.ask(this.editor.position);
    this.showThinking();
  }

  /** @param {Cell} cell @param {{secondary?: boolean, continues?: boolean}} how */
  click(cell, how) {
    this.cursor = cell;
    const { editor } = this;
    const before = editor.position;
    if (editor.tool === "why") {
      if (!how.continues) this.prove(cell);
      return;
    }
    editor.click(cell, how);
    if (editor.position !== before) this.change(() => {});
  }

  /** @param {Prove} which */
  prove(which) {
    this.analyst.ask(this.editor.position, which, 0);
    this.showThinking();
  }

  /** @param {number} rows @param {number} cols */
  resize(rows, cols) {
    const most = this.facts.most_cells;
    if (rows * cols > most) this.status.fail(asSentence(tr("the editor takes positions of up to {most} cells", { most })));
    else this.editor.resize(rows, cols);
  }

  /** Offer the game at the board, or else the one that is under way. */
  async offerGame() {
    const { authority, state } = this.app;
    this.gameId = state.game?.id ?? (await authority.request("GET", "/api/setup")).game ?? "";
    this.takeGameButton.hidden = !this.gameId;
  }

  async takeGame() {
    const { authority } = this.app;
    const path = `/api/games/${this.gameId}`;
    try {
      const { status, over, unranked } = await authority.request("GET", path);
      const counts = !over && status !== "ready" && unranked !== "hint";
      if (counts && !await ask({
        title: tr("From the game"), text: tr("Of a running game this counts as help"), confirm: tr("From the game"),
      })) return;
      const told = await authority.request("POST", `${path}/position`, {});
      this.change(() => this.editor.take(positionOnWire(told)));
    } catch (error) {
      this.status.fail(error);
    }
  }

  openPaste() {
    const field = el("textarea", { rows: 10, class: "paste-field", autofocus: true, "aria-label": tr("A position as text") });
    const status = statusLine();
    const take = button(tr("Take over"), async () => {
      if (await this.paste(field.value, status)) close();
    }, { class: "button accent" });
    const { close } = showDialog({
      title: tr("Paste a position"),
      content: [el("p", {}, tr("A diagram as demine, other programs and chats write it:")), field, status.line],
      buttons: [button(tr("Cancel"), () => close()), take],
    });
  }

  /** Take over the position of a text; return whether it is one. @param {string} text @param {{fail: (error: unknown) => void}} status */
  async paste(text, status = this.status) {
    try {
      const answer = await this.app.authority.request("POST", "/api/analyse", { text, mines: this.editor.position.mines });
      this.editor.take(positionOnWire(answer));
      this.analyst.stop();
      this.status.say("");
      this.showAnswer(answer);
      return true;
    } catch (error) {
      status.fail(error);
      return false;
    }
  }

  /** @param {string} text */
  async copy(text) {
    try {
      await copy(text);
      this.status.say(tr("Copied"));
    } catch (error) {
      this.status.fail(error);
    }
  }

  link() {
    return `${location.origin}/analyse#${linkOf(this.editor.position)}`;
  }

  diagram() {
    return diagramOf(this.editor.position, this.facts.letters);
  }

  /** Have the address hold the position, whatever the server says of it. */
  keepInAddress() {
    window.clearTimeout(this.addressTimer);
    this.addressTimer = window.setTimeout(() => {
      if (this.box.isConnected) history.replaceState(history.state, "", this.link());
    }, ADDRESS_MS);
  }

  // What is shown

  /** @param {Analysed} answer */
  showAnswer(answer) {
    this.show(answer);
    const { trouble, proof, shown } = answer;
    const troubleText = asSentence(trouble?.message ?? "");
    const proofText = asSentence(proof?.text ?? "");
    this.said.replaceChildren();
    append(this.said, troubleText && el("p", { class: "trouble" }, troubleText),
      el("ul", {}, shown.sentences.map((each) => el("li", {}, each))),
      proofText && el("p", { class: "analyse-proof" }, proofText));
    this.app.announce([troubleText, ...(proof ? [proofText] : shown.sentences)].filter(Boolean).join(". "));
    if (proof?.cell) this.board.scrollTo(...proof.cell);
  }

  /** Say why there is no answer, and in how many seconds the server is asked again. @param {Error} error @param {number} seconds */
  showFailure(error, seconds) {
    const text = asSentence(seconds ? nextTry(seconds, error.message) : error.message);
    this.said.replaceChildren(el("p", { class: "trouble" }, text));
    if (error !== this.failure) this.app.announce(text); // a screen reader does not count down
    this.failure = error;
  }

  showThinking() {
    this.said.replaceChildren(el("p", { class: "note" }, tr("Thinking…")));
  }

  /** Show the position, with what is known of it. @param {Analysed | null} answer */
  show(answer) {
    const { editor, tools } = this;
    this.answer = answer;
    if (editor.position !== this.kept) this.keepInAddress();
    this.kept = editor.position;
    const { rows, cols, mines } = editor.position;
    for (const [field, value] of /** @type {[HTMLInputElement, number][]} */ ([[this.width, cols], [this.height, rows], [this.mines, mines]])) {
      field.value = String(value);
    }
    this.undo.disabled = !editor.past.length;
    this.redo.disabled = !editor.future.length;
    for (const [tool, each] of tools) each.setAttribute("aria-pressed", String(tool === editor.tool));
    if (this.cursor && (this.cursor[0] >= rows || this.cursor[1] >= cols)) this.cursor = null;
    this.draw();
  }

  draw() {
    const { position } = this.editor;
    const overlay = this.overlay();
    this.board.show({ ...position, overlay, cursor: this.cursor });
    this.grid.show(position, overlay, this.cursor, false, document.documentElement.lang);
    layOver(this.grid, this.board);
  }

  overlay() {
    if (!this.answer) return null;
    const { rows, cols } = this.editor.position;
    const { shown } = this.answer;
    const marks = new Uint8Array(rows * cols);
    const risk = new Uint8Array(rows * cols).fill(UNKNOWN);
    const unwritten = new Uint8Array(rows * cols);
    for (const [row, col, mark] of shown.marks) marks[row * cols + col] = mark;
    if (this.risks.checked) {
      shown.percent.forEach((percent, at) => (risk[at] = percent < 0 ? UNKNOWN : percent));
      for (const at of shown.unwritten) unwritten[at] = 1;
    }
    return { marks, risk, unwritten };
  }

  // Tools and keys

  /** @param {Tool} tool */
  makeTool(tool) {
    const name = this.toolName(tool);
    const press = () => {
      this.editor.tool = tool;
      this.show(this.answer);
    };
    const made = button("", press, { title: name, "aria-label": name, "data-sign": SIGNS[tool] });
    if (typeof tool === "number") made.append(el("canvas", { class: "analyse-face", "data-face": tool }));
    return made;
  }

  /** @param {Tool} tool */
  toolName(tool) {
    if (tool === "cycle") return tr("Step through the numbers; right click flags");
    if (tool === "why") return tr("Why is this cell safe or a mine? (W)");
    return tr(this.app.facts.faces[tool]);
  }

  /** Draw the faces on the palette, as far as they are here. */
  drawTools = () => {
    const { sprites } = this.app;
    const side = Math.round(FACE * (window.devicePixelRatio || 1));
    const atlas = sprites.atlas(side);
    for (const each of this.tools.values()) {
      const canvas = each.querySelector("canvas");
      const tile = canvas && atlas && sprites.tile(atlas, Number(canvas.dataset.face), PLAIN);
      if (!tile) continue;
      canvas.width = canvas.height = side;
      canvas.getContext("2d")?.drawImage(tile, 0, 0, side, side);
    }
  };

  /** Take keys wherever the focus is, and none once another page is shown. */
  listenToKeys() {
    const shown = new AbortController();
    const { signal } = shown;
    /** @param {string} type @param {(event: any) => void} hear */
    const listen = (type, hear) => document.addEventListener(type, (event) => {
      if (!this.box.isConnected) {
        shown.abort();
        this.leave();
      } else if (!document.querySelector("dialog[open]") && !isField(event.target)) hear(event);
    }, { signal });
    listen("keydown", (event) => this.key(event));
    listen("paste", (event) => {
      event.preventDefault();
      void this.paste(event.clipboardData?.getData("text") ?? "");
    });
    listen("copy", (event) => {
      if (!getSelection()?.isCollapsed) return; // that text is copied
      event.clipboardData?.setData("text/plain", this.diagram());
      event.preventDefault();
      this.status.say(tr("Copied"));
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.board.applyTheme(), { signal });
  }

  leave() {
    this.analyst.stop();
    this.board.close();
    this.app.sprites.onReady.delete(this.drawTools);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const presses = event.key === "Enter" || event.key === " ";
    if (presses && event.target instanceof Element && event.target.closest("button, a, summary")) return;
    const { editor, facts } = this;
    const name = keyName(event);
    const command = this.app.keys.command(event);
    const cell = this.cursor ?? movedCursor(editor.position, null, "up");
    if (name in facts.painting_keys) this.change(() => editor.paint((this.cursor = cell), facts.painting_keys[name]));
    else if (facts.proof_keys.includes(name)) this.prove((this.cursor = cell));
    else if (name === "enter") this.click(cell, {});
    else if (name === "ctrl+z" || name === "meta+z") this.change(() => editor.undo());
    else if (["ctrl+y", "ctrl+shift+z", "shift+meta+z"].includes(name)) this.change(() => editor.redo());
    else if (name === "+" || name === "=" || name === "-") this.board.zoomSteps(name === "-" ? -1 : 1);
    else if (movesCursor(command)) this.moveTo(movedCursor(editor.position, this.cursor, command));
    else return;
    event.preventDefault();
  }

  /** @param {Cell} cell */
  moveTo(cell) {
    if (this.cursor && this.cursor[0] === cell[0] && this.cursor[1] === cell[1]) return;
    this.cursor = cell;
    this.board.scrollTo(...cell);
    this.draw();
    this.grid.focus(cell);
  }
}

/** @param {EventTarget | null} target */
const isField = (target) => target instanceof Element && !!target.closest("input:not([type='checkbox']), textarea, select");

/** @param {number} value @param {number} least @param {number} most */
const clamp = (value, least, most) => Math.min(Math.max(value, least), most);
