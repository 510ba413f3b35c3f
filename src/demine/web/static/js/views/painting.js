// Painting on a board: a mouse or one finger paints, also by dragging; two fingers and the wheel move and zoom it.

import { letPanAndZoom } from "./pan_zoom.js";

/** @typedef {import("../board_canvas.js").BoardCanvas} BoardCanvas */
/** @typedef {import("../faces.js").Cell} Cell */

/** How far a finger may tremble in a tap, in CSS pixels. */
const TREMBLE = 8;

/**
 * @param {HTMLElement} box what the hand touches
 * @param {BoardCanvas} board
 * @param {(cell: Cell, how: {secondary: boolean, continues: boolean}) => void} paint
 */
export function letPaint(box, board, paint) {
  letPanAndZoom(box, board, 2);
  /** The stroke under way: its pointer, where it began, and its last cell. @type {{id: number, x: number, y: number, secondary: boolean, last: Cell | null} | null} */
  let stroke = null;

  /** @param {PointerEvent} event */
  const go = (event) => {
    const cell = board.cellAt(event.clientX, event.clientY);
    if (!stroke || !cell || (stroke.last && stroke.last[0] === cell[0] && stroke.last[1] === cell[1])) return;
    const continues = stroke.last !== null;
    stroke.last = cell;
    paint(cell, { secondary: stroke.secondary, continues });
  };
  box.addEventListener("pointerdown", (event) => {
    if (!event.isPrimary) stroke = null; // a second finger moves the board
    if (!event.isPrimary || (event.button !== 0 && event.button !== 2)) return;
    box.setPointerCapture(event.pointerId);
    stroke = { id: event.pointerId, x: event.clientX, y: event.clientY, secondary: event.button === 2, last: null };
    // Whether a finger paints is known once it moves or leaves: a second one may follow.
    if (event.pointerType !== "touch") go(event);
  });
  box.addEventListener("pointermove", (event) => {
    if (stroke?.id !== event.pointerId) return;
    const near = Math.hypot(event.clientX - stroke.x, event.clientY - stroke.y) <= TREMBLE;
    if (stroke.last || !near) go(event);
  });
  box.addEventListener("pointerup", (event) => {
    if (stroke?.id === event.pointerId && !stroke.last) go(event);
    stroke = null;
  });
  box.addEventListener("pointercancel", () => (stroke = null));
  box.addEventListener("contextmenu", (event) => event.preventDefault());
}
