/**
 * The player's draft: the port of demine.scene.draft and demine.play.drafting, to whose vectors a test
 * holds it. It is no part of the game: nothing of it is sent but to have it checked.
 */
import { BLOWN, FLAG, UNKNOWN, blockAround, faceAt, isCovered } from "./faces.js";
import { ntr, tr } from "./words.js";

/** @typedef {import("./faces.js").Cell} Cell */
/** @typedef {import("./faces.js").Sight} Sight */
/** @typedef {import("./board_canvas.js").Overlay} Overlay */
/** @typedef {{cell: Cell, isMine: boolean}} Assumption */
/** @typedef {{numbers: Cell[], mineCount: boolean}} Broken numbers that can no longer hold, and whether the mine count */
/**
 * @typedef {object} Draft
 * @property {boolean} isOn whether clicks and keys assume cells
 * @property {Assumption[]} assumptions in their order, at most one for each cell
 * @property {Broken} broken
 */

/** The longest draft that the server checks. */
export const MOST_CHECKED = 256;
const ASSUMED_MINE = 8;
const ASSUMED_SAFE = 9;
const BROKEN = 10;
/** What a draft is changed, checked and ended by. */
export const draftCommands = () => [["act", tr("keep")], ["cancel", tr("drop")], ["hint", tr("check")], ["undo", tr("back")]];

/** @returns {Draft} */
export const noDraft = () => ({ isOn: false, assumptions: [], broken: { numbers: [], mineCount: false } });

/** Return a draft with other assumptions, about cells that are still covered. @param {Draft} draft @param {Assumption[]} assumptions @param {Sight} sight @param {number} mines @returns {Draft} */
export function drafted(draft, assumptions, sight, mines) {
  const covered = assumptions.filter(({ cell }) => isCovered(faceAt(sight, cell) ?? 0));
  return { ...draft, assumptions: covered, broken: brokenCounts(covered, sight, mines) };
}

/** Return assumptions with one more; the same again is taken back. @param {Assumption[]} assumptions @param {Assumption} added */
export function toggled(assumptions, added) {
  const [row, col] = added.cell;
  const same = assumptions.find(({ cell }) => cell[0] === row && cell[1] === col);
  const others = assumptions.filter((each) => each !== same);
  return same?.isMine === added.isMine ? others : [...others, added];
}

/**
 * Return which counts cannot hold, each number looked at by itself; flags are assumptions too.
 * @param {Assumption[]} assumptions
 * @param {Sight} sight
 * @param {number} mines
 * @returns {Broken}
 */
export function brokenCounts(assumptions, sight, mines) {
  const { rows, cols, faces } = sight;
  const isMine = faces.map((face) => (face === FLAG || face === BLOWN ? 1 : 0));
  const isOpen = faces.map((face) => (isCovered(face) && face !== FLAG ? 1 : 0)); // open to both
  for (const { cell: [row, col], ...assumed } of assumptions) {
    isMine[row * cols + col] = assumed.isMine ? 1 : 0;
    isOpen[row * cols + col] = 0;
  }
  /** @type {Cell[]} */
  const numbers = [];
  for (let at = 0; at < rows * cols; at++) {
    if (faces[at] > 8) continue;
    /** @type {Cell} */
    const cell = [Math.floor(at / cols), at % cols];
    const around = blockAround(sight, cell).map(([row, col]) => row * cols + col);
    const found = around.reduce((sum, each) => sum + isMine[each], 0);
    const space = around.reduce((sum, each) => sum + isOpen[each], 0);
    if (found > faces[at] || found + space < faces[at]) numbers.push(cell);
  }
  const total = isMine.reduce((sum, each) => sum + each, 0);
  const left = isOpen.reduce((sum, each) => sum + each, 0);
  return { numbers, mineCount: total > mines || mines > total + left };
}

/** Return an overlay with the marks of a draft added. @param {Draft} draft @param {Overlay | null} overlay @param {Sight} sight @returns {Overlay | null} */
export function withDraft({ assumptions, broken }, overlay, { rows, cols }) {
  if (!assumptions.length && !broken.numbers.length) return overlay;
  const cells = rows * cols;
  const marks = overlay?.marks.slice() ?? new Uint8Array(cells);
  for (const { cell: [row, col], isMine } of assumptions) marks[row * cols + col] = isMine ? ASSUMED_MINE : ASSUMED_SAFE;
  for (const [row, col] of broken.numbers) marks[row * cols + col] = BROKEN;
  return { risk: new Uint8Array(cells).fill(UNKNOWN), unwritten: new Uint8Array(cells), ...overlay, marks };
}

/** Return what a draft says: what breaks, else how much is assumed. @param {Draft} draft @param {"mouse" | "tap" | "flag"} hand what assumes: a mouse, or fingers, and what a tap does */
export function draftText({ assumptions, broken }, hand) {
  const lines = [];
  const count = broken.numbers.length;
  if (count) lines.push(ntr("{n} number can no longer hold", "{n} numbers can no longer hold", count));
  if (broken.mineCount) lines.push(tr("the mine count can no longer hold"));
  if (lines.length) return lines.join(tr(", "));
  if (assumptions.length) return ntr("Draft: {n} cell assumed", "Draft: {n} cells assumed", assumptions.length);
  if (hand === "mouse") return tr("Draft: left click assumes a safe cell, right click a mine");
  return hand === "tap" ? tr("Draft: a tap assumes a safe cell, a long press a mine") : tr("Draft: a tap assumes a mine, a long press a safe cell");
}
