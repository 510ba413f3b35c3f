// A recording that is played on a board: any moment of it, and the pointer.

import { drawOwner, seatAt, seatColours } from "./coop_signs.js";
import { el, select } from "./elements.js";
import { icon } from "./icons.js";
import { Recording, SPEEDS, tenths } from "./recording.js";
import { BoardCanvas } from "../board_canvas.js";
import { cellLooks } from "../faces.js";
import { tr } from "../words.js";

/** @typedef {import("./recording.js").WatchData} WatchData */
/**
 * @typedef {object} Surroundings what a player has of the page that it stands in
 * @property {import("../sprites.js").Sprites} sprites
 * @property {boolean} fadesFinished whether finished numbers fade
 * @property {(text: string) => void} announce has a text read out
 */
/** @typedef {"recent" | "full" | "off"} Trail */

const RECENT_MS = 1500;
const FIELD = 16;
/** The smallest and the largest cells that a board is shown with at first, in CSS pixels. */
const COMFORT = { least: 4, most: 64 };

/** Plays a recording by buttons, a slider and keys; pages add what they have besides. */
export class RecordingPlayer {
  /**
   * @param {WatchData} data
   * @param {Surroundings} around
   */
  constructor(data, around) {
    this.around = around;
    this.recording = new Recording(data);
    /** @type {Trail} */
    this.trail = "recent";
    this.playing = false;
    this.lastFrame = 0;
    this.canvas = el("canvas", { class: "watch-canvas", role: "img", "aria-label": tr("The board") });
    this.over = el("canvas", { class: "watch-trail", "aria-hidden": "true" });
    this.box = el("div", {
      class: "watch-board", tabIndex: 0, role: "group", "aria-label": tr("The board: Space plays, arrows step"),
    }, this.canvas, this.over);
    this.mines = el("output", { class: "figure", "aria-label": tr("Mines left") });
    this.clock = el("output", { class: "figure", "aria-label": tr("Time in seconds") });
    this.slider = el("input", {
      type: "range", class: "seek", min: data.start_ms, max: Math.max(data.end_ms, data.start_ms + 1), step: 1,
      "aria-label": tr("Position in the game"),
      oninput: () => this.go(() => this.recording.seek(Number(this.slider.value))),
    });
    this.line = el("p", { class: "watch-line" });
    this.time = el("span", { class: "watch-time" });
    this.play = tool("play", tr("Play"), () => this.togglePlaying());
    this.board = new BoardCanvas(this.canvas, around.sprites);
    this.board.comfort = COMFORT;
    this.board.onView = () => this.drawTrail();
    new ResizeObserver(() => this.drawTrail()).observe(this.box);
  }

  /** Show it in a page, and take keys from now on. @param {HTMLElement} page @param {...Node} parts made of it */
  appear(page, ...parts) {
    page.replaceChildren(...parts);
    this.board.applyTheme(); // an element has its colours once it stands somewhere
    this.listenToKeys();
    document.title = this.recording.data.title;
    this.draw();
  }

  /** The line of mines, title and time. @param {Node} title @param {...Node} more */
  makeHeader(title, ...more) {
    return el("header", { class: "watch-header" },
      el("span", { class: "counter" }, icon("mine"), this.mines),
      el("h1", {}, title),
      el("span", { class: "counter" }, this.clock, icon("clock")), ...more);
  }

  /** The slider with a mark for every act. */
  makeSeek() {
    return el("div", { class: "watch-seek" }, this.slider, makeTicks(this.recording.data));
  }

  /** The buttons that move, then what a page adds, then trail and speed. @param {...Node} more */
  makeTransport(...more) {
    const { recording } = this;
    return el("div", { class: "transport" },
      tool("first", tr("To the start"), () => this.go(() => recording.standAfter(0))),
      tool("back", tr("Back one move"), () => this.go(() => recording.standAfter(recording.done - 1))),
      this.play,
      tool("next", tr("Forward one move"), () => this.go(() => recording.standAfter(recording.done + 1))),
      tool("last", tr("To the end"), () => this.go(() => recording.seek(recording.data.end_ms))),
      this.time, el("span", { class: "spring" }), ...more, this.#makeTrails(), this.#makeSpeeds());
  }

  #makeTrails() {
    const trails = select(
      [["recent", tr("Trail: recent")], ["full", tr("Trail: full")], ["off", tr("Trail: off")]],
      this.trail, (value) => {
        this.trail = /** @type {Trail} */ (value);
        this.drawTrail();
      });
    trails.setAttribute("aria-label", tr("Pointer trail"));
    trails.hidden = !this.recording.data.pointer.t.length;
    return trails;
  }

