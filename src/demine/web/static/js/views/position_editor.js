/**
 * A position that is painted, without a game: the port of demine.play.position_editor, to whose vectors
 * a test holds it. What the solver says of it is the server's.
 */
import { COVERED, FLAG, MINE, WRONG } from "../faces.js";
import { parsedFaces } from "../state.js";

/** @typedef {import("../faces.js").Cell} Cell */
/** @typedef {import("../faces.js").Sight} Sight */
/** @typedef {Sight & {mines: number}} Position what the board shows, and its mines; never changed, but replaced */
/** @typedef {number | "cycle" | "why"} Tool a face to paint, a step through the faces, or the proof of a cell */
/** @typedef {{most_cells: number, most_undone: number}} Limits */

/** The form of the links that are made here. */
const LINK_VERSION = 1;
const LINK = /^1-(\d{1,6})x(\d{1,6})-(\d{1,9})-((?:[A-O]\d{0,6})*)$/;
const FIRST_FACE = "A".charCodeAt(0);

/** Return a position without a number. @param {number} rows @param {number} cols @param {number} mines @returns {Position} */
export const blank = (rows, cols, mines) => ({ rows, cols, mines, faces: new Uint8Array(rows * cols).fill(COVERED) });

/** Return the most mines of a position: the first click is safe. @param {number} rows @param {number} cols */
export const mostMines = (rows, cols) => rows * cols - 1;

export class PositionEditor {
  /** @param {Limits} limits */
  constructor(limits) {
    this.limits = limits;
    /** @type {Position} */
    this.position = blank(9, 9, 10);
    /** @type {Position[]} */
    this.past = [];
    /** @type {Position[]} */
    this.future = [];
    /** What the present click or drag paints; null until it has changed a cell. @type {number | null} */
    this.stroke = null;
    /** @type {Tool} */
    this.tool = "cycle";
  }

  /**
   * Use a tool that paints on a cell. A drag is undone as a whole. The other button flags a covered cell
   * and covers any other, but with the tool "cycle" it steps an opened cell back.
   * @param {Cell} cell
   * @param {{secondary?: boolean, continues?: boolean}} [how] with the other button, or as part of a drag
   */
  click([row, col], { secondary = false, continues = false } = {}) {
    const { tool, position, stroke } = this;
    if (tool === "why") return;
    const face = position.faces[row * position.cols + col];
    if (continues && stroke !== null) this.paint([row, col], stroke, continues);
    else if (tool === "cycle") this.paint([row, col], stepped(face, secondary), continues);
    else if (secondary) this.paint([row, col], face === COVERED ? FLAG : COVERED, continues);
    else this.paint([row, col], tool, continues);
  }

  /**
   * Make a cell show a face.
   * @param {Cell} cell
   * @param {number} face
   * @param {boolean} [continues] whether it is part of the change before
   */
  paint([row, col], face, continues = false) {
    const { position } = this;
    const goesOn = continues && this.stroke !== null;
    const at = row * position.cols + col;
    this.stroke = goesOn ? face : null;
    if (position.faces[at] === face) return;
    const faces = position.faces.slice();
    faces[at] = face;
    this.#change({ ...position, faces }, goesOn);
    this.stroke = face;
  }

  /** Change the size; what stays on the board is kept, and as many mines as fit. @param {number} rows @param {number} cols */
  resize(rows, cols) {
    const before = this.position;
    const made = blank(rows, cols, Math.max(0, Math.min(before.mines, mostMines(rows, cols))));
    for (let row = 0; row < Math.min(rows, before.rows); row++) {
      const start = row * before.cols;
      made.faces.set(before.faces.subarray(start, start + Math.min(cols, before.cols)), row * cols);
    }
    this.#change(made);
  }

  /** @param {number} mines */
  setMines(mines) {
    this.#change({ ...this.position, mines });
  }

  /** Cover all cells. */
  clear() {
    const { rows, cols, mines } = this.position;
    this.#change(blank(rows, cols, mines));
  }

