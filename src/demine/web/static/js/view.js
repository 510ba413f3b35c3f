/**
 * Where the cells are in a viewport: zooming and panning. The port of `View` in
 * demine.scene.board_geometry, to whose vectors a test holds it; pixels are the screen's own.
 */

/** @typedef {import("./faces.js").Cell} Cell */
/** @typedef {{x: number, y: number, width: number, height: number}} Rect */
/** @typedef {{least: number, most: number, steps: number[]}} ZoomLimits */

/** A board seen through a viewport; immutable. */
export class View {
  /**
   * @param {number} rows
   * @param {number} cols
   * @param {number} cell size of a cell in pixels
   * @param {Rect} port
   * @param {number} left
   * @param {number} top
   * @param {ZoomLimits} limits
   */
  constructor(rows, cols, cell, port, left, top, limits) {
    this.rows = rows;
    this.cols = cols;
    this.cell = Math.min(Math.max(cell, limits.least), limits.most);
    this.port = port;
    this.limits = limits;
    this.left = clampedStart(left, cols * this.cell, port.x, port.width, this.cell);
    this.top = clampedStart(top, rows * this.cell, port.y, port.height, this.cell);
  }

  /**
   * Return a view with the largest cells, up to `most` pixels, that show the whole board.
   * @param {number} rows
   * @param {number} cols
   * @param {Rect} port
   * @param {ZoomLimits} limits
   * @param {number} [most]
   */
  static fitted(rows, cols, port, limits, most = limits.most) {
    const cell = Math.min(most, fittingCell(rows, cols, port, limits));
    return new View(rows, cols, cell, port, port.x, port.y, limits);
  }

  get showsWholeBoard() {
    const { port } = this;
    return this.left >= port.x && this.top >= port.y
      && this.left + this.cols * this.cell <= port.x + port.width
      && this.top + this.rows * this.cell <= port.y + port.height;
  }

  /** Whether the cells are as large as `fitted` would make them. */
  get isFitted() {
    return this.cell === fittingCell(this.rows, this.cols, this.port, this.limits);
  }

  /**
   * Return the cell under a pixel, or null outside the board or the viewport.
   * @param {number} x
   * @param {number} y
   * @returns {Cell | null}
   */
  cellAt(x, y) {
    const { port } = this;
    const inPort = x >= port.x && y >= port.y && x < port.x + port.width && y < port.y + port.height;
    const row = Math.floor((y - this.top) / this.cell);
    const col = Math.floor((x - this.left) / this.cell);
    const onBoard = row >= 0 && col >= 0 && row < this.rows && col < this.cols;
    return inPort && onBoard ? [row, col] : null;
  }

  /**
   * Return the rows and columns that are at least partly visible: first and behind the last.
   * @returns {[number, number, number, number]}
   */
  visible() {
    const { port, cell } = this;
    return [
      Math.max(0, Math.floor((port.y - this.top) / cell)),
      Math.min(this.rows, Math.ceil((port.y + port.height - this.top) / cell)),
      Math.max(0, Math.floor((port.x - this.left) / cell)),
      Math.min(this.cols, Math.ceil((port.x + port.width - this.left) / cell)),
    ];
  }

  /**
   * Return a view with cells of `cell` pixels, zoomed about a pixel, by default the middle.
   * @param {number} cell
   * @param {number} [x]
   * @param {number} [y]
   */
  zoomed(cell, x = this.port.x + Math.floor(this.port.width / 2), y = this.port.y + Math.floor(this.port.height / 2)) {
    const size = Math.min(Math.max(cell, this.limits.least), this.limits.most);
    // Rounding down keeps the pixel in its cell, as cellAt rounds down too.
    const left = x - Math.floor(((x - this.left) * size) / this.cell);
    const top = y - Math.floor(((y - this.top) * size) / this.cell);
    return this.#with(size, left, top);
  }

  /**
   * Return a view zoomed by a number of steps: in if positive, else out.
   * @param {number} count
   * @param {number} [x]
   * @param {number} [y]
   */
  zoomedBySteps(count, x, y) {
    const { steps, least, most } = this.limits;
    let { cell } = this;
    for (let step = 0; step < Math.min(Math.abs(count), steps.length); step++) {
      cell = count > 0
        ? steps.find((size) => size > cell) ?? most
        : steps.findLast((size) => size < cell) ?? least;
    }
    return this.zoomed(cell, x, y);
  }

  /**
   * Return a view of the board moved by pixels, as far as the limits allow.
   * @param {number} dx
   * @param {number} dy
   */
  panned(dx, dy) {
    return this.#with(this.cell, this.left + dx, this.top + dy);
  }

  /**
   * Return a view in another viewport, with the same cells and the same middle.
   * @param {Rect} port
   */
  resized(port) {
    const old = this.port;
    const dx = port.x + Math.floor(port.width / 2) - old.x - Math.floor(old.width / 2);
    const dy = port.y + Math.floor(port.height / 2) - old.y - Math.floor(old.height / 2);
    return new View(this.rows, this.cols, this.cell, port, this.left + dx, this.top + dy, this.limits);
  }

