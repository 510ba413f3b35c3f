/**
 * The mouse as a finite automaton: the port of demine.scene.mouse_automaton, to whose vectors a
 * test holds it. It sees faces alone, and asks only for acts that could do something there.
 */
import {
  COVERED, FLAG, QUESTION, faceAt, isOpenable, mayChord, openableAround,
} from "./faces.js";

/** @typedef {import("./faces.js").Cell} Cell */
/** @typedef {import("./faces.js").Sight} Sight */
/** @typedef {"left" | "middle" | "right"} Button */
/** @typedef {"open" | "flag" | "question" | "chord"} Verb */
/** @typedef {[Verb, number, number]} Intention */

/**
 * (state, signal) -> (next state, request); pairs that are missing change nothing. States: nothing
 * is held (UU), right on a covered cell (UD) or elsewhere (UDn), left (DU), both (CH, CHn), left
 * after a chord (DUa).
 * @type {Record<string, Record<string, [string, string]>>}
 */
const TABLE = {
  UU: { lc: ["DU", "nothing"], rc: ["UD", "mark"], mr: ["UU", "chord"] },
  DU: { lr: ["UU", "open"], rc: ["CH", "nothing"], mr: ["DUa", "chord"] },
  UD: { lc: ["CH", "nothing"], rr: ["UU", "nothing"], mr: ["UD", "chord"] },
  UDn: { lc: ["CHn", "nothing"], rr: ["UU", "nothing"], mr: ["UDn", "chord"] },
  CH: { lr: ["UD", "chord"], rr: ["DUa", "chord"], mr: ["CH", "chord"] },
  CHn: { lr: ["UD", "chord"], rr: ["DUa", "chord"], mr: ["CHn", "chord"] },
  DUa: { lr: ["UU", "nothing"], rc: ["CH", "nothing"], mr: ["DUa", "chord"] },
};
/** @type {Partial<Record<Button, string>>} */
const DOWN = { left: "lc", right: "rc" };
/** @type {Record<Button, string>} */
const UP = { left: "lr", right: "rr", middle: "mr" };
const MARKABLE = [COVERED, FLAG, QUESTION];

/** Turns the input of one mouse on one board into intentions. */
export class Mouse {
  constructor() {
    this.questions = false;
    this.leftChords = false;
    this.state = "UU";
    /** The cells that look pressed since the last event. @type {Cell[]} */
    this.pressed = [];
    this.inside = false;
    this.cancelled = false;
    /** What each button that is down acts as; null if it is ignored. @type {Map<Button, Button | null>} */
    this.held = new Map();
  }

  /** Whether the player holds a cell, to open it or to chord, so that the face worries. */
  get isHoldingCell() {
    return this.inside && (this.state === "DU" || this.isChording);
  }

  get hasButtonDown() {
    return this.held.size > 0;
  }

  /** Whether all input is ignored until every button is up. */
  get isIgnoringInput() {
    return this.cancelled;
  }

  get isChording() {
    return this.state === "CH" || this.state === "CHn" || [...this.held.values()].includes("middle");
  }

  /**
   * Handle a press; the modifiers apply to the left button only, until it is released.
   * @param {Button} button
   * @param {Cell | null} cell
   * @param {Sight} sight
   * @param {{shift?: boolean, ctrl?: boolean}} [modifiers]
   * @returns {Intention[]}
   */
  press(button, cell, sight, modifiers = {}) {
    if (this.cancelled) {
      // A button cannot be pressed twice: its release was lost, perhaps with the window.
      this.held.delete(button);
      this.cancelled = this.held.size > 0;
    }
    if (this.held.has(button)) return this.move(cell, sight);
    const acting = effectiveButton(button, modifiers);
    const heard = !this.cancelled && ![...this.held.values()].includes(acting);
    this.held.set(button, heard ? acting : null);
    return this.#step(heard ? DOWN[acting] : undefined, cell, sight);
  }

  /**
   * Handle a release; one whose press was not seen does nothing.
   * @param {Button} button
   * @param {Cell | null} cell
   * @param {Sight} sight
   * @returns {Intention[]}
   */
  release(button, cell, sight) {
    const acting = this.held.get(button);
    this.held.delete(button);
    if (this.cancelled) {
      this.cancelled = this.held.size > 0;
      return [];
    }
    return this.#step(acting ? UP[acting] : undefined, cell, sight);
  }

  /**
   * Handle a move, or new faces; only `pressed` changes.
   * @param {Cell | null} cell
   * @param {Sight} sight
   * @returns {Intention[]}
   */
  move(cell, sight) {
    return this.#step(undefined, cell, sight);
  }

  /**
   * Cancel what is held, and ignore all input until every button is up; with `releasesLost` all
   * buttons count as up at once.
   * @param {boolean} [releasesLost]
   */
  cancel(releasesLost = false) {
    if (releasesLost) this.held.clear();
    this.cancelled = this.held.size > 0;
    this.state = "UU";
    this.pressed = [];
    for (const button of this.held.keys()) this.held.set(button, null);
  }

  /** Ignore a press, and all further input until every button is up. @param {Button} button */
  ignore(button) {
    this.held.set(button, null);
    this.cancel();
  }

  /**
   * @param {string | undefined} signal
   * @param {Cell | null} cell
   * @param {Sight} sight
   * @returns {Intention[]}
   */
  #step(signal, cell, sight) {
    const face = faceAt(sight, cell);
    this.inside = face !== undefined;
    /** @type {Intention[]} */
    const asked = [];
    if (signal !== undefined) {
      const [state, request] = nextState(this.state, signal, MARKABLE.includes(face ?? -1));
      this.state = state;
      if (cell && face !== undefined) {
        const verb = this.#verb(request, cell, face, sight);
        if (verb) asked.push([verb, cell[0], cell[1]]);
      }
    }
    this.pressed = cell && face !== undefined ? this.#preview(cell, face, sight) : [];
    return asked;
  }

  /**
   * @param {string} request
   * @param {Cell} cell
   * @param {number} face
   * @param {Sight} sight
   * @returns {Verb | null}
   */
  #verb(request, cell, face, sight) {
    if (request === "open" && isOpenable(face)) return "open";
    const chording = request === "chord" || (request === "open" && this.leftChords);
    if (chording && mayChord(sight, cell)) return "chord";
    if (request === "mark" && MARKABLE.includes(face)) {
      return this.questions && face !== COVERED ? "question" : "flag";
    }
    return null;
  }

  /**
   * @param {Cell} cell
   * @param {number} face
   * @param {Sight} sight
   * @returns {Cell[]}
   */
  #preview(cell, face, sight) {
    const left = this.state === "DU";
    if (this.isChording || (left && this.leftChords && mayChord(sight, cell))) {
      return openableAround(sight, cell);
    }
    return left && isOpenable(face) ? [cell] : [];
  }
}

/**
 * @param {string} state
 * @param {string} signal
 * @param {boolean} covered
 * @returns {[string, string]}
 */
function nextState(state, signal, covered) {
  if (state === "UU" && signal === "rc" && !covered) return ["UDn", "nothing"];
  return TABLE[state][signal] ?? [state, "nothing"];
}

/**
 * @param {Button} button
 * @param {{shift?: boolean, ctrl?: boolean}} modifiers
 * @returns {Button}
 */
function effectiveButton(button, { shift, ctrl }) {
  if (button !== "left") return button;
  if (shift) return "middle";
  return ctrl ? "right" : "left";
}
