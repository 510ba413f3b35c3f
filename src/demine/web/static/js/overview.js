/**
 * The overview: a board that does not fit in small, with a frame around the part that is seen. A press
 * or a drag on it brings that place to the middle.
 */

/** @typedef {import("./faces.js").Sight} Sight */
/** @typedef {import("./board_canvas.js").BoardCanvas} BoardCanvas */

/** The gap around it, in CSS pixels. */
const PAD = 4;
/** Limits of its width in heights, and of that in the window's width. */
const NARROWEST = 0.5;
const WIDEST = 3;
const LARGEST_SHARE = 1 / 3;

export class Overview {
  /** @param {HTMLCanvasElement} canvas @param {BoardCanvas} board */
  constructor(canvas, board) {
    this.canvas = canvas;
    this.board = board;
    this.pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    /** The board with one pixel for each cell, and what it was made from. */
    this.small = { faces: new Uint8Array(0), colours: "", picture: document.createElement("canvas") };
    for (const name of /** @type {("pointerdown" | "pointermove")[]} */ (["pointerdown", "pointermove"])) {
      canvas.addEventListener(name, (event) => this.#press(event));
    }
  }

  /** Show a board, or nothing while all of it is seen. @param {Sight} sight @param {boolean} wanted */
  show(sight, wanted) {
    const { canvas, board } = this;
    const { view } = board;
    const colours = view && this.board.sprites.atlas(view.cell)?.small;
    if (!wanted || !view || !colours?.length || view.showsWholeBoard) {
      canvas.hidden = true;
      return;
    }
    canvas.hidden = false;
    this.#resize(sight);
    this.#drawSmall(sight, colours);
    this.#draw(view);
  }

  /** @param {Sight} sight */
  #resize({ rows, cols }) {
    const { canvas, board } = this;
    const high = canvas.clientHeight;
    const inside = high - 2 * PAD;
    const most = Math.min(WIDEST * high, LARGEST_SHARE * window.innerWidth);
    const wide = Math.round(Math.min(Math.max((inside * cols) / rows, NARROWEST * high), most)) + 2 * PAD;
    canvas.style.width = `${wide}px`;
    const [width, height] = [Math.round(wide * board.ratio), Math.round(high * board.ratio)];
    if (canvas.width !== width) canvas.width = width;
    if (canvas.height !== height) canvas.height = height;
  }

  /** @param {Sight} sight @param {string[]} colours */
  #drawSmall({ rows, cols, faces }, colours) {
    const { small } = this;
    if (small.faces === faces && small.colours === colours.join()) return;
    Object.assign(small, { faces, colours: colours.join() });
    const rgb = colours.map((hex) => parseInt(hex.slice(1), 16));
    const image = new ImageData(cols, rows);
    faces.forEach((face, at) => {
      image.data.set([rgb[face] >> 16, (rgb[face] >> 8) & 255, rgb[face] & 255, 255], 4 * at);
    });
    Object.assign(small.picture, { width: cols, height: rows });
    small.picture.getContext("2d")?.putImageData(image, 0, 0);
  }

  /** @param {import("./view.js").View} view */
  #draw(view) {
    const { pen, canvas } = this;
    const style = getComputedStyle(canvas);
    const [whole, seen] = view.overviewRects(this.#box);
    pen.clearRect(0, 0, canvas.width, canvas.height);
    pen.fillStyle = style.getPropertyValue("--edge");
    pen.fillRect(whole.x - 1, whole.y - 1, whole.width + 2, whole.height + 2);
    pen.drawImage(this.small.picture, whole.x, whole.y, whole.width, whole.height);
    for (const [name, width] of /** @type {[string, number][]} */ ([["--cursor-halo", 4], ["--cursor", 2]])) {
      pen.strokeStyle = style.getPropertyValue(name);
      pen.lineWidth = width * this.board.ratio;
      pen.strokeRect(seen.x, seen.y, seen.width, seen.height);
    }
  }

  /** Where it may draw, in device pixels. */
  get #box() {
    const { canvas, board } = this;
    const pad = Math.round(PAD * board.ratio);
    return { x: pad, y: pad, width: Math.max(1, canvas.width - 2 * pad), height: Math.max(1, canvas.height - 2 * pad) };
  }

  /** @param {PointerEvent} event */
  #press(event) {
    const { canvas, board } = this;
    if (!board.view || !(event.buttons & 1)) return;
    if (event.type === "pointerdown") canvas.setPointerCapture(event.pointerId);
    event.preventDefault();
    const at = canvas.getBoundingClientRect();
    const [whole] = board.view.overviewRects(this.#box);
    /** @param {number} along @param {number} start @param {number} size @param {number} count */
    const place = (along, start, size, count) =>
      Math.min(Math.max(Math.floor(((along * board.ratio - start) * count) / size), 0), count - 1);
    board.centreOn(
      place(event.clientY - at.top, whole.y, whole.height, board.view.rows),
      place(event.clientX - at.left, whole.x, whole.width, board.view.cols),
    );
  }
}
