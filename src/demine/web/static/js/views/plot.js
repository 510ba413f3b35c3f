// A plot of points in their order, with a running average; what it shows is also said in words.

import { el } from "./elements.js";
import { roundTicks, running } from "./scale.js";
import { tr } from "../words.js";

/** @typedef {{x: number, y: number, id?: string, at?: string}} Point */

const [MOST_WIDE, LEAST_WIDE, HEIGHT] = [720, 280, 220];
const [LEFT, RIGHT, TOP, BOTTOM] = [48, 12, 12, 26];
const NS = "http://www.w3.org/2000/svg";
const MOST_DOTS = 1000;

/**
 * Return a figure; null without points.
 * @param {{title: string, points: Point[], average: number, best: "least" | "most" | null,
 *   open?: (id: string) => void}} options `open` is called with the id of a point that is pressed
 */
export function plot({ title, points, average, best, open }) {
  if (!points.length) return null;
  const width = Math.max(LEAST_WIDE, Math.min(MOST_WIDE, document.documentElement.clientWidth - 32));
  const shown = points.slice(-MOST_DOTS);
  const ticks = roundTicks(0, Math.max(...shown.map(({ y }) => y)));
  const top = ticks[ticks.length - 1];
  const [first, last] = [shown[0].x, shown[shown.length - 1].x];
  const x = (/** @type {number} */ value) => LEFT + ((width - LEFT - RIGHT) * (last > first ? (value - first) / (last - first) : 0.5));
  const y = (/** @type {number} */ value) => HEIGHT - BOTTOM - ((HEIGHT - TOP - BOTTOM) * value) / top;
  const drawing = svg("svg", { width, height: HEIGHT, viewBox: `0 0 ${width} ${HEIGHT}`, role: "img", "aria-label": `${title}: ${inWords(shown, best)}` });
  for (const tick of ticks) {
    drawing.append(svg("path", { class: "grid", d: `M${LEFT} ${y(tick)}H${width - RIGHT}` }),
      svg("text", { x: LEFT - 6, y: y(tick) + 4, "text-anchor": "end" }, String(Number(tick.toFixed(3)))));
  }
  for (const [at, anchor] of /** @type {[number, string][]} */ (last > first ? [[first, "start"], [last, "end"]] : [[first, "middle"]])) {
    drawing.append(svg("text", { x: x(at), y: HEIGHT - 8, "text-anchor": anchor }, String(at)));
  }
  drawing.append(...shown.map((point) => dot(point, x(point.x), y(point.y))));
  const line = running(shown, average).map(([at, mean]) => `${x(at).toFixed(1)} ${y(mean).toFixed(1)}`);
  if (line.length > 1) drawing.append(svg("path", { class: "average", d: `M${line.join("L")}` }));
  // The table of games has links for those who cannot point.
  drawing.addEventListener("click", (event) => {
    const id = /** @type {Element} */ (event.target).getAttribute("data-id");
    if (id) open?.(id);
  });
  return el("figure", { class: "plot" }, el("figcaption", {}, title), drawing, el("p", { class: "note" }, inWords(shown, best)));
}

/** @param {Point} point @param {number} cx @param {number} cy */
function dot(point, cx, cy) {
  const circle = svg("circle", { cx: cx.toFixed(1), cy: cy.toFixed(1), r: 3.5 },
    svg("title", {}, `${Number(point.y.toFixed(3))}${point.at ? ` · ${point.at.slice(0, 16).replace("T", " ")}` : ""}`));
  if (point.id) circle.setAttribute("data-id", point.id);
  return circle;
}

/** @param {Point[]} points @param {"least" | "most" | null} best */
function inWords(points, best) {
  const values = points.map(({ y }) => y);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const found = best === "least" ? Math.min(...values) : Math.max(...values);
  const average = String(Number(mean.toFixed(3)));
  return best ? tr("Best {best}, average {average}", { best: String(Number(found.toFixed(3))), average }) : tr("Average {average}", { average });
}

/**
 * @param {string} tag
 * @param {Record<string, string | number>} attributes
 * @param {...(Node | string)} children
 */
function svg(tag, attributes, ...children) {
  const made = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...children);
  return made;
}
