/**
 * What the page knows of the moment, as one plain object, and how messages change it.
 */
import { coopOf, followOwners } from "./coop.js";
import { drafted, noDraft } from "./draft.js";
import { COVERED, FLAG, QUESTION, UNKNOWN } from "./faces.js";

/** @typedef {import("./faces.js").Cell} Cell */
/** @typedef {import("./faces.js").Sight} Sight */
/** @typedef {import("./authority.js").Hello} Hello */
/** @typedef {import("./authority.js").Answer} Answer */
/** @typedef {import("./authority.js").Message} Message */
/** @typedef {import("./board_canvas.js").Overlay} Overlay */
/**
 * @typedef {object} GameState
 * @property {string} id
 * @property {string} rules
 * @property {string} level
 * @property {string} title
 * @property {number} mines
 * @property {Cell | null} start
 * @property {string | null} ranked the day and level of a ranked board, on which nothing helps
 * @property {string} status ready, running, paused, won, lost
 * @property {number} minesLeft
 * @property {boolean} canUndo
 * @property {Sight} truth what the server has said
 * @property {Sight} sight that, with flags that it has not answered yet
 * @property {boolean} isHelped whether a hint counted as help already
 * @property {Message | null} message
 * @property {string} luck the guesses of a game that is over, once they are counted
 */
/**
 * @typedef {object} State
 * @property {GameState | null} game
 * @property {import("./coop.js").Coop | null} coop what a co-op game has besides; null in a game of one player
 * @property {import("./lasting_socket.js").Connection} connection
 * @property {{ms: number, at: number}} clock the time of play, and when by this page's clock
 * @property {Map<number, {at: number, face: number}>} flags marks that wait for an answer, by the number of the act
 * @property {Cell | null} cursor
 * @property {Cell | null} hiddenCursor where a hidden cursor reappears
 * @property {Cell | null} pointer
 * @property {Cell | null} lastActed
 * @property {Cell[]} touched cells that a finger holds down
 * @property {boolean} faceHeld whether the restart face is held down
 * @property {boolean} isRaced whether the game is played against others, and goes on while nobody sees it
 * @property {boolean} covering whether the board is covered before the server has paused the game
 * @property {boolean} flagMode whether a tap flags
 * @property {{kind: string, text: string, overlay: Overlay | null} | null} help
 * @property {import("./draft.js").Draft} draft
 * @property {number} checking the number of the question about the draft; -1 once the player was told that it counts
 * @property {string} asking what help is being worked out
 * @property {{text: string, trouble: boolean, until: number} | null} news
 * @property {string} proving the game that is a proof of its board, step by step
 * @property {string} left the game that a new one took the place of, until its board is touched
 * @property {Record<string, any>} preferences
 */

/** @returns {State} */
export function initialState() {
  return {
    game: null, coop: null, connection: "connecting", clock: { ms: 0, at: 0 }, flags: new Map(),
    cursor: null, hiddenCursor: null, pointer: null, lastActed: null, touched: [], faceHeld: false,
    isRaced: false, covering: false, flagMode: false, help: null, draft: noDraft(), checking: 0, asking: "", news: null, proving: "", left: "", preferences: {},
  };
}

/** Whether a game is over. @param {GameState} game */
export const isOver = (game) => game.status === "won" || game.status === "lost";

/** Take the whole state of a game. @param {State} state @param {Hello} hello @param {number} now */
export function applyHello(state, hello, now) {
  const same = state.game?.id === hello.game;
  const old = state.game;
  /** @type {Sight} */
  const truth = same && old && !hello.faces
    ? changed(old.truth, hello.cells ?? [])
    : { rows: hello.height, cols: hello.width, faces: parsedFaces(hello.faces ?? []) };
  state.game = {
    id: hello.game, rules: hello.rules, level: hello.level, title: hello.title, mines: hello.mines,
    start: hello.start, ranked: hello.ranked, status: hello.status, minesLeft: hello.mines_left, canUndo: hello.can_undo,
    isHelped: hello.unranked === "hint", truth, sight: truth, message: hello.message, luck: same && old ? old.luck : "",
  };
  state.coop = coopOf(hello);
  state.clock = { ms: hello.clock_ms, at: now };
  state.covering = false;
  if (!same) forgetOldGame(state, old, state.game);
  state.flags.clear();
  seeAgain(state);
}

/** Take what an act changed. @param {State} state @param {Answer} answer @param {number} now */
export function applyAnswer(state, answer, now) {
  const { game } = state;
  if (!game) return;
  const before = game.truth;
  if (answer.faces) game.truth = { ...game.truth, faces: parsedFaces(answer.faces) };
  else if (answer.cells) game.truth = changed(game.truth, answer.cells);
  if (state.coop) followOwners(state.coop, before, game.truth, answer);
  if (answer.cells || answer.faces) state.help = null; // it was said of another position
  if (answer.status !== game.status) {
    state.covering = false;
    game.luck = "";
  }
  game.status = answer.status;
  game.minesLeft = answer.mines_left;
  game.canUndo = answer.can_undo;
  game.isHelped ||= answer.unranked === "hint";
  game.title = answer.title ?? game.title;
  game.message = answer.message ?? (isOver(game) ? game.message : null);
  state.clock = { ms: answer.clock_ms, at: now };
  if (answer.ack !== undefined) {
    for (const number of state.flags.keys()) if (number <= answer.ack) state.flags.delete(number);
  }
  seeAgain(state);
}