  /**
   * Return a view with a cell in the middle, but nothing beyond the edges of the board.
   * @param {Cell} cell
   */
  centredOn([row, col]) {
    const { port, cell } = this;
    const half = Math.floor(cell / 2);
    const x = this.left + col * cell + half;
    const y = this.top + row * cell + half;
    const left = this.left + port.x + Math.floor(port.width / 2) - x;
    const top = this.top + port.y + Math.floor(port.height / 2) - y;
    return this.#with(
      cell,
      Math.min(Math.max(left, port.x + port.width - this.cols * cell), port.x),
      Math.min(Math.max(top, port.y + port.height - this.rows * cell), port.y),
    );
  }

  /** The middle of the viewport, in rows and columns from the board's corner. @returns {[number, number]} */
  get middle() {
    const { port, cell } = this;
    return [
      (port.y + Math.floor(port.height / 2) - this.top) / cell,
      (port.x + Math.floor(port.width / 2) - this.left) / cell,
    ];
  }

  /** Return a view with such a place in the middle, as far as the limits allow. @param {[number, number]} middle */
  withMiddle([row, col]) {
    const { port, cell } = this;
    return this.#with(
      cell,
      port.x + Math.floor(port.width / 2) - Math.round(col * cell),
      port.y + Math.floor(port.height / 2) - Math.round(row * cell),
    );
  }

  /**
   * Return where an overview in a box has the whole board, and the part that is visible.
   * @param {Rect} box
   * @returns {[Rect, Rect]}
   */
  overviewRects(box) {
    const { port } = this;
    const [boardWidth, boardHeight] = [this.cols * this.cell, this.rows * this.cell];
    const fillsWidth = box.width * boardHeight < box.height * boardWidth;
    const width = fillsWidth ? box.width : Math.max(1, Math.floor((box.height * boardWidth) / boardHeight));
    const height = fillsWidth ? Math.max(1, Math.floor((box.width * boardHeight) / boardWidth)) : box.height;
    const x = box.x + Math.floor((box.width - width) / 2);
    const y = box.y + Math.floor((box.height - height) / 2);
    const across = seenPart(this.left, boardWidth, port.x, port.width, width);
    const down = seenPart(this.top, boardHeight, port.y, port.height, height);
    return [
      { x, y, width, height },
      { x: x + across.start, y: y + down.start, width: across.size, height: down.size },
    ];
  }

  /**
   * Return a view scrolled as little as shows a cell and, if they fit, its neighbours.
   * @param {Cell} cell
   */
  scrolledTo([row, col]) {
    const { port, cell } = this;
    const dx = shiftIntoView(this.left + col * cell, cell, port.x, port.width);
    const dy = shiftIntoView(this.top + row * cell, cell, port.y, port.height);
    return dx || dy ? this.panned(dx, dy) : this;
  }

  /**
   * @param {number} cell
   * @param {number} left
   * @param {number} top
   */
  #with(cell, left, top) {
    return new View(this.rows, this.cols, cell, this.port, left, top, this.limits);
  }
}

/**
 * @param {number} rows
 * @param {number} cols
 * @param {Rect} port
 * @param {ZoomLimits} limits
 */
function fittingCell(rows, cols, port, limits) {
  const cell = Math.min(Math.floor(port.height / rows), Math.floor(port.width / cols));
  return Math.min(Math.max(cell, limits.least), limits.most);
}

/**
 * Return which part of an overview is visible on one axis, in its pixels.
 * @param {number} start of the board
 * @param {number} size of the board
 * @param {number} port
 * @param {number} room
 * @param {number} small size of the overview
 */
function seenPart(start, size, port, room, small) {
  const first = Math.max(start, port);
  const seen = Math.max(1, Math.floor(((Math.min(start + size, port + room) - first) * small) / size));
  return { start: Math.min(Math.floor(((first - start) * small) / size), small - seen), size: seen };
}

/**
 * Return where a board may start on one axis: the allowed pixel nearest to `start`.
 * @param {number} start
 * @param {number} size
 * @param {number} port
 * @param {number} room
 * @param {number} cell
 */
function clampedStart(start, size, port, room, cell) {
  if (size <= room) return port + Math.floor((room - size) / 2);
  const beyond = Math.min(2 * cell, Math.floor(room / 3));
  return Math.min(Math.max(start, port + room - size - beyond), port + beyond);
}

/**
 * Return how far to move on one axis to show a cell and, if they fit, its neighbours.
 * @param {number} start
 * @param {number} cell
 * @param {number} port
 * @param {number} room
 */
function shiftIntoView(start, cell, port, room) {
  const margin = 3 * cell <= room ? cell : 0;
  const low = port + margin;
  const high = port + room - cell - margin;
  if (start < low) return low - start;
  return Math.min(0, Math.max(high, low) - start);
}