  /** Take over a position of elsewhere. @param {Position} position */
  take(position) {
    // What only an ended game shows, the player did not know while it ran.
    const faces = position.faces.map((face) => (face === MINE || face === WRONG ? COVERED : face));
    this.#change({ ...position, faces });
  }

  undo() {
    const before = this.past.pop();
    if (before) this.#show(before, this.future);
  }

  redo() {
    const after = this.future.pop();
    if (after) this.#show(after, this.past);
  }

  /** Begin with the present position: nothing before it can be brought back. */
  forgetChanges() {
    this.past = [];
    this.future = [];
  }

  /** @param {Position} position @param {boolean} [continues] */
  #change(position, continues = false) {
    if (!continues) this.past.push(this.position);
    if (this.past.length > this.limits.most_undone) this.past.shift();
    this.future = [];
    this.#show(position, null);
  }

  /** @param {Position} position @param {Position[] | null} kept where the present one is kept */
  #show(position, kept) {
    kept?.push(this.position);
    this.position = position;
    this.stroke = null;
  }
}

/** Return the face after a click of the tool "cycle": covered, 0, 1 to 8, covered again. @param {number} face @param {boolean} back */
function stepped(face, back) {
  if (back && (face === COVERED || face === FLAG)) return face === COVERED ? FLAG : COVERED;
  if (face > COVERED) return COVERED;
  return (face + (back ? -1 : 1) + COVERED + 1) % (COVERED + 1);
}

/** Return a position as the end of a link: its size, its mines, and runs of equal cells. @param {Position} position */
export function linkOf({ rows, cols, mines, faces }) {
  let runs = "";
  for (let at = 0; at < faces.length; ) {
    let end = at + 1;
    while (end < faces.length && faces[end] === faces[at]) end += 1;
    runs += String.fromCharCode(FIRST_FACE + faces[at]) + (end - at > 1 ? end - at : "");
    at = end;
  }
  return `${LINK_VERSION}-${cols}x${rows}-${mines}-${runs}`;
}

/** Return the position of a link; null if it is none, or too large. @param {string} text @param {Limits} limits @returns {Position | null} */
export function positionOfLink(text, { most_cells }) {
  const found = LINK.exec(text);
  if (!found) return null;
  const [cols, rows, mines] = found.slice(1, 4).map(Number);
  const cells = rows * cols;
  if (!cells || cells > most_cells || mines > mostMines(rows, cols)) return null;
  const faces = new Uint8Array(cells);
  let at = 0;
  for (const [, face, count] of found[4].matchAll(/([A-O])(\d*)/g)) {
    const end = at + (count ? Number(count) : 1);
    if (end > cells) return null;
    faces.fill(face.charCodeAt(0) - FIRST_FACE, at, end);
    at = end;
  }
  return at === cells ? { rows, cols, mines, faces } : null;
}

/** Return a position as a diagram, which pasting and every verb of demine read. @param {Position} position @param {string} letters of the faces */
export function diagramOf({ rows, cols, mines, faces }, letters) {
  const cells = Array.from(faces, (face) => letters[face]);
  const lines = Array.from({ length: rows }, (_, row) => cells.slice(row * cols, (row + 1) * cols).join(" "));
  return [`${cols}x${rows}/${mines}`, ...lines, ""].join("\n");
}

/** Return the faces of a position as the server reads them: a hexadecimal digit for each cell. @param {Sight} sight */
export function facesOnWire({ rows, cols, faces }) {
  const digits = Array.from(faces, (face) => face.toString(16)).join("");
  return Array.from({ length: rows }, (_, row) => digits.slice(row * cols, (row + 1) * cols));
}

/** Return the position that the server tells. @param {{width: number, height: number, mines: number, faces: string[]}} told @returns {Position} */
export function positionOnWire({ width, height, mines, faces }) {
  return { rows: height, cols: width, mines, faces: parsedFaces(faces) };
}
