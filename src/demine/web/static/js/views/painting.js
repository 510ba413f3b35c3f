// Painting on a board: a mouse or one finger paints, also by dragging; two fingers and the wheel move and zoom it.

import { letPanAndZoom } from "./pan_zoom.js";

/** @typedef {import("../board_canvas.js").BoardCanvas} BoardCanvas */
/** @typedef {import("../faces.js").Cell} Cell */

/** How far a finger may tremble in a tap, in CSS pixels. */
const TREMBLE = 8;

/**
 * @param {HTMLElement} box what the hand touches
 * @param {BoardCanvas} board
 * @param {{paint: (cell: Cell, how: {secondary: boolean, continues: boolean}) => void, hold: (isHeld: boolean) => void}} told what is painted, and whether a hand paints
 */
export function letPaint(box, board, { paint, hold }) {
  letPanAndZoom(box, board, 2);
  /** The stroke under way: its pointer, where it began, and its last cell. @type {{id: number, x: number, y: number, secondary: boolean, last: Cell | null} | null} */
  let stroke = null;
  const end = () => {
    if (stroke) hold(false);
    stroke = null;
  };

  /** @param {number} x @param {number} y */
  const go = (x, y) => {
    const cell = board.cellAt(x, y);
    if (!stroke || !cell || (stroke.last && stroke.last[0] === cell[0] && stroke.last[1] === cell[1])) return;
    const continues = stroke.last !== null;
    stroke.last = cell;
    paint(cell, { secondary: stroke.secondary, continues });
  };
  box.addEventListener("pointerdown", (event) => {
    if (!event.isPrimary) end(); // a second finger moves the board
    if (!event.isPrimary || (event.button !== 0 && event.button !== 2)) return;
    box.setPointerCapture(event.pointerId);
    stroke = { id: event.pointerId, x: event.clientX, y: event.clientY, secondary: event.button === 2, last: null };
    hold(true);
    // Whether a finger paints is known once it moves or leaves: a second one may follow.
    if (event.pointerType !== "touch") go(event.clientX, event.clientY);
  });
  box.addEventListener("pointermove", (event) => {
    if (stroke?.id !== event.pointerId) return;
    const near = Math.hypot(event.clientX - stroke.x, event.clientY - stroke.y) <= TREMBLE;
    if (!stroke.last && near) return;
    if (!stroke.last) go(stroke.x, stroke.y);
    // A quick hand passes several cells between two events.
    for (const { clientX, clientY } of [...event.getCoalescedEvents(), event]) go(clientX, clientY);
  });
  box.addEventListener("pointerup", (event) => {
    if (stroke?.id === event.pointerId && !stroke.last) go(event.clientX, event.clientY);
    end();
  });
  box.addEventListener("pointercancel", end);
  box.addEventListener("contextmenu", (event) => event.preventDefault());
}
