/**
 * The elements that the page has from its start, by their ids in index.html.
 */

/** Return an element of the page by its id. @template {HTMLElement} [T=HTMLElement] @param {string} id @returns {T} */
export const part = (id) => /** @type {T} */ (document.getElementById(id));

/**
 * Place an element by pixels from the corner of what it stands in.
 * @param {HTMLElement} element
 * @param {{x: number, y: number, width: number, height: number}} box
 */
export function putAt(element, { x, y, width, height }) {
  Object.assign(element.style, { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` });
}

/** Whether the player has fingers on the page, or a device that is made for them. */
export const playsWithFingers = () => document.documentElement.hasAttribute("data-touch") || matchMedia("(pointer: coarse)").matches;
/** Whether the player has used a keyboard, or has no other hand than that and a mouse. */
export const playsWithKeys = () => document.documentElement.hasAttribute("data-keys") || !playsWithFingers();

/** Return the name of the theme that the style sheet shows. */
export const themeName = () => getComputedStyle(document.documentElement).getPropertyValue("--theme").trim() || "light";