  #makeSpeeds() {
    const speeds = select(SPEEDS.map((speed) => [String(speed), `${speed}×`]), String(this.recording.speed),
      (value) => (this.recording.speed = Number(value)));
    speeds.setAttribute("aria-label", tr("Speed"));
    return speeds;
  }

  // Moving

  /** Move by hand: playing stops, and what the act was is read out. @param {() => void} move */
  go(move) {
    this.stop();
    move();
    this.draw();
    this.around.announce(this.line.textContent ?? "");
  }

  togglePlaying() {
    if (this.playing) return this.stop();
    if (this.recording.ended) this.recording.standAfter(0);
    this.playing = true;
    this.lastFrame = performance.now();
    requestAnimationFrame((now) => this.frame(now));
    return this.drawPlay();
  }

  stop() {
    this.playing = false;
    this.drawPlay();
  }

  drawPlay() {
    const label = this.playing ? tr("Pause") : tr("Play");
    this.play.replaceChildren(icon(this.playing ? "pause" : "play"));
    this.play.setAttribute("aria-label", label);
    this.play.setAttribute("title", label);
  }

  /** @param {number} now */
  frame(now) {
    if (!this.playing) return;
    this.recording.advance(Math.min(250, Math.max(0, now - this.lastFrame)));
    this.lastFrame = now;
    this.draw();
    if (this.recording.ended) this.stop();
    else requestAnimationFrame((next) => this.frame(next));
  }

  /** Take keys wherever the focus is, and none once another page is shown. */
  listenToKeys() {
    const shown = new AbortController();
    document.addEventListener("keydown", (event) => {
      if (this.box.isConnected) this.key(event);
      else shown.abort();
    }, { signal: shown.signal });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target instanceof HTMLSelectElement) return;
    const onButton = event.target instanceof HTMLButtonElement || event.target instanceof HTMLAnchorElement;
    const keys = this.keys();
    if (!(event.key in keys) || (onButton && event.key === " ")) return;
    keys[event.key]();
    event.preventDefault();
  }

  /** What each key does. @returns {Record<string, () => void>} */
  keys() {
    const { recording } = this;
    return {
      " ": () => this.togglePlaying(),
      ArrowLeft: () => this.go(() => recording.standAfter(recording.done - 1)),
      ArrowRight: () => this.go(() => recording.standAfter(recording.done + 1)),
      Home: () => this.go(() => recording.standAfter(0)),
      End: () => this.go(() => recording.seek(recording.data.end_ms)),
    };
  }

  // Drawing

  /** What the player saw at the moment that is shown. */
  position() {
    const { data, faces } = this.recording;
    return { rows: data.height, cols: data.width, mines: data.mines, faces };
  }

  draw() {
    const { recording, board } = this;
    const { data, lastAct } = recording;
    const sight = this.position();
    board.show({
      ...sight, overlay: this.overlay(), looks: cellLooks(sight, this.around.fadesFinished),
      cursor: recording.pointer || !lastAct || lastAct.cell === null ? null
        : [Math.floor(lastAct.cell / data.width), lastAct.cell % data.width],
    });
    this.mines.textContent = String(lastAct ? lastAct.mines_left : data.mines);
    this.clock.textContent = String(Math.floor(Math.max(0, recording.ms) / 1000));
    this.slider.value = String(recording.ms);
    this.slider.setAttribute("aria-valuetext", tr("{time} of {end} s", { time: tenths(recording.ms), end: tenths(data.end_ms) }));
    this.time.textContent = `${tenths(recording.ms)} / ${tenths(data.end_ms)}`;
    this.line.textContent = this.sentence();
    this.drawTrail();
  }

  /** Say where in the game the board is. */
  sentence() {
    const { recording } = this;
    const count = recording.data.acts.length;
    if (!recording.lastAct) return count ? tr("No moves yet.") : tr("This game has no moves.");
    const { text, player } = recording.lastAct;
    const act = player ? tr("{name}: {act}", { name: player, act: text }) : text;
    const told = tr("{n} of {count}: {act}", { n: recording.done, count, act });
    return recording.done < count ? told : [told, ...recording.data.notes].join(" · ");
  }

  /** Marks and risks over the board; none here. @returns {import("../board_canvas.js").Overlay | null} */
  overlay() {
    return null;
  }

  drawTrail() {
    const { over, board, box } = this;
    const context = over.getContext("2d");
    if (!context) return;
    const scale = devicePixelRatio;
    const { width, height } = over.getBoundingClientRect();
    over.width = Math.round(width * scale);
    over.height = Math.round(height * scale);
    context.scale(scale, scale);
    this.#drawOwners(context);
    const point = this.recording.pointer;
    if (this.trail === "off" || !point) return;
    const { x: x0, y: y0, size } = board.cellRect(0, 0);
    const cellSize = size / FIELD;
    const style = getComputedStyle(box);
    context.translate(x0, y0);
    context.strokeStyle = style.getPropertyValue("--trail") || "#0047b3";
    context.fillStyle = style.getPropertyValue("--trail-press") || "#c00020";
    const points = this.recording.trail(this.trail === "full" ? Infinity : RECENT_MS);
    context.lineWidth = 2;
    context.lineJoin = "round";
    context.beginPath();
    for (const [x, y] of points) context.lineTo(x * cellSize, y * cellSize);
    context.stroke();
    for (const [x, y, pressed] of points) {
      if (pressed) context.fillRect(x * cellSize - 3, y * cellSize - 3, 6, 6);
    }
    drawPointer(context, point[0] * cellSize, point[1] * cellSize);
  }

  /** Mark who opened what in a game of several players. @param {CanvasRenderingContext2D} context */
  #drawOwners(context) {
    const { recording, board, box } = this;
    if (!recording.data.players.length || !board.view) return;
    const { owners, faces } = recording;
    const colours = seatColours(box);
    const [top, bottom, left, right] = board.view.visible();
    for (let row = top; row < bottom; row += 1) {
      for (let col = left; col < right; col += 1) {
        const at = row * recording.data.width + col;
        if (owners[at]) drawOwner(context, board.cellRect(row, col), seatAt(owners[at]), colours[seatAt(owners[at])], faces[at] <= 8);
      }
    }
  }
}

