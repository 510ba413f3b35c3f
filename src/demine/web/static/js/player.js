/**
 * The player at the board: presses, keys and fingers become acts, as `demine.play.controller` has it
 * for every scene. It changes the state and plays through the authority; it draws nothing.
 */
import { intendedAct, movedCursor, movesCursor } from "./cursor.js";
import { MOST_CHECKED, toggled } from "./draft.js";
import { Mouse } from "./mouse_automaton.js";
import { FLAG, faceAt } from "./faces.js";
import { changeDraft, dropDraft, expectMark, isOver } from "./state.js";
import { tr } from "./words.js";

/** @typedef {import("./faces.js").Cell} Cell */
/** @typedef {import("./mouse_automaton.js").Button} Button */
/** @typedef {import("./mouse_automaton.js").Intention} Intention */
/** @typedef {import("./state.js").State} State */
/** @typedef {import("./authority.js").Authority} Authority */
/**
 * @typedef {object} Outside what the player asks of the page
 * @property {() => void} changed
 * @property {(row: number, col: number) => void} cursorMoved
 * @property {(text: string) => void} news
 * @property {(command: string) => void} run carries out what is no matter of the board
 * @property {() => boolean} boardIsSeen
 */

const AT_CURSOR = ["act", "flag", "chord", "question"];
const AT_POINTER = ["hover-act", "hover-flag"];
/** Commands that ask for help, and what the server is asked. @type {Record<string, string>} */
const HELP = { hint: "hint", chances: "chances", "may-guess": "may_guess" };
/** What is about cells, which on a covered board only uncovers it. @param {string} command */
const uncovers = (command) => [...AT_CURSOR, ...AT_POINTER, ...Object.keys(HELP), "undo", "draft"].includes(command) || movesCursor(command);

export class Player {
  /** @param {State} state @param {Authority} authority @param {Outside} outside */
  constructor(state, authority, outside) {
    this.state = state;
    this.authority = authority;
    this.outside = outside;
    this.mouse = new Mouse();
    this.isUncovering = false;
  }

  get isPaused() {
    return this.state.game?.status === "paused" || this.state.covering;
  }

  /** The cells that look held down. @returns {Cell[]} */
  get pressedCells() {
    return this.isPaused ? [] : [...this.mouse.pressed, ...this.state.touched];
  }

  get isHoldingCell() {
    return this.mouse.isHoldingCell || this.state.touched.length > 0;
  }

  /** Take the player's settings. @param {Record<string, any>} preferences */
  applyPreferences(preferences) {
    this.mouse.questions = !!preferences.questions;
    this.mouse.leftChords = !!preferences.left_chord;
  }

  /** Follow the board after it may have changed. */
  refresh() {
    const { game, pointer } = this.state;
    if (game) this.mouse.move(pointer, game.sight);
  }

  // The mouse

  /**
   * @param {Button} button
   * @param {Cell | null} cell
   * @param {{shift?: boolean, ctrl?: boolean}} modifiers
   */
  press(button, cell, modifiers) {
    const { state } = this;
    if (!state.game) return;
    if (this.#uncover() || this.isUncovering) {
      this.isUncovering = true;
      this.mouse.ignore(button);
      return;
    }
    this.#dismissNews();
    state.pointer = cell;
    state.hiddenCursor = cell ?? state.cursor ?? state.hiddenCursor;
    state.cursor = null;
    this.#playAll(this.mouse.press(button, cell, state.game.sight, modifiers));
  }

  /** @param {Button} button @param {Cell | null} cell */
  release(button, cell) {
    const { state } = this;
    if (!state.game) return;
    if (this.isUncovering) {
      this.mouse.release(button, cell, state.game.sight);
      this.isUncovering = this.mouse.isIgnoringInput;
      return;
    }
    state.pointer = cell;
    this.#playAll(this.mouse.release(button, cell, state.game.sight));
  }

