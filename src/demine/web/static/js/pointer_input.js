/**
 * Mouse, pen and fingers on the board. One finger plays or moves the board, two zoom and move it;
 * whatever moves the board does nothing else.
 */
import { Finger } from "./touch_input.js";

/** @typedef {import("./board_canvas.js").BoardCanvas} BoardCanvas */
/** @typedef {import("./player.js").Player} Player */
/** @typedef {import("./state.js").State} State */
/** @typedef {import("./mouse_automaton.js").Button} Button */

/** @type {Button[]} */
const BUTTONS = ["left", "middle", "right"];
/** How long the phone shakes when a long press acts, in milliseconds. */
const SHAKE_MS = 25;

export class PointerInput {
  /**
   * @param {HTMLElement} surface
   * @param {BoardCanvas} board
   * @param {Player} player
   * @param {State} state
   * @param {{tremble: number, hold: number}} touch
   * @param {(x: number, y: number, ms: number) => void} arm shows where a long press will act; 0 ms ends that
   */
  constructor(surface, board, player, state, touch, arm) {
    this.surface = surface;
    this.board = board;
    this.player = player;
    this.state = state;
    this.touch = touch;
    this.arm = arm;
    this.finger = new Finger({ tap: "act", long: "flag", holdMs: touch.hold, tremblePx: touch.tremble });
    /** Where each finger is. @type {Map<number, [number, number]>} */
    this.fingers = new Map();
    this.timer = 0;
    /** How far apart two fingers began, and the cells of then. */
    this.pinch = { spread: 0, cell: 0, x: 0, y: 0 };
    this.buttons = 0;
    this.#listen();
  }

  /** Whether a finger was ever here; a mouse alone needs no big switch for flags. */
  get isTouched() {
    return document.documentElement.hasAttribute("data-touch");
  }

  #listen() {
    const { surface } = this;
    surface.addEventListener("pointerdown", (event) => this.#down(event));
    surface.addEventListener("pointermove", (event) => this.#move(event));
    surface.addEventListener("pointerup", (event) => this.#up(event));
    surface.addEventListener("pointercancel", (event) => this.#cancel(event));
    surface.addEventListener("pointerleave", (event) => {
      if (event.pointerType === "mouse" && !event.buttons) this.player.move(null);
    });
    surface.addEventListener("contextmenu", (event) => event.preventDefault());
    surface.addEventListener("auxclick", (event) => event.preventDefault());
    surface.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
  }

  /** @param {PointerEvent} event */
  #down(event) {
    event.preventDefault();
    if (event.pointerType === "mouse") {
      this.surface.setPointerCapture(event.pointerId);
      this.#mouseButtons(event);
      return;
    }
    document.documentElement.setAttribute("data-touch", "");
    this.fingers.set(event.pointerId, [event.clientX, event.clientY]);
    if (this.fingers.size > 1) {
      this.#endFinger();
      this.pinch.spread = 0;
      return;
    }
    const habits = this.#habits();
    this.finger.habits = habits;
    this.finger.press(this.board.cellAt(event.clientX, event.clientY), [event.clientX, event.clientY], event.timeStamp);
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.#longPress(), habits.holdMs + 1);
    if (this.finger.cell) this.arm(event.clientX, event.clientY, habits.holdMs);
    this.#showTouched();
  }

  /** @param {PointerEvent} event */
  #move(event) {
    if (event.pointerType === "mouse") {
      // A second button that goes down or up is told as a move.
      if (event.buttons !== this.buttons) this.#mouseButtons(event);
      else this.player.move(this.board.cellAt(event.clientX, event.clientY));
      return;
    }
    if (!this.fingers.has(event.pointerId)) return;
    this.fingers.set(event.pointerId, [event.clientX, event.clientY]);
    if (this.fingers.size > 1) {
      this.#pinchOn();
      return;
    }
    const way = this.finger.move([event.clientX, event.clientY]);
    if (!way) return;
    this.arm(0, 0, 0);
    this.board.pan(way[0] * this.board.ratio, way[1] * this.board.ratio);
    this.#showTouched();
  }

  /** @param {PointerEvent} event */
  #up(event) {
    if (event.pointerType === "mouse") {
      this.#mouseButtons(event);
      return;
    }
    this.fingers.delete(event.pointerId);
    this.pinch.spread = 0;
    window.clearTimeout(this.timer);
    this.arm(0, 0, 0);
    this.#perform(this.finger.release(event.timeStamp));
  }

