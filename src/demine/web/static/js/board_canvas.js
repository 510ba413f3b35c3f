/**
 * A board on a canvas: it draws what it is shown, and knows where each cell is. It has no game.
 */
import { PLAIN, UNKNOWN } from "./faces.js";
import { View } from "./view.js";

/** @typedef {import("./faces.js").Cell} Cell */
/** @typedef {import("./sprites.js").Sprites} Sprites */
/** @typedef {import("./motion.js").MotionFrame} MotionFrame */
/** @typedef {{marks: Uint8Array, risk: Uint8Array, unwritten?: Uint8Array}} Overlay */
/**
 * @typedef {object} Picture what a board shows
 * @property {number} rows
 * @property {number} cols
 * @property {Uint8Array} faces
 * @property {Uint8Array} [looks]
 * @property {Uint8Array} [faded] cells that do not matter, which lie under a veil
 * @property {Overlay | null} [overlay]
 * @property {Cell | null} [cursor]
 * @property {Cell | null} [start]
 * @property {MotionFrame | null} [moving]
 */
/**
 * @typedef {object} Comfort lengths in CSS pixels
 * @property {number} most the largest cells that a board is fitted with
 * @property {number} least the smallest; a board that does not fit then is scrolled
 * @property {number} [whole] a little smaller ones, where these show the whole board
 */
/**
 * @typedef {object} Place how a board is seen
 * @property {number} cell the size of cells that the player chose, in CSS pixels; 0 where they are fitted
 * @property {[number, number]} middle what is in the middle, in rows and columns from the board's corner
 */

/** The width of the line around a board, in CSS pixels. */
export const EDGE = 3;
/** How opaque the veil over cells that do not matter is, of 255. */
const FADED = 150;
/** The sizes of cells in CSS pixels, as demine.scene.board_geometry has them. */
export const ZOOM = {
  least: 4,
  most: 128,
  steps: [4, 6, 8, 10, 12, 14, 16, 18, 20, 24, 28, 32, 36, 40, 48, 56, 64, 80, 96, 112, 128],
};

