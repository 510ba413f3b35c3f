/**
 * Which part of each board the player looked at, and how large; kept for this tab of the browser, so that
 * a page that is loaded again shows what it showed.
 */

/** @typedef {import("./board_canvas.js").Place} Place */

const STORED_AS = "demine.places";
const MOST_KEPT = 16;

/** Return how a game was last seen; null if it was seen whole, or never. @param {string} game @returns {Place | null} */
export function seenPlace(game) {
  const found = stored().find(([id]) => id === game)?.[1];
  const isPlace = typeof found?.cell === "number" && found.middle?.length === 2 && found.middle.every(Number.isFinite);
  return isPlace ? found : null;
}

/** Keep how a game is seen. @param {string} game @param {Place | null} place */
export function rememberPlace(game, place) {
  /** @type {[string, Place][]} */
  const others = stored().filter(([id]) => id !== game);
  try {
    const kept = place ? [...others, [game, place]] : others;
    sessionStorage.setItem(STORED_AS, JSON.stringify(kept.slice(-MOST_KEPT)));
  } catch {
    // A browser that keeps nothing shows each board as if it were new.
  }
}

/** @returns {[string, Place][]} */
function stored() {
  try {
    return JSON.parse(sessionStorage.getItem(STORED_AS) ?? "[]");
  } catch {
    return [];
  }
}
