/**
 * A player's game over a video: board, time and mines on nothing, and no control. It shows whatever
 * game its player plays, connects again for ever, and knows the game by what the server tells alone.
 */
import { followSystem, learnPage, wishes } from "./frame_page.js";
import { BoardCanvas, EDGE } from "../board_canvas.js";
import { UNKNOWN, cellLooks } from "../faces.js";
import { LastingSocket, waitAfter } from "../lasting_socket.js";
import { part } from "../page_parts.js";
import { parsedFaces } from "../state.js";
import { el } from "../views/elements.js";
import { icon } from "../views/icons.js";
import { tr } from "../words.js";

/**
 * @typedef {object} OverlayGame
 * @property {string} title
 * @property {number} width
 * @property {number} height
 * @property {string} status
 * @property {number} mines_left
 * @property {number} clock_ms
 * @property {string[]} [faces] none as long as others play the same board
 * @property {[number, number, number, number][]} [risks]
 * @property {number} [three_bv]
 * @property {number} [three_bv_per_s]
 */

/** The version of the messages that this page understands. */
const VERSION = 1;
const LEAST_CELL = 4;
const USUAL_CELL = 32;
const MOST_CELL = 128;
/** The parts that an overlay has, all of them unless the address names some. */
const PARTS = ["mines", "title", "time", "speed", "board"];

class OverlayPage {
  /** @param {import("../sprites.js").Sprites} sprites @param {HTMLElement} place */
  constructor(sprites, place) {
    this.place = place;
    const named = (wishes.get("parts") ?? "").split(",").filter((each) => PARTS.includes(each));
    this.parts = named.length ? named : PARTS;
    this.largest = Math.min(Math.max(Number(wishes.get("size")) || USUAL_CELL, LEAST_CELL), MOST_CELL);
    this.canvas = el("canvas", { class: "overlay-canvas", role: "img", "aria-label": tr("The board") });
    this.mines = el("output", { class: "figure", "aria-label": tr("Mines left") });
    this.clock = el("output", { class: "figure", "aria-label": tr("Time in seconds") });
    this.title = el("h1", { class: this.has("title") ? "overlay-title" : "unseen" });
    this.speed = el("p", { class: "overlay-line overlay-said" });
    this.said = el("p", { class: "overlay-line overlay-said", role: "status" });
    this.line = el("div", { class: "overlay-line" },
      el("span", { class: "counter", hidden: !this.has("mines") }, icon("mine"), this.mines), this.title,
      el("span", { class: "counter", hidden: !this.has("time") }, this.clock, icon("clock")));
    /** @type {OverlayGame | null} */
    this.game = null;
    /** When that was told, by the clock of this page. */
    this.toldAt = 0;
    place.replaceChildren(this.line, this.said, this.canvas, this.speed);
    this.board = new BoardCanvas(this.canvas, sprites);
    followSystem(sprites, this.board);
    window.addEventListener("resize", () => this.draw());
    const showTime = () => {
      this.#drawClock();
      requestAnimationFrame(showTime);
    };
    showTime();
  }

  /** @param {string} name */
  has(name) {
    return this.parts.includes(name);
  }

  /** @param {OverlayGame | null} game */
  show(game) {
    this.game = game;
    this.toldAt = performance.now();
    this.draw();
  }

  draw() {
    const { game } = this;
    this.line.hidden = !game || !["mines", "title", "time"].some((each) => this.has(each));
    this.say(game ? (game.faces ? "" : tr("The board is hidden as long as others play it.")) : tr("Waiting for a game"));
    this.title.textContent = game?.title ?? "";
    this.mines.textContent = String(game?.mines_left ?? "");
    this.#drawSpeed();
    this.canvas.hidden = !game?.faces || !this.has("board");
    if (game?.faces && this.has("board")) this.#drawBoard(game, game.faces);
  }

  /** Say something in place of a board. @param {string} text */
  say(text) {
    this.said.textContent = text;
    this.said.hidden = !text || wishes.get("idle") === "hide";
  }

  #drawSpeed() {
    const { three_bv: boardValue, three_bv_per_s: perSecond } = this.game ?? {};
    this.speed.hidden = perSecond === undefined || !this.has("speed");
    if (perSecond !== undefined) this.speed.textContent = `3BV ${boardValue} · ${perSecond.toFixed(2)} 3BV/s`;
  }

  #drawClock() {
    const { game } = this;
    if (!game) return;
    const since = game.status === "running" ? performance.now() - this.toldAt : 0;
    const text = String(Math.floor((game.clock_ms + since) / 1000));
    if (this.clock.textContent !== text) this.clock.textContent = text;
  }

  /** @param {OverlayGame} game @param {string[]} faces */
  #drawBoard(game, faces) {
    const { width: cols, height: rows } = game;
    const cell = this.#cellSize(rows, cols);
    const [width, height] = [cols * cell + 2 * EDGE, rows * cell + 2 * EDGE];
    Object.assign(this.canvas.style, { width: `${width}px`, height: `${height}px` });
    this.line.style.width = `${width}px`;
    this.board.comfort = { least: LEAST_CELL, most: cell };
    const sight = { rows, cols, mines: 0, faces: parsedFaces(faces) };
    this.board.show({ ...sight, looks: cellLooks(sight, game.status === "running"), overlay: riskOverlay(game) });
  }

  /** Return the size of cells with which the window shows the whole board, and none larger than wanted. @param {number} rows @param {number} cols */
  #cellSize(rows, cols) {
    const top = this.line.hidden ? 0 : this.line.offsetHeight + 6;
    const fitting = Math.min((innerWidth - 2 * EDGE) / cols, (innerHeight - top - 2 * EDGE) / rows);
    return Math.max(LEAST_CELL, Math.floor(Math.min(fitting, this.largest)));
  }
}

/** @param {OverlayGame} game */
function riskOverlay({ width, height, risks }) {
  if (!risks?.length) return null;
  const cells = width * height;
  const [risk, unwritten] = [new Uint8Array(cells).fill(UNKNOWN), new Uint8Array(cells)];
  for (const [row, col, percent, plain] of risks) {
    risk[row * width + col] = percent;
    unwritten[row * width + col] = plain;
  }
  return { marks: new Uint8Array(cells), risk, unwritten };
}

/** Learn what the page needs, as soon as there is a server. */
async function learnUntilAnswered() {
  for (let tries = 0; ; tries += 1) {
    try {
      return await learnPage();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, waitAfter(tries)));
    }
  }
}

/** Follow the games that the server tells of. @param {OverlayPage} page */
function follow(page) {
  const asked = new URLSearchParams({ risk: wishes.get("risk") ?? "", language: wishes.get("language") || navigator.language });
  const path = `/ws/overlays/${location.pathname.split("/")[2]}?${asked}`;
  const socket = new LastingSocket(() => path, {
    hear(message) {
      if (message.bye === "not_found") {
        page.show(null);
        page.say(message.message);
        socket.heed(message.bye);
      } else if (message.v === VERSION) {
        socket.greet();
        page.show(message.game);
      } else if (message.v !== undefined) location.reload(); // the server is a newer one
    },
    become: (connection) => page.place.classList.toggle("lost", connection === "lost"),
  });
  socket.open();
}

follow(new OverlayPage(await learnUntilAnswered(), part("overlay")));
