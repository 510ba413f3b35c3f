/**
 * The board for those who do not see the canvas: a grid of cells that say where they are and what
 * they show, with one stop for Tab and a focus that follows the cursor. A large board has only the
 * cells near the cursor in it.
 */
import { UNKNOWN, isCovered } from "./faces.js";
import { putAt } from "./page_parts.js";
import { ntr, tr } from "./words.js";

/** @typedef {import("./faces.js").Cell} Cell */
/** @typedef {import("./faces.js").Sight} Sight */
/** @typedef {import("./board_canvas.js").Overlay} Overlay */
/** @typedef {{faces: string[], marks: string[]}} Names what faces and marks are called */

const MOST_CELLS = 2000;
/** How far from the cursor a large board has cells, in rows and columns. */
const REACH = 15;

export class AccessibleGrid {
  /**
   * @param {HTMLElement} grid
   * @param {HTMLElement} live
   * @param {{focused: (cell: Cell) => void, act: (command: string, cell: Cell) => void}} told
   */
  constructor(grid, live, told) {
    this.grid = grid;
    this.live = live;
    /** @type {Names} */
    this.names = { faces: [], marks: [] };
    /** @type {Sight | null} */
    this.sight = null;
    /** @type {Overlay | null} */
    this.overlay = null;
    this.covered = false;
    this.room = "";
    /** Which rows and columns have cells: first and behind the last. @type {[number, number, number, number]} */
    this.span = [0, 1, 0, 1];
    /** Called when other rows or columns have cells. @type {() => void} */
    this.onSpan = () => {};
    /** @type {Map<number, HTMLElement>} */
    this.cells = new Map();
    /** What the labels were made from. @type {string} */
    this.spoken = "";
    this.said = "";
    /** @type {Cell} */
    this.stop = [0, 0];
    grid.addEventListener("focusin", (event) => {
      const cell = this.#cellOf(event.target);
      if (cell) told.focused(cell);
    });
    // A screen reader presses a cell by a click on it; fingers and mice are on the canvas above.
    grid.addEventListener("click", (event) => {
      const cell = this.#cellOf(event.target);
      if (cell) told.act("act", cell);
    });
    grid.addEventListener("contextmenu", (event) => {
      const cell = this.#cellOf(event.target);
      if (cell) told.act("flag", cell);
      event.preventDefault();
    });
  }

  /**
   * Show a board; cells whose words did not change are left alone.
   * @param {Sight} sight
   * @param {Overlay | null} overlay
   * @param {Cell | null} cursor
   * @param {boolean} covered whether a paused game hides it
   * @param {string} language
   */
  show(sight, overlay, cursor, covered, language) {
    const before = this.sight;
    const same = before === sight && overlay === this.overlay && covered === this.covered && language === this.spoken;
    this.stop = cursor ?? this.stop;
    if (this.stop[0] >= sight.rows || this.stop[1] >= sight.cols) this.stop = [0, 0];
    const moved = this.#build(sight);
    if (same && !moved) {
      this.#markStop();
      return;
    }
    const all = moved || language !== this.spoken || covered !== this.covered || overlay !== this.overlay;
    this.sight = sight;
    this.overlay = overlay;
    this.covered = covered;
    this.spoken = language;
    this.grid.setAttribute("aria-label", tr("Board"));
    for (const [at, cell] of this.cells) {
      if (all || before?.faces[at] !== sight.faces[at]) cell.setAttribute("aria-label", this.label(at));
    }
    this.#markStop();
  }

  /** Bring the focus to the cell of the cursor. @param {Cell} cell */
  focus([row, col]) {
    if (this.sight) this.cells.get(row * this.sight.cols + col)?.focus({ preventScroll: true });
  }

  /** Have a text read out. @param {string} text */
  announce(text) {
    // A text that is the same as before would not be read again.
    this.said = text === this.said ? `${text}\u00a0` : text;
    this.live.textContent = this.said;
  }

