/**
 * The keyboard's cursor: the port of demine.scene.keyboard_cursor, to whose vectors a test holds it.
 */
import { FLAG, faceAt, isOpenable, mayChord } from "./faces.js";

/** @typedef {import("./faces.js").Cell} Cell */
/** @typedef {import("./faces.js").Sight} Sight */

/** @type {Record<string, Cell>} */
const STEPS = { up: [-1, 0], down: [1, 0], left: [0, -1], right: [0, 1] };
/** @type {Record<string, (sight: Sight, cell: Cell) => Cell>} */
const TARGETS = {
  home: (_, [row]) => [row, 0],
  end: (sight, [row]) => [row, sight.cols - 1],
  top: (_, [, col]) => [0, col],
  bottom: (sight, [, col]) => [sight.rows - 1, col],
};

/** Whether a command moves the cursor. @param {string} command */
export const movesCursor = (command) => command.replace("jump-", "") in STEPS || command in TARGETS;

/** @param {number} value @param {number} size */
const clamp = (value, size) => Math.min(Math.max(value, 0), size - 1);

/**
 * Return where a command moves the cursor from a cell, or from null to the middle.
 * @param {Sight} sight
 * @param {Cell | null} cell
 * @param {string} command
 * @returns {Cell}
 */
export function movedCursor(sight, cell, command) {
  if (!cell) return [Math.floor(sight.rows / 2), Math.floor(sight.cols / 2)];
  /** @type {Cell} */
  const here = [clamp(cell[0], sight.rows), clamp(cell[1], sight.cols)];
  if (command in STEPS) {
    const [down, right] = STEPS[command];
    return [clamp(here[0] + down, sight.rows), clamp(here[1] + right, sight.cols)];
  }
  if (command.startsWith("jump-")) return jump(sight, here, STEPS[command.slice(5)]);
  return TARGETS[command]?.(sight, here) ?? here;
}

/**
 * @param {Sight} sight
 * @param {Cell} cell
 * @param {Cell} step
 * @returns {Cell}
 */
function jump(sight, cell, [down, right]) {
  const first = faceAt(sight, cell);
  let [row, col] = cell;
  while (faceAt(sight, [row + down, col + right]) !== undefined) {
    row += down;
    col += right;
    if (faceAt(sight, [row, col]) !== first) break;
  }
  return [row, col];
}

/**
 * Return the act of a command at a cell; null if it can do nothing there.
 * @param {Sight} sight
 * @param {Cell} cell
 * @param {string} command
 * @returns {import("./mouse_automaton.js").Intention | null}
 */
export function intendedAct(sight, cell, command) {
  const face = faceAt(sight, cell) ?? 0;
  const covered = isOpenable(face);
  const acting = command === "act" || command === "hover-act";
  if (acting && covered) return ["open", cell[0], cell[1]];
  if ((acting || command === "chord") && mayChord(sight, cell)) return ["chord", cell[0], cell[1]];
  if (covered || face === FLAG) {
    if (command === "flag" || command === "hover-flag") return ["flag", cell[0], cell[1]];
    if (command === "question") return ["question", cell[0], cell[1]];
  }
  return null;
}
