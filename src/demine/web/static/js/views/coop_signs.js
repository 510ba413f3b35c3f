// How the players of one board are told apart in drawings: by colour, and by a corner and its shape.

import { el } from "./elements.js";
import { ntr, tr } from "../words.js";

/** @typedef {{player: string, acts: number, opened: number, three_bv: number, flags: number, mines: number}} Share what a player did in a game */

const SEATS = 8;
const LONGEST = 14;

/** Return the colour of each seat, from 1, by the style sheet. @param {HTMLElement} element */
export function seatColours(element) {
  const style = getComputedStyle(element);
  return ["", ...Array.from({ length: SEATS }, (_, at) => style.getPropertyValue(`--seat-${at + 1}`).trim())];
}

/** Return the colour of a place in a list of players, which a file may have more of than there are. @param {number} place from 1 */
export const seatAt = (place) => ((place - 1) % SEATS) + 1;

/** Return the sign of a player beside a name. @param {number} place from 1 */
export const badge = (place) => el("span", { class: "seat-badge", "data-seat": seatAt(place), "aria-hidden": "true" }, String(place));

/** Return how much of the work was one player's, in words. @param {Share} share @param {Share[]} all */
export function workOf(share, all) {
  const total = all.reduce((sum, { three_bv }) => sum + three_bv, 0);
  const moves = ntr("{n} move", "{n} moves", share.acts);
  return total ? tr("{percent}% of the 3BV, {acts}", { percent: Math.round((100 * share.three_bv) / total), acts: moves }) : moves;
}

/**
 * Mark a cell as somebody's: tinted where it is open, with a triangle (seats 1 to 4) or a square (5 to 8) in a corner.
 * @param {CanvasRenderingContext2D} pen
 * @param {{x: number, y: number, size: number}} cell
 * @param {number} seat
 * @param {string} colour
 * @param {boolean} isOpen
 */
export function drawOwner(pen, { x, y, size }, seat, colour, isOpen) {
  pen.fillStyle = colour;
  if (isOpen) {
    pen.globalAlpha = 0.2;
    pen.fillRect(x, y, size, size);
    pen.globalAlpha = 1;
  }
  const side = Math.max(3, size / 5);
  const [right, low] = [(seat - 1) % 2, Math.floor((seat - 1) / 2) % 2];
  const [dx, dy] = [right ? -side : side, low ? -side : side];
  const [cx, cy] = [x + right * size, y + low * size];
  pen.beginPath();
  pen.moveTo(cx, cy);
  pen.lineTo(cx + dx, cy);
  if (seat > 4) pen.lineTo(cx + dx, cy + dy);
  pen.lineTo(cx, cy + dy);
  pen.fill();
}

/**
 * Draw where somebody points, with the name.
 * @param {CanvasRenderingContext2D} pen
 * @param {number} x
 * @param {number} y
 * @param {string} colour
 * @param {string} name
 */
export function drawPointerOf(pen, x, y, colour, name) {
  pen.fillStyle = colour;
  pen.strokeStyle = "#fff";
  pen.lineWidth = 1.5;
  pen.beginPath();
  for (const [dx, dy] of [[0, 0], [0, 17], [4.5, 13], [11, 12.5]]) pen.lineTo(x + dx, y + dy);
  pen.closePath();
  pen.fill();
  pen.stroke();
  drawName(pen, x + 10, y + 16, colour, name);
}

/**
 * Draw rings that draw together at a cell, and whose they are.
 * @param {CanvasRenderingContext2D} pen
 * @param {{x: number, y: number, size: number}} cell
 * @param {number} part how much of its time is over, 0 to 1
 * @param {string} colour
 * @param {string} name
 */
export function drawSignal(pen, { x, y, size }, part, colour, name) {
  const moves = !matchMedia("(prefers-reduced-motion: reduce)").matches;
  const wave = moves ? 1 - ((part * 3) % 1) : 0;
  for (const [width, style] of /** @type {[number, string][]} */ ([[6, "#fff"], [3.5, colour]])) {
    pen.lineWidth = width;
    pen.strokeStyle = style;
    pen.beginPath();
    pen.arc(x + size / 2, y + size / 2, size * (0.6 + wave), 0, 2 * Math.PI);
    pen.stroke();
    pen.strokeRect(x + 1, y + 1, size - 2, size - 2);
  }
  drawName(pen, x + size, y - 18, colour, name);
}

/** @param {CanvasRenderingContext2D} pen @param {number} x @param {number} y @param {string} colour @param {string} name */
function drawName(pen, x, y, colour, name) {
  const text = name.length > LONGEST ? `${name.slice(0, LONGEST - 1)}…` : name;
  pen.font = "600 12px system-ui, sans-serif";
  pen.textBaseline = "middle";
  const width = pen.measureText(text).width + 8;
  const left = Math.max(0, Math.min(x, pen.canvas.width / devicePixelRatio - width));
  const top = Math.max(0, Math.min(y, pen.canvas.height / devicePixelRatio - 18));
  pen.fillStyle = colour;
  pen.fillRect(left, top, width, 18);
  pen.fillStyle = "#fff";
  pen.fillText(text, left + 4, top + 9);
}