/** @param {CanvasRenderingContext2D} context @param {number} x @param {number} y */
function drawPointer(context, x, y) {
  context.save();
  context.translate(x, y);
  context.beginPath();
  for (const [dx, dy] of [[0, 0], [0, 15], [4, 11.5], [7, 18], [9.5, 17], [6.5, 10.5], [11.5, 10.5]]) context.lineTo(dx, dy);
  context.closePath();
  context.fillStyle = "#fff";
  context.fill();
  context.strokeStyle = "#000";
  context.lineWidth = 1.2;
  context.stroke();
  context.restore();
}

/** @param {import("./icons.js").IconName} name @param {string} label @param {() => void} press */
function tool(name, label, press) {
  const made = el("button", { type: "button", class: "button icon-button", title: label, "aria-label": label, onclick: press });
  made.append(icon(name));
  return made;
}

/** Draw a line below the slider where each act was. @param {import("./recording.js").WatchData} data */
function makeTicks(data) {
  const span = Math.max(1, data.end_ms - data.start_ms);
  const ns = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(ns, "svg");
  const shape = { class: "ticks", viewBox: "0 0 1000 8", preserveAspectRatio: "none", "aria-hidden": "true" };
  for (const [name, value] of Object.entries(shape)) svg.setAttribute(name, value);
  const path = document.createElementNS(ns, "path");
  path.setAttribute("d", data.acts.map(({ t }) => `M${((1000 * (t - data.start_ms)) / span).toFixed(1)} 0v8`).join(""));
  svg.append(path);
  return svg;
}
