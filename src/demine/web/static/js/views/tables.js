// Lists of games and replays as tables.

import { el } from "./elements.js";
import { tr } from "../words.js";

const RIGHT = /^[\d.,–%−-]+$/;

/**
 * Return what stands where there is nothing to list yet, and leads on.
 * @param {string} title
 * @param {string} text
 * @param {Node} [way]
 */
export function empty(title, text, way = el("a", { class: "button accent", href: "/" }, tr("To the game"))) {
  return el("div", { class: "empty" }, el("h2", {}, title), el("p", {}, text), way);
}

/**
 * Return a table whose first cells name the rows; numbers stand at the right.
 * @param {(string | Node)[]} heads
 * @param {(string | Node)[][]} rows
 * @param {string} label
 */
export function table(heads, rows, label) {
  return el("div", { class: "scroll", tabIndex: 0, role: "region", "aria-label": label },
    el("table", { class: "games" }, el("caption", { class: "off-screen" }, label),
      el("thead", {}, el("tr", {}, heads.map((head) => el("th", { scope: "col" }, head)))),
      el("tbody", {}, rows.map((cells) => el("tr", {}, cells.map((cell, place) =>
        el(place ? "td" : "th", place ? { class: isNumber(cell) ? "right" : "" } : { scope: "row" }, cell)))))));
}

/** @param {string | Node} cell */
function isNumber(cell) {
  return RIGHT.test(typeof cell === "string" ? cell : cell.textContent ?? "");
}

/** Return an ISO time as local date and time, as everywhere in the game. @param {string} iso */
export function localTime(iso) {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return iso;
  const two = (/** @type {number} */ value) => String(value).padStart(2, "0");
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`;
}
