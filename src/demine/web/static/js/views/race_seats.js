// The players of a race as a list of cards, each with a small board of what may be seen of theirs.

import { el } from "./elements.js";
import { nameFor, penaltyOf, progressOf } from "./race_words.js";
import { tr } from "../words.js";

/** @typedef {import("./race_words.js").Race} Race */
/** @typedef {import("./race_words.js").Seat} Seat */

/** The players of a race, of which some are shown; cards are changed in place, so that nobody loses where they read. */
export class SeatList {
  /** @param {string} label @param {(race: Race, seat: Seat) => boolean} [isShown] */
  constructor(label, isShown = () => true) {
    this.isShown = isShown;
    this.list = el("ul", { class: "race-seats", "aria-label": label });
    /** @type {Map<number, Card>} */
    this.cards = new Map();
  }

  /** @param {Race} race @param {number} since milliseconds since this was told */
  show(race, since) {
    const shown = race.seats.filter((seat) => this.isShown(race, seat)).sort((one, other) => one.seat - other.seat);
    for (const [number, card] of this.cards) {
      if (shown.some(({ seat }) => seat === number)) continue;
      card.item.remove();
      this.cards.delete(number);
    }
    shown.forEach((seat, place) => {
      const card = this.cards.get(seat.seat) ?? new Card();
      this.cards.set(seat.seat, card);
      if (this.list.children[place] !== card.item) this.list.insertBefore(card.item, this.list.children[place] ?? null);
      card.show(race, seat, since);
    });
  }
}

class Card {
  constructor() {
    this.board = el("canvas", { class: "race-board", "aria-hidden": "true" });
    this.name = el("strong");
    this.progress = el("span", { class: "race-progress" });
    this.penalty = el("span", { class: "note" });
    this.bar = el("progress", { "aria-hidden": "true" });
    this.item = el("li", {}, this.board, el("div", {}, this.name, this.progress, this.penalty, this.bar));
    this.drawn = "";
  }

  /** @param {Race} race @param {Seat} seat @param {number} since */
  show(race, seat, since) {
    put(this.name, nameFor(race, seat));
    put(this.progress, progressOf(race, seat, since));
    put(this.penalty, penaltyOf(race, seat));
    this.item.dataset.status = seat.away_ms === null ? seat.status : "away";
    this.bar.max = race.safe_cells;
    this.bar.value = seat.opened;
    this.bar.hidden = this.board.hidden = !seat.cells;
    this.#draw(race, seat.cells);
  }

  /** Draw a cell as a pixel, which the style sheet enlarges. @param {Race} race @param {string} cells */
  #draw({ width, height }, cells) {
    const style = getComputedStyle(this.board);
    const [covered, opened] = [style.getPropertyValue("--covered"), style.getPropertyValue("--opened")];
    const drawn = [cells, covered, opened].join();
    if (!cells || drawn === this.drawn) return;
    this.drawn = drawn;
    this.board.width = width;
    this.board.height = height;
    const pen = /** @type {CanvasRenderingContext2D} */ (this.board.getContext("2d"));
    pen.fillStyle = covered;
    pen.fillRect(0, 0, width, height);
    pen.fillStyle = opened;
    unpacked(cells, width * height).forEach((isOpen, at) => isOpen && pen.fillRect(at % width, Math.floor(at / width), 1, 1));
  }
}

/** Return whether each cell is open, from base64 with a bit for each, the first one in the highest bit. @param {string} cells @param {number} count */
function unpacked(cells, count) {
  const bytes = Uint8Array.from(atob(cells), (letter) => letter.charCodeAt(0));
  return Array.from({ length: count }, (_, at) => (bytes[at >> 3] >> (7 - (at & 7))) & 1);
}

/** Change a text only if it is another: screen readers may be in it. @param {HTMLElement} element @param {string} text */
function put(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Return the list of all players. */
export const everybody = () => new SeatList(tr("In this race"));
/** Return the list of all players but oneself, whose board is the large one. */
export const theOthers = () => new SeatList(tr("The others"), (race, seat) => seat.seat !== race.seat);