  /** @param {Cell | null} cell */
  move(cell) {
    const { state } = this;
    if (!state.game) return;
    state.pointer = cell;
    const before = this.mouse.pressed;
    this.mouse.move(cell, state.game.sight);
    if (before.length || this.mouse.pressed.length || state.help?.kind === "chances") this.outside.changed();
  }

  /** Cancel what mouse and fingers have begun. @param {boolean} [releasesLost] */
  cancelInput(releasesLost = false) {
    this.mouse.cancel(releasesLost);
    this.isUncovering = this.isUncovering && this.mouse.isIgnoringInput;
    this.state.touched = [];
    this.state.faceHeld = false;
    this.outside.changed();
  }

  /** Show these cells, and no others, as held down by a finger. @param {Cell[]} cells */
  touch(cells) {
    this.state.touched = this.isPaused ? [] : cells;
    this.outside.changed();
  }

  // Commands

  /** Carry out a command. @param {string} command */
  run(command) {
    const { state } = this;
    const bringsBack = command === "undo" && state.left !== "";
    if (uncovers(command) && !bringsBack && this.#uncover()) return;
    if (state.draft.isOn && !this.isPaused && this.#draft(command)) return;
    if (movesCursor(command)) {
      if (state.game) this.moveCursor(movedCursor(state.game.sight, state.cursor ?? state.hiddenCursor, command));
    } else if (AT_CURSOR.includes(command)) this.#actAtCursor(command);
    else if (AT_POINTER.includes(command)) this.actAt(command, state.pointer);
    else if (command === "undo" && !bringsBack) this.#undo();
    else if (command === "pause") this.togglePause();
    else if (command in HELP) this.#ask(HELP[command]);
    else if (command === "draft") this.#beginOrPutAsideDraft();
    else if (command === "cancel") this.#cancel();
    else this.outside.run(command);
  }

  /** Carry out a command at a cell; on a covered board it only uncovers that. @param {string} command @param {Cell | null} cell */
  actAt(command, cell) {
    const { game } = this.state;
    this.#dismissNews();
    if (this.#uncover() || !cell || !game) return;
    const asked = intendedAct(game.sight, cell, command);
    this.#playAll(asked ? [asked] : []);
  }

  /** Show the cursor on a cell. @param {Cell} cell */
  moveCursor(cell) {
    this.#dismissNews();
    this.state.cursor = cell;
    this.outside.cursorMoved(...cell);
    this.outside.changed();
  }

  /** @param {string} command */
  #actAtCursor(command) {
    const { state } = this;
    if (state.cursor) this.actAt(command, state.cursor);
    // Nobody acts at a cell unseen.
    else if (state.game) this.moveCursor(state.hiddenCursor ?? movedCursor(state.game.sight, null, "up"));
  }

  // The draft

  #beginOrPutAsideDraft() {
    const { state } = this;
    if (state.game?.status !== "running") {
      this.outside.news(tr("A draft needs a game that has begun"));
      return;
    }
    this.cancelInput();
    state.draft = { ...state.draft, isOn: !state.draft.isOn };
    changeDraft(state, state.draft.assumptions);
  }

  /** Change, check or end the draft by a command; return whether it is one of these. @param {string} command */
  #draft(command) {
    const { state } = this;
    /** @type {Record<string, () => void>} */
    const actions = {
      act: () => this.#keepDraft(),
      cancel: () => {
        this.cancelInput();
        dropDraft(state);
      },
      hint: () => this.#checkDraft(),
      undo: () => changeDraft(state, state.draft.assumptions.slice(0, -1)),
    };
    if (!(command in actions)) return false;
    this.#dismissNews();
    actions[command]();
    this.outside.changed();
    return true;
  }