export class BoardCanvas {
  /** @param {HTMLCanvasElement} canvas @param {Sprites} sprites */
  constructor(canvas, sprites) {
    this.canvas = canvas;
    this.sprites = sprites;
    this.pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", { alpha: false }));
    this.ratio = window.devicePixelRatio || 1;
    /** @type {Comfort} */
    this.comfort = { most: 40, least: 16, whole: 16 };
    /** Called after the board was zoomed, panned or resized. @type {() => void} */
    this.onView = () => {};
    /** @type {Picture | null} */
    this.picture = null;
    /** @type {View | null} */
    this.view = null;
    /** Whether the player chose the size of cells, so that another board keeps it. */
    this.zoomChosen = false;
    /** How the board is to be seen that is shown next. @type {Place | null} */
    this.wanted = null;
    /** What is on the glass, a number for each cell. @type {Float64Array} */
    this.glass = new Float64Array(0);
    this.drawnCell = 0;
    this.stale = true;
    this.colours = { window: "#fff", edge: "#000", covered: "#888", light: "#ffd" };
    sprites.onReady.add(this.redrawAll);
    this.observer = new ResizeObserver((entries) => this.#resized(entries[0]));
    try {
      this.observer.observe(canvas, { box: "device-pixel-content-box" });
    } catch {
      this.observer.observe(canvas); // Safari does not know its device pixels
    }
    this.applyTheme();
  }

  /** Stop drawing for good. */
  close() {
    this.observer.disconnect();
    this.sprites.onReady.delete(this.redrawAll);
  }

  /** Take the colours of the style sheet, which may have changed. */
  applyTheme() {
    const style = getComputedStyle(this.canvas);
    /** @param {string} name */
    const colour = (name) => style.getPropertyValue(name).trim();
    this.colours = {
      window: colour("--panel"),
      edge: colour("--edge"),
      covered: colour("--covered"),
      light: colour("--smiley"),
    };
    this.redrawAll();
  }

  /** Draw everything anew. */
  redrawAll = () => {
    this.stale = true;
    this.draw();
  };

  /** Show a board; only what differs is drawn. @param {Picture} picture */
  show(picture) {
    const same = this.picture?.rows === picture.rows && this.picture.cols === picture.cols;
    this.picture = picture;
    if (!same) this.glass = new Float64Array(picture.rows * picture.cols);
    if (!same || this.wanted) this.#place();
    else this.draw();
  }

  /** How the board is seen; null where all of it is, in cells as large as fit. @returns {Place | null} */
  get place() {
    const { view, zoomChosen, ratio } = this;
    if (!view || (!zoomChosen && view.showsWholeBoard)) return null;
    return { cell: zoomChosen ? view.cell / ratio : 0, middle: view.middle };
  }

  /** See the next board that is shown as it was seen before. @param {Place | null} place */
  placeNext(place) {
    this.wanted = place;
    if (place) this.zoomChosen = place.cell > 0;
  }

  /** Show the whole board in comfortable cells, as far as both are possible. */
  fit() {
    this.zoomChosen = false;
    this.#place();
  }

  /**
   * Zoom to cells of a size about a point, all in device pixels.
   * @param {number} cell
   * @param {number} [x]
   * @param {number} [y]
   */
  zoomTo(cell, x, y) {
    this.zoomChosen = true;
    this.#look(this.view && this.view.zoomed(Math.round(cell), x, y));
  }

  /** Zoom by steps, in if positive, about a point. @param {number} count @param {number} [x] @param {number} [y] */
  zoomSteps(count, x, y) {
    this.zoomChosen = true;
    this.#look(this.view && this.view.zoomedBySteps(count, x, y));
  }

  /** Move the board by device pixels, as far as its edges. @param {number} dx @param {number} dy */
  pan(dx, dy) {
    this.#look(this.view && this.view.panned(Math.round(dx), Math.round(dy)));
  }

  /** Bring a cell into view. @param {number} row @param {number} col */
  scrollTo(row, col) {
    this.#look(this.view && this.view.scrolledTo([row, col]));
  }

  /** Bring a cell to the middle. @param {number} row @param {number} col */
  centreOn(row, col) {
    this.#look(this.view && this.view.centredOn([row, col]));
  }

  /** Return a point of the window in device pixels of the canvas. @param {number} x @param {number} y @returns {[number, number]} */
  devicePoint(x, y) {
    const box = this.canvas.getBoundingClientRect();
    return [Math.floor((x - box.left) * this.ratio), Math.floor((y - box.top) * this.ratio)];
  }

  /** Return the cell at a point of the window, or null. @param {number} x @param {number} y @returns {Cell | null} */
  cellAt(x, y) {
    return this.view && this.view.cellAt(...this.devicePoint(x, y));
  }

  /** Return a point of the window in recorded units, 16 a cell. @param {number} x @param {number} y @returns {[number, number]} */
  fieldPoint(x, y) {
    if (!this.view) return [0, 0];
    const [left, top] = this.devicePoint(x, y);
    const { view } = this;
    return [Math.floor(((left - view.left) * 16) / view.cell), Math.floor(((top - view.top) * 16) / view.cell)];
  }

  /** Return where a cell is on the canvas, in CSS pixels. @param {number} row @param {number} col */
  cellRect(row, col) {
    const view = this.view ?? { left: 0, top: 0, cell: 0 };
    const size = view.cell / this.ratio;
    return { x: view.left / this.ratio + col * size, y: view.top / this.ratio + row * size, size };
  }

  /** Return where the board and its edge are on the canvas, in CSS pixels, as far as they are visible. */
  get boardRect() {
    const { view, ratio } = this;
    if (!view) return { x: 0, y: 0, width: 0, height: 0 };
    const edge = Math.round(EDGE * ratio);
    const left = Math.max(0, view.left - edge);
    const top = Math.max(0, view.top - edge);
    const right = Math.min(this.canvas.width, view.left + view.cols * view.cell + edge);
    const bottom = Math.min(this.canvas.height, view.top + view.rows * view.cell + edge);
    return { x: left / ratio, y: top / ratio, width: (right - left) / ratio, height: (bottom - top) / ratio };
  }

  /** @param {ResizeObserverEntry} entry */
  #resized(entry) {
    this.ratio = window.devicePixelRatio || 1;
    const { width: wide, height: high } = entry.contentRect;
    const exact = entry.devicePixelContentBoxSize?.[0];
    // Where a device is only emulated, its pixels are not the screen's.
    const trusted = exact && Math.abs(exact.inlineSize - wide * this.ratio) < 2;
    const width = trusted ? exact.inlineSize : Math.round(wide * this.ratio);
    const height = trusted ? exact.blockSize : Math.round(high * this.ratio);
    if (!width || !height) return;
    this.canvas.width = width;
    this.canvas.height = height;
    this.#place();
  }

