// What the others do, drawn over the board of a co-op game: their cells, their pointers, and what they show.

import { el } from "./elements.js";
import { drawOwner, drawPointerOf, drawSignal, seatColours } from "./coop_signs.js";
import { SIGNAL_MS, nameOfSeat } from "../coop.js";

/** @typedef {import("../app.js").App} App */

/** How long a pointer that rests is seen, in milliseconds. */
const POINTER_MS = 8000;
const FIELD = 16;

export class OthersCanvas {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.element = el("canvas", { class: "coop-canvas", "aria-hidden": "true" });
    this.pen = /** @type {CanvasRenderingContext2D} */ (this.element.getContext("2d"));
    this.timer = 0;
  }

  close() {
    window.clearTimeout(this.timer);
    this.element.remove();
  }

  draw() {
    const { element, pen } = this;
    const { coop, game } = this.app.state;
    const { width, height } = element.getBoundingClientRect();
    const ratio = devicePixelRatio;
    if (element.width !== Math.round(width * ratio) || element.height !== Math.round(height * ratio)) {
      element.width = Math.round(width * ratio);
      element.height = Math.round(height * ratio);
    }
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, element.width, element.height);
    if (!coop || !game) return;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    const colours = seatColours(element);
    if (!this.app.player.isPaused && !document.documentElement.hasAttribute("data-untinted")) this.#drawOwners(colours);
    this.#drawOthers(colours);
  }

  /** @param {string[]} colours */
  #drawOwners(colours) {
    const { state: { coop, game }, board } = this.app;
    if (!coop || !game || !board.view) return;
    const [top, bottom, left, right] = board.view.visible();
    for (let row = top; row < bottom; row += 1) {
      for (let col = left; col < right; col += 1) {
        const seat = coop.owners[row * game.sight.cols + col];
        if (seat) drawOwner(this.pen, board.cellRect(row, col), seat, colours[seat], game.sight.faces[row * game.sight.cols + col] <= 8);
      }
    }
  }

  /** @param {string[]} colours */
  #drawOthers(colours) {
    const { state: { coop }, board } = this.app;
    if (!coop) return;
    const now = performance.now();
    const { x: x0, y: y0, size } = board.cellRect(0, 0);
    const signals = coop.signals.filter(({ at }) => now - at < SIGNAL_MS);
    for (const { seat, cell, at } of signals) {
      drawSignal(this.pen, board.cellRect(...cell), (now - at) / SIGNAL_MS, colours[seat], nameOfSeat(coop, seat));
    }
    const pointers = [...coop.pointers].filter(([, { at }]) => now - at < POINTER_MS);
    for (const [seat, { x, y }] of pointers) {
      drawPointerOf(this.pen, x0 + (x * size) / FIELD, y0 + (y * size) / FIELD, colours[seat], `${seat} ${nameOfSeat(coop, seat)}`);
    }
    window.clearTimeout(this.timer);
    if (signals.length || pointers.length) this.timer = window.setTimeout(() => this.draw(), signals.length ? 40 : 500);
  }
}