  /**
   * Say what an act changed: the cell it was at, and how many more were opened.
   * @param {Sight} before
   * @param {Sight} after
   * @param {Cell | null} cell
   */
  announceChanges(before, after, cell) {
    if (before.faces.length !== after.faces.length || !cell) return;
    let opened = 0;
    after.faces.forEach((face, at) => {
      if (isCovered(before.faces[at]) && !isCovered(face)) opened += 1;
    });
    const at = cell[0] * after.cols + cell[1];
    if (!opened && before.faces[at] === after.faces[at]) return;
    const said = [this.#name(after.faces[at])];
    if (opened > 1) said.push(ntr("{n} cell opened", "{n} cells opened", opened));
    this.announce(said.join(", "));
  }

  /** Return where a cell is and what it shows, in words. @param {number} at */
  label(at) {
    const cols = this.sight?.cols ?? 1;
    return tr("row {row}, column {col}: {contents}", {
      row: Math.floor(at / cols), col: at % cols, contents: this.#contents(at),
    });
  }

  /** @param {number} at */
  #contents(at) {
    const face = this.covered ? 9 : this.sight?.faces[at] ?? 9;
    let said = this.#name(face);
    if (!this.overlay || this.covered) return said;
    const marked = this.names.marks[this.overlay.marks[at]];
    if (marked) said = tr("{face}, {advice}", { face: said, advice: tr(marked) });
    const risk = this.overlay.risk[at];
    if (risk !== UNKNOWN && isCovered(face)) said = tr("{face}, {percent}% risk", { face: said, percent: risk });
    return said;
  }

  /** @param {number} face */
  #name(face) {
    return tr(this.names.faces[face]);
  }

  /** Make the cells that are needed; return whether others were. @param {Sight} sight */
  #build(sight) {
    const [row, col] = this.stop;
    const whole = sight.rows * sight.cols <= MOST_CELLS;
    /** @param {number} at @param {number} size @returns {[number, number]} */
    const near = (at, size) => {
      // In steps, so that it is not made anew at every move of the cursor.
      const middle = Math.round(at / REACH) * REACH;
      return whole ? [0, size] : [Math.max(0, middle - 2 * REACH), Math.min(size, middle + 2 * REACH)];
    };
    const rows = near(row, sight.rows);
    const cols = near(col, sight.cols);
    const room = [sight.rows, sight.cols, ...rows, ...cols].join();
    if (room === this.room) return false;
    this.room = room;
    this.span = [...rows, ...cols];
    this.onSpan();
    const hadFocus = this.grid.contains(document.activeElement);
    this.grid.setAttribute("aria-rowcount", String(sight.rows));
    this.grid.setAttribute("aria-colcount", String(sight.cols));
    this.cells.clear();
    const made = [];
    for (let r = rows[0]; r < rows[1]; r++) made.push(this.#row(r, cols, sight.cols));
    this.grid.replaceChildren(...made);
    if (hadFocus) this.cells.get(row * sight.cols + col)?.focus({ preventScroll: true });
    return true;
  }

  /** @param {number} row @param {[number, number]} cols @param {number} width */
  #row(row, cols, width) {
    const line = document.createElement("div");
    line.setAttribute("role", "row");
    line.setAttribute("aria-rowindex", String(row + 1));
    for (let col = cols[0]; col < cols[1]; col++) {
      const cell = document.createElement("div");
      cell.setAttribute("role", "gridcell");
      cell.setAttribute("aria-colindex", String(col + 1));
      cell.tabIndex = -1;
      cell.dataset.at = String(row * width + col);
      this.cells.set(row * width + col, cell);
      line.append(cell);
    }
    return line;
  }

  #markStop() {
    const cols = this.sight?.cols ?? 1;
    const at = this.stop[0] * cols + this.stop[1];
    for (const cell of this.grid.querySelectorAll('[tabindex="0"]')) {
      if (/** @type {HTMLElement} */ (cell).dataset.at !== String(at)) /** @type {HTMLElement} */ (cell).tabIndex = -1;
    }
    const here = this.cells.get(at);
    if (here) here.tabIndex = 0;
  }

  /** @param {EventTarget | null} target @returns {Cell | null} */
  #cellOf(target) {
    const at = target instanceof HTMLElement ? target.dataset.at : undefined;
    if (at === undefined || !this.sight) return null;
    return [Math.floor(Number(at) / this.sight.cols), Number(at) % this.sight.cols];
  }
}

/** Lay the cells for screen readers where a canvas has them. @param {AccessibleGrid} grid @param {import("./board_canvas.js").BoardCanvas} board */
export function layOver(grid, board) {
  const [top, bottom, left, right] = grid.span;
  const { x, y, size } = board.cellRect(top, left);
  putAt(grid.grid, { x, y, width: (right - left) * size, height: (bottom - top) * size });
}