  /** Place the board in the canvas: as before where the player chose its size, else fitted. */
  #place() {
    const { picture, view, ratio, canvas } = this;
    if (!picture || !canvas.width) return;
    const edge = Math.round(EDGE * ratio);
    const port = {
      x: edge, y: edge,
      width: Math.max(1, canvas.width - 2 * edge), height: Math.max(1, canvas.height - 2 * edge),
    };
    const limits = {
      least: ZOOM.least,
      most: Math.round(ZOOM.most * ratio),
      steps: ZOOM.steps.map((step) => Math.round(step * ratio)),
    };
    const same = view && view.rows === picture.rows && view.cols === picture.cols;
    const keeps = view && this.zoomChosen && !(same && view.showsWholeBoard && view.isFitted);
    const wanted = this.wanted;
    this.wanted = null;
    if (keeps && same && !wanted) {
      this.#look(view.resized(port));
      return;
    }
    const { rows, cols } = picture;
    const chosen = wanted ? Math.round(wanted.cell * ratio) : keeps ? view.cell : 0;
    const placed = new View(rows, cols, chosen || this.#comfortableCell(picture, port, limits), port, port.x, port.y, limits);
    const middle = wanted?.middle ?? (same && !view.showsWholeBoard ? view.middle : null);
    const at = picture.start ?? picture.cursor;
    if (placed.showsWholeBoard) this.#look(placed);
    else if (middle) this.#look(placed.withMiddle(middle));
    else this.#look(at ? placed.centredOn(at) : placed);
  }