/** Take what the server's solver says. @param {State} state @param {any} help */
export function applyHelp(state, help) {
  const { game } = state;
  if (!game) return;
  if (help.kind === "luck") {
    game.luck = help.text;
    return;
  }
  if (help.kind === "clash" && help.help !== state.checking) return; // of a draft that has changed
  // A game that was undone before does not count for that, whatever came later.
  if (help.kind === "clash" && help.text) game.isHelped = true;
  if (help.kind === "judgement" && (!isOver(game) || state.preferences.word_after_loss === false)) return;
  state.asking = "";
  const { rows, cols } = game.truth;
  const marks = new Uint8Array(rows * cols);
  const risk = new Uint8Array(rows * cols).fill(UNKNOWN);
  const unwritten = new Uint8Array(rows * cols);
  for (const [row, col, mark] of help.marks ?? []) marks[row * cols + col] = mark;
  for (const [row, col, percent, alone] of help.risks ?? []) {
    risk[row * cols + col] = percent;
    unwritten[row * cols + col] = alone ?? 0;
  }
  const any = (help.marks?.length ?? 0) + (help.risks?.length ?? 0) > 0;
  const kind = help.kind ?? "hint";
  state.help = help.text || any ? { kind, text: help.text ?? "", overlay: any ? { marks, risk, unwritten } : null } : null;
}

/**
 * Show a mark at once that the server has not answered yet; nothing else is shown before.
 * @param {State} state
 * @param {number} number
 * @param {string} verb
 * @param {Cell} cell
 */
export function expectMark(state, number, verb, [row, col]) {
  const { game } = state;
  if (!game || (verb !== "flag" && verb !== "question")) return;
  const at = row * game.sight.cols + col;
  const face = game.sight.faces[at];
  const wanted = verb === "flag" ? FLAG : QUESTION;
  state.flags.set(number, { at, face: face === wanted ? COVERED : wanted });
  seeAgain(state);
}

/** Change the draft; what was found about an earlier one is out of date. @param {State} state @param {import("./draft.js").Assumption[]} assumptions */
export function changeDraft(state, assumptions) {
  if (!state.game) return;
  state.draft = drafted(state.draft, assumptions, state.game.sight, state.game.mines);
  forgetHelp(state);
}

/** End the draft and forget it. @param {State} state */
export function dropDraft(state) {
  state.draft = noDraft();
  forgetHelp(state);
}

/** @param {State} state */
function forgetHelp(state) {
  state.help = null;
  state.asking = "";
  state.checking = 0;
}

/** Return the time of play in whole seconds. @param {State} state @param {number} now */
export function shownSeconds(state, now) {
  if (!state.game || state.game.status === "ready") return 0;
  const running = state.game.status === "running" && state.connection !== "closed";
  return Math.max(0, Math.floor((state.clock.ms + (running ? now - state.clock.at : 0)) / 1000));
}

/** Return the mines that are left, with flags that wait for an answer. @param {GameState} game */
export function shownMines(game) {
  if (game.truth === game.sight || isOver(game)) return game.minesLeft;
  return game.minesLeft + flagsOf(game.truth) - flagsOf(game.sight);
}

/** @param {Sight} sight */
const flagsOf = (sight) => sight.faces.reduce((count, face) => count + (face === FLAG ? 1 : 0), 0);

/** @param {State} state @param {GameState | null} old @param {GameState} game */
function forgetOldGame(state, old, game) {
  dropDraft(state);
  state.lastActed = null;
  state.touched = [];
  if (old && (old.sight.rows !== game.truth.rows || old.sight.cols !== game.truth.cols)) {
    state.cursor = state.cursor && [Math.floor(game.truth.rows / 2), Math.floor(game.truth.cols / 2)];
    state.hiddenCursor = state.pointer = null;
  }
  if (game.start && game.status === "ready") {
    state.cursor = state.cursor && game.start;
    state.hiddenCursor = game.start;
  }
}

/** @param {State} state */
function seeAgain(state) {
  const { game } = state;
  if (!game) return;
  const before = game.sight;
  game.sight = game.truth;
  if (state.flags.size) {
    const faces = game.truth.faces.slice();
    for (const { at, face } of state.flags.values()) faces[at] = face;
    game.sight = { ...game.truth, faces };
  }
  if (isOver(game) && state.draft.isOn) dropDraft(state);
  else if (state.draft.assumptions.length && before !== game.sight) {
    state.draft = drafted(state.draft, state.draft.assumptions, game.sight, game.mines);
  }
}

/** @param {Sight} sight @param {[number, number, number][]} cells */
function changed(sight, cells) {
  const faces = sight.faces.slice();
  for (const [row, col, face] of cells) faces[row * sight.cols + col] = face;
  return { ...sight, faces };
}

/** @param {string[]} rows of one hexadecimal digit a cell */
export const parsedFaces = (rows) => Uint8Array.from(rows.join(""), (digit) => parseInt(digit, 16));