  /** @param {PointerEvent} event */
  #cancel(event) {
    if (event.pointerType === "mouse") {
      this.buttons = 0;
      this.player.cancelInput(true);
      return;
    }
    this.fingers.delete(event.pointerId);
    this.#endFinger();
  }

  /** Tell the player which buttons went down or up since the last event. @param {PointerEvent} event */
  #mouseButtons(event) {
    const cell = this.board.cellAt(event.clientX, event.clientY);
    const modifiers = { shift: event.shiftKey, ctrl: event.ctrlKey };
    // The bits of `buttons` are left, right, middle.
    for (const [bit, button] of /** @type {[number, Button][]} */ ([[1, BUTTONS[0]], [4, BUTTONS[1]], [2, BUTTONS[2]]])) {
      if (event.buttons & bit && !(this.buttons & bit)) this.player.press(button, cell, modifiers);
      if (!(event.buttons & bit) && this.buttons & bit) this.player.release(button, cell);
    }
    this.buttons = event.buttons;
    this.player.move(cell);
  }

  #habits() {
    const { preferences, flagMode } = this.state;
    const flagsByTap = (preferences.tap === "flag") !== flagMode;
    const [tap, long] = flagsByTap ? ["flag", "act"] : ["act", "flag"];
    return { tap, long, holdMs: preferences.hold_ms ?? this.touch.hold, tremblePx: this.touch.tremble };
  }

  #longPress() {
    const now = performance.now();
    const asked = this.finger.dueLongPress(now);
    if (this.finger.state === "waiting") {
      this.timer = window.setTimeout(() => this.#longPress(), 1); // the timer was early
      return;
    }
    this.arm(0, 0, 0);
    if (asked && !this.player.isPaused) navigator.vibrate?.(SHAKE_MS);
    this.#perform(asked);
  }

  /** @param {[string, import("./faces.js").Cell] | null} asked */
  #perform(asked) {
    this.#showTouched();
    if (!asked) return;
    const [command, cell] = asked;
    // In flag mode a tap on a number opens around it, as always: there is nothing to flag.
    const face = this.state.game?.sight.faces[cell[0] * (this.state.game?.sight.cols ?? 0) + cell[1]] ?? 0;
    this.player.actAt(command === "flag" && face <= 8 ? "act" : command, cell);
  }

  #endFinger() {
    window.clearTimeout(this.timer);
    this.arm(0, 0, 0);
    this.finger.cancel();
    this.#showTouched();
  }

  #showTouched() {
    const { game } = this.state;
    this.player.touch(game ? this.finger.pressedCells(game.sight) : []);
  }

  /** Zoom with the distance of two fingers, and move the board with the middle between them. */
  #pinchOn() {
    const [one, two] = [...this.fingers.values()];
    const spread = Math.max(1, Math.hypot(one[0] - two[0], one[1] - two[1]));
    const [x, y] = [(one[0] + two[0]) / 2, (one[1] + two[1]) / 2];
    const { board, pinch } = this;
    if (!pinch.spread) {
      this.pinch = { spread, cell: board.view?.cell ?? 0, x, y };
      return;
    }
    board.pan((x - pinch.x) * board.ratio, (y - pinch.y) * board.ratio);
    pinch.x = x;
    pinch.y = y;
    board.zoomTo((pinch.cell * spread) / pinch.spread, ...board.devicePoint(x, y));
  }

  /** @param {WheelEvent} event */
  #wheel(event) {
    event.preventDefault();
    const { board } = this;
    const unit = event.deltaMode === 1 ? 40 : event.deltaMode === 2 ? 400 : 1;
    if (event.ctrlKey) {
      board.zoomSteps(event.deltaY < 0 ? 1 : -1, ...board.devicePoint(event.clientX, event.clientY));
      return;
    }
    const [dx, dy] = event.shiftKey ? [event.deltaY, event.deltaX] : [event.deltaX, event.deltaY];
    board.pan(-dx * unit * board.ratio, -dy * unit * board.ratio);
    this.player.move(board.cellAt(event.clientX, event.clientY));
  }
}
