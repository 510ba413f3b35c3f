/**
 * What a cell shows, and how it is highlighted: the numbers of `Face` and `Look` in demine.scene.
 */

/** @typedef {[number, number]} Cell row and column, counted from 0 */
/**
 * @typedef {object} Sight what a player sees of a board
 * @property {number} rows
 * @property {number} cols
 * @property {Uint8Array} faces the face of each cell, row by row
 */

export const COVERED = 9;
export const FLAG = 10;
export const QUESTION = 11;
export const MINE = 12;
export const BLOWN = 13;
export const WRONG = 14;

export const PLAIN = 0;
export const DIM = 1;
export const CROWDED = 2;
export const PRESSED = 3;

/** The risk of a cell for which none is shown. */
export const UNKNOWN = 255;

/** @param {number} face */
export const isNumber = (face) => face >= 1 && face <= 8;
/** Whether a face is that of a covered cell that a click opens. @param {number} face */
export const isOpenable = (face) => face === COVERED || face === QUESTION;
/** Whether a face is that of an unopened cell. @param {number} face */
export const isCovered = (face) => face === COVERED || face === FLAG || face === QUESTION;

/**
 * Return the face of a cell; undefined outside the board, which may have become smaller.
 * @param {Sight} sight
 * @param {Cell | null} cell
 * @returns {number | undefined}
 */
export function faceAt(sight, cell) {
  if (!cell || cell[0] < 0 || cell[0] >= sight.rows || cell[1] < 0 || cell[1] >= sight.cols) {
    return undefined;
  }
  return sight.faces[cell[0] * sight.cols + cell[1]];
}

/**
 * Return the cells of the block of 3 by 3 around a cell that are on the board, row by row.
 * @param {Sight} sight
 * @param {Cell} cell
 * @returns {Cell[]}
 */
export function blockAround(sight, [row, col]) {
  /** @type {Cell[]} */
  const found = [];
  for (let r = Math.max(0, row - 1); r <= Math.min(sight.rows - 1, row + 1); r++) {
    for (let c = Math.max(0, col - 1); c <= Math.min(sight.cols - 1, col + 1); c++) {
      found.push([r, c]);
    }
  }
  return found;
}

/**
 * Return the cells that a chord at a cell could open, row by row.
 * @param {Sight} sight
 * @param {Cell} cell
 */
export function openableAround(sight, cell) {
  return blockAround(sight, cell).filter((each) => isOpenable(faceAt(sight, each) ?? 0));
}

/**
 * Return whether a chord at a cell may open something, whatever its flags: it is a number, or a
 * zero beside which a flag is gone.
 * @param {Sight} sight
 * @param {Cell} cell
 */
export function mayChord(sight, cell) {
  const face = faceAt(sight, cell) ?? COVERED;
  if (face !== 0) return isNumber(face);
  const block = blockAround(sight, cell).map((each) => faceAt(sight, each) ?? 0);
  return block.some(isOpenable) && !block.includes(FLAG);
}

/**
 * Return how each face is drawn, but for cells held down: finished and crowded numbers.
 * @param {Sight} sight
 * @param {boolean} fadeFinished
 */
export function cellLooks(sight, fadeFinished) {
  const { rows, cols, faces } = sight;
  const lost = faces.some((face) => face === MINE || face === WRONG);
  const looks = new Uint8Array(faces.length);
  const flags = new Uint8Array(faces.length);
  faces.forEach((face, at) => {
    // A mine that blew and only cost a life counts as a flag.
    if (face !== FLAG && !(face === BLOWN && !lost)) return;
    for (const [r, c] of blockAround(sight, [Math.floor(at / cols), at % cols])) {
      if (r * cols + c !== at) flags[r * cols + c] += 1;
    }
  });
  for (let at = 0; at < rows * cols; at++) {
    if (!isNumber(faces[at])) continue;
    if (flags[at] > faces[at]) looks[at] = CROWDED;
    else if (flags[at] === faces[at] && fadeFinished) looks[at] = DIM;
  }
  return looks;
}
