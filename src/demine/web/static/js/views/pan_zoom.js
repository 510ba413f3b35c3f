// Moving and zooming a board that is only looked at: wheel, drag, pinch, and the keys + - 0.

/** @typedef {import("../board_canvas.js").BoardCanvas} BoardCanvas */

/** Pixels of a step of a wheel that counts lines or pages. */
const WHEEL_UNITS = [1, 40, 400];

/**
 * @param {HTMLElement} box what the hand touches
 * @param {BoardCanvas} board
 * @param {number} [hands] how many fingers or buttons move the board
 */
export function letPanAndZoom(box, board, hands = 1) {
  /** Where each finger or button is that is down. @type {Map<number, [number, number]>} */
  const down = new Map();
  /** How two fingers began. */
  let pinch = { spread: 0, cell: 0 };
  box.addEventListener("wheel", (event) => {
    event.preventDefault();
    const unit = WHEEL_UNITS[event.deltaMode] * board.ratio;
    if (event.ctrlKey) board.zoomSteps(event.deltaY < 0 ? 1 : -1, ...board.devicePoint(event.clientX, event.clientY));
    else board.pan(-event.deltaX * unit, -event.deltaY * unit);
  }, { passive: false });
  box.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    box.setPointerCapture(event.pointerId);
    down.set(event.pointerId, [event.clientX, event.clientY]);
    pinch = { spread: spread(), cell: board.view?.cell ?? 0 };
  });
  box.addEventListener("pointermove", (event) => {
    const last = down.get(event.pointerId);
    if (!last) return;
    down.set(event.pointerId, [event.clientX, event.clientY]);
    const share = board.ratio / down.size;
    if (down.size >= hands) board.pan((event.clientX - last[0]) * share, (event.clientY - last[1]) * share);
    if (down.size === 2) board.zoomTo((pinch.cell * spread()) / pinch.spread, ...board.devicePoint(...middle()));
  });
  for (const end of ["pointerup", "pointercancel"]) {
    box.addEventListener(end, (event) => {
      down.delete(/** @type {PointerEvent} */ (event).pointerId);
      pinch = { spread: spread(), cell: board.view?.cell ?? 0 };
    });
  }

  /** Return how far two fingers are apart. */
  function spread() {
    const [one, two] = [...down.values()];
    return two ? Math.max(1, Math.hypot(one[0] - two[0], one[1] - two[1])) : 1;
  }

  /** @returns {[number, number]} */
  function middle() {
    const [one, two] = [...down.values()];
    return [(one[0] + two[0]) / 2, (one[1] + two[1]) / 2];
  }
}

/**
 * Return the keys of zooming, for a table of keys.
 * @param {BoardCanvas} board
 * @returns {Record<string, () => void>}
 */
export const zoomKeys = (board) => ({
  "+": () => board.zoomSteps(1),
  "=": () => board.zoomSteps(1),
  "-": () => board.zoomSteps(-1),
  0: () => board.fit(),
});