  /**
   * Return the largest cells that show the whole board, but none that are hard to hit.
   * @param {Picture} picture
   * @param {import("./view.js").Rect} port
   * @param {import("./view.js").ZoomLimits} limits
   */
  #comfortableCell({ rows, cols }, port, limits) {
    const { ratio, comfort } = this;
    const fitted = View.fitted(rows, cols, port, limits, Math.round(comfort.most * ratio));
    const fits = fitted.cell >= Math.round((comfort.whole ?? comfort.least) * ratio);
    return fits ? fitted.cell : Math.max(Math.round(comfort.least * ratio), fitted.cell);
  }

  /** @param {View | null} view */
  #look(view) {
    if (!view || view === this.view) return;
    this.view = view;
    this.redrawAll();
    this.onView();
  }

  /** Draw what differs from the glass. */
  draw() {
    const { view, picture } = this;
    if (!view || !picture || view.rows !== picture.rows || view.cols !== picture.cols) {
      this.pen.fillStyle = this.colours.window;
      this.pen.fillRect(0, 0, this.canvas.width, this.canvas.height);
      return;
    }
    const atlas = this.sprites.atlas(view.cell);
    if (this.stale) this.#drawSurroundings(view);
    if (!atlas) return;
    if (this.stale) this.glass.fill(-1);
    this.stale = false;
    this.pen.save();
    this.#clipToBoard(view);
    const [top, bottom, left, right] = view.visible();
    for (let row = top; row < bottom; row++) {
      for (let col = left; col < right; col++) this.#drawCell(view, picture, atlas, row, col);
    }
    if (picture.moving) this.#drawLanding(view, picture.moving, atlas);
    this.pen.restore();
  }

  /** @param {View} view */
  #drawSurroundings(view) {
    const { pen, canvas, colours } = this;
    const edge = Math.round(EDGE * this.ratio);
    pen.fillStyle = colours.window;
    pen.fillRect(0, 0, canvas.width, canvas.height);
    // Where the board goes on beyond the window there is no line.
    const { port } = view;
    const right = view.left + view.cols * view.cell;
    const bottom = view.top + view.rows * view.cell;
    const x0 = view.left >= port.x ? view.left - edge : port.x;
    const y0 = view.top >= port.y ? view.top - edge : port.y;
    const x1 = right <= port.x + port.width ? right + edge : port.x + port.width;
    const y1 = bottom <= port.y + port.height ? bottom + edge : port.y + port.height;
    pen.fillStyle = colours.edge;
    pen.fillRect(x0, y0, x1 - x0, y1 - y0);
  }

  /** @param {View} view */
  #clipToBoard(view) {
    const { port } = view;
    this.pen.beginPath();
    this.pen.rect(port.x, port.y, port.width, port.height);
    this.pen.clip();
  }

  /**
   * @param {View} view
   * @param {Picture} picture
   * @param {NonNullable<ReturnType<Sprites["atlas"]>>} atlas
   * @param {number} row
   * @param {number} col
   */
  #drawCell(view, picture, atlas, row, col) {
    const at = row * picture.cols + col;
    const { overlay, moving } = picture;
    const face = (moving?.faces ?? picture.faces)[at];
    const look = picture.looks?.[at] ?? PLAIN;
    const mark = overlay?.marks[at] ?? 0;
    const risk = overlay?.risk[at] ?? UNKNOWN;
    const unwritten = overlay?.unwritten?.[at] ?? 0;
    const signs = (isAt(picture.start, row, col) ? 1 : 0) + (isAt(picture.cursor, row, col) ? 2 : 0) + (picture.faded?.[at] ? 4 : 0);
    const veil = moving?.veil[at] ?? 0;
    const light = moving?.light[at] ?? 0;
    const tile = this.sprites.tile(atlas, face, look, mark, risk, unwritten);
    const advised = mark !== 0 || risk !== UNKNOWN;
    const here = advised && tile !== this.sprites.tile(atlas, face, look) ? 1 : 0;
    // One number that differs whenever the cell looks different, whole up to 2 ** 53.
    let code = face + 16 * (look + 4 * (signs + 8 * (mark + 16 * (risk + 256 * (unwritten + 2 * here)))));
    code = code * 65536 + veil * 256 + light;
    if (moving?.landing.has(at)) code = -2; // it is drawn anew in every frame
    else if (code === this.glass[at]) return;
    this.glass[at] = code;
    if (!tile) return;
    const { pen } = this;
    const x = view.left + col * view.cell;
    const y = view.top + row * view.cell;
    pen.drawImage(tile, x, y, view.cell, view.cell);
    if (signs & 1) pen.drawImage(atlas.over.start, x, y, view.cell, view.cell);
    if (signs & 2) pen.drawImage(atlas.over.cursor, x, y, view.cell, view.cell);
    for (const [opacity, colour] of /** @type {[number, string][]} */ ([[signs & 4 ? FADED : 0, this.colours.window], [veil, this.colours.covered], [light, this.colours.light]])) {
      if (!opacity) continue;
      pen.globalAlpha = opacity / 255;
      pen.fillStyle = colour;
      pen.fillRect(x, y, view.cell, view.cell);
      pen.globalAlpha = 1;
    }
  }

  /**
   * @param {View} view
   * @param {MotionFrame} moving
   * @param {NonNullable<ReturnType<Sprites["atlas"]>>} atlas
   */
  #drawLanding(view, moving, atlas) {
    for (const [at, height] of moving.landing) {
      const x = view.left + (at % view.cols) * view.cell;
      const y = view.top + Math.floor(at / view.cols) * view.cell;
      const side = view.cell * (1 + 0.2 * height);
      const inset = (view.cell - side) / 2;
      this.pen.save();
      this.pen.beginPath();
      this.pen.rect(x, y, view.cell, view.cell);
      this.pen.clip();
      this.pen.drawImage(atlas.over.flag, x + inset, y + inset - 0.14 * height * view.cell, side, side);
      this.pen.restore();
    }
  }
}

/** @param {Cell | null | undefined} cell @param {number} row @param {number} col */
const isAt = (cell, row, col) => !!cell && cell[0] === row && cell[1] === col;