  /** Assume what an act on a covered cell means in a draft. @param {string} verb @param {Cell} cell */
  #assume(verb, cell) {
    const { state } = this;
    if (verb === "chord") return;
    changeDraft(state, toggled(state.draft.assumptions, { cell, isMine: verb === "flag" }));
  }

  /** End the draft and flag the cells that it takes for mines; what cannot be sent stays in it. */
  #keepDraft() {
    const { state } = this;
    for (const { cell, isMine } of state.draft.assumptions) {
      const flagged = state.game && faceAt(state.game.sight, cell) === FLAG;
      if (isMine && !flagged && !this.#play("flag", cell)) return;
    }
    dropDraft(state);
  }

  /** Ask whether the draft can be true by all numbers together; that counts as help, which is said before. */
  #checkDraft() {
    const { state } = this;
    const { assumptions } = state.draft;
    if (!state.game || state.asking) return;
    if (assumptions.length > MOST_CHECKED) {
      this.outside.news(tr("at most {most} assumptions can be checked", { most: MOST_CHECKED }));
    } else if (!state.game.isHelped && state.checking !== -1) {
      state.checking = -1;
      state.help = { kind: "clash", text: tr("Checking with all numbers counts as help. Press again to confirm."), overlay: null };
    } else {
      state.checking = this.authority.ask("clash", undefined, assumptions.map(({ cell: [row, col], isMine }) => [row, col, isMine]));
      if (state.checking) state.asking = "clash";
    }
  }

  // Pausing

  togglePause() {
    if (!this.#uncover()) this.#pause();
  }

  /** Pause a running game that the player turns away from; the others of a co-op game go on. */
  pause() {
    if (!this.state.coop) this.#pause();
  }

  /** Pause a running game, which covers the board at once. */
  #pause() {
    const { state } = this;
    if (state.game?.status !== "running" || state.covering || state.isRaced || state.game.ranked) return;
    this.cancelInput();
    if (this.authority.play("pause")) state.covering = true;
    this.outside.changed();
  }

  /** Resume a paused game if its board can be seen; return whether it was paused. */
  #uncover() {
    if (!this.isPaused) return false;
    // A pause that has no answer yet is taken back in its turn.
    if (this.outside.boardIsSeen()) this.authority.play("resume");
    return true;
  }

  // The rest

  #undo() {
    const { game } = this.state;
    if (!game) return;
    if (game.canUndo) this.authority.play("undo");
    else this.outside.news(tr("Nothing to undo"));
  }

  /** @param {string} kind */
  #ask(kind) {
    const { state } = this;
    if (!state.game || isOver(state.game)) return;
    this.#dismissNews();
    if (kind === "chances" && state.help?.kind === "chances") {
      this.#dismissHelp();
      return;
    }
    if (state.asking) return;
    if (this.authority.ask(kind, state.cursor ?? state.pointer ?? state.lastActed ?? undefined)) state.asking = kind;
    this.outside.changed();
  }

  /** Cancel what the mouse or a finger has begun; if nothing was, dismiss the help. */
  #cancel() {
    this.#dismissNews();
    const begun = this.isHoldingCell;
    this.cancelInput();
    if (!begun) this.#dismissHelp();
  }

  #dismissHelp() {
    this.state.help = null;
    this.state.asking = "";
    this.outside.changed();
  }

  #dismissNews() {
    const { news } = this.state;
    if (news && (!news.trouble || performance.now() >= news.until)) this.state.news = null;
  }

  /** @param {Intention[]} asked */
  #playAll(asked) {
    for (const [verb, row, col] of asked) {
      if (this.state.draft.isOn) this.#assume(verb, [row, col]);
      else this.#play(verb, [row, col]);
    }
    this.outside.changed();
  }

  /** Play an act; return whether it was sent, or will be. @param {string} verb @param {Cell} cell */
  #play(verb, cell) {
    const { state } = this;
    if (!state.game || isOver(state.game)) return false;
    const number = this.authority.play(verb, cell);
    if (!number) {
      this.outside.news(tr("Not connected: this was not played"));
      return false;
    }
    state.lastActed = cell;
    state.left = "";
    expectMark(state, number, verb, cell);
    return true;
  }
}
