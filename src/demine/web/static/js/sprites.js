/**
 * The pictures of cells and of the header, drawn from the vector paths of demine.picture.
 *
 * The paths are asked for at exactly the size of the screen's pixels, so that stems and bars lie on
 * them; until those of a size are here, the nearest others are stretched.
 */
import { CROWDED, DIM, PLAIN, PRESSED, UNKNOWN, isNumber, isOpenable } from "./faces.js";
import { fileUrl } from "./page_version.js";

/** @typedef {[string, string, number?, number?, string?][]} Parts path, colour, pen, opacity, end */
/** @typedef {[string, ...Parts]} Grounded the colour of the ground, and what is on it */
/** @typedef {{tiles: Record<string, Grounded>, over?: Record<string, Parts>, small?: string[]}} TilePaths */

const MOST_KEPT = 6;
const ASKED_AT_ONCE = 200;

/** The cells of one theme and size. */
class Atlas {
  /** @param {number} cell @param {string} url */
  constructor(cell, url) {
    this.cell = cell;
    this.url = url;
    /** @type {Map<string, HTMLCanvasElement>} */
    this.tiles = new Map();
    /** @type {Record<string, HTMLCanvasElement>} */
    this.over = {};
    /** The colour of each face in an overview, where a cell is a pixel. @type {string[]} */
    this.small = [];
    this.ready = false;
    /** Codes with marks or risks that are asked for, or will be. @type {Set<string>} */
    this.asked = new Set();
    /** @type {string[]} */
    this.waiting = [];
  }

  /** @param {TilePaths} paths */
  add(paths) {
    for (const [code, [ground, ...parts]] of Object.entries(paths.tiles)) {
      this.tiles.set(code, drawn(this.cell, this.cell, parts, ground));
    }
    for (const [name, parts] of Object.entries(paths.over ?? {})) {
      this.over[name] = drawn(this.cell, this.cell, parts);
    }
    if (paths.small) this.small = paths.small;
  }
}

/** The cells of the chosen theme in the sizes that are needed. */
export class Sprites {
  /** @param {(path: string) => Promise<any>} load asks the server for JSON @param {string} theme @param {string} [palette] */
  constructor(load, theme, palette = "") {
    this.load = load;
    /** Called when something that was missing is here. @type {Set<() => void>} */
    this.onReady = new Set();
    this.theme = theme;
    this.palette = palette;
    /** @type {Map<number, Atlas>} */
    this.atlases = new Map();
  }

  /** Draw with another theme and palette from now on. @param {string} theme @param {string} [palette] */
  use(theme, palette = "") {
    if (theme === this.theme && palette === this.palette) return;
    this.theme = theme;
    this.palette = palette;
    this.atlases.clear();
  }

  /**
   * Return the cells of a size, or the nearest that are here; null if there are none yet.
   * @param {number} cell
   * @returns {Atlas | null}
   */
  atlas(cell) {
    const wanted = this.atlases.get(cell) ?? this.#load(cell);
    if (wanted.ready) return wanted;
    const ready = [...this.atlases.values()].filter((each) => each.ready);
    ready.sort((a, b) => Math.abs(a.cell - cell) - Math.abs(b.cell - cell));
    return ready[0] ?? null;
  }

  /**
   * Return the picture of a cell. One with a mark or a risk that is not here is asked for, and the
   * cell without it returned.
   * @param {Atlas} atlas
   * @param {number} face
   * @param {number} look
   * @param {number} [mark]
   * @param {number} [risk]
   * @param {number} [unwritten]
   */
  tile(atlas, face, look, mark = 0, risk = UNKNOWN, unwritten = 0) {
    const fitting = applicableLook(face, look);
    const plain = atlas.tiles.get(`${face}.${fitting}`);
    if (!mark && (risk === UNKNOWN || face < 9 || face > 11)) return plain;
    const code = `${face}.${fitting}.${mark}.${risk}.${unwritten}`;
    const found = atlas.tiles.get(code);
    if (!found) this.#ask(atlas, code);
    return found ?? plain;
  }

  /** @param {number} cell */
  #load(cell) {
    const url = `${fileUrl(`sprites/${this.theme}/${cell}.json`)}?palette=${this.palette}`;
    const atlas = new Atlas(cell, url);
    this.atlases.set(cell, atlas);
    this.#forgetOldest();
    void this.load(url).then((paths) => {
      atlas.add(paths);
      atlas.ready = true;
      this.#tell(atlas);
    }, () => this.atlases.delete(cell));
    return atlas;
  }

  #forgetOldest() {
    for (const cell of this.atlases.keys()) {
      if (this.atlases.size <= MOST_KEPT) return;
      this.atlases.delete(cell);
    }
  }

  /** @param {Atlas} atlas @param {string} code */
  #ask(atlas, code) {
    if (atlas.asked.has(code)) return;
    atlas.asked.add(code);
    if (!atlas.waiting.push(code) || atlas.waiting.length > 1) return;
    // All that one frame needs is asked for together.
    queueMicrotask(() => {
      for (let at = 0; at < atlas.waiting.length; at += ASKED_AT_ONCE) {
        const codes = atlas.waiting.slice(at, at + ASKED_AT_ONCE);
        void this.load(`${atlas.url}&codes=${codes.join(",")}`).then((paths) => {
          atlas.add(paths);
          this.#tell(atlas);
        }, () => codes.forEach((each) => atlas.asked.delete(each)));
      }
      atlas.waiting = [];
    });
  }

  /** @param {Atlas} atlas */
  #tell(atlas) {
    if (this.atlases.get(atlas.cell) === atlas) this.onReady.forEach((told) => told());
  }
}

/** Return the look, or the plain one if it does not apply to the face. @param {number} face @param {number} look */
function applicableLook(face, look) {
  if (look === DIM || look === CROWDED) return isNumber(face) ? look : PLAIN;
  return look === PRESSED && isOpenable(face) ? PRESSED : PLAIN;
}

/**
 * Return a picture of paths, on a ground or on nothing.
 * @param {number} width
 * @param {number} height
 * @param {Parts} parts
 * @param {string} [ground]
 */
export function drawn(width, height, parts, ground) {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  if (ground) {
    pen.fillStyle = ground;
    pen.fillRect(0, 0, width, height);
  }
  for (const part of parts) drawPart(pen, part);
  return canvas;
}

/** @param {CanvasRenderingContext2D} pen @param {Parts[number]} part */
function drawPart(pen, [path, colour, width = 0, alpha = 1, end = "round"]) {
  const outline = new Path2D(path);
  pen.globalAlpha = alpha;
  if (width) {
    pen.lineWidth = width;
    pen.lineCap = end === "butt" ? "butt" : "round";
    pen.lineJoin = "round";
    pen.strokeStyle = colour;
    pen.stroke(outline);
  } else {
    pen.fillStyle = colour;
    pen.fill(outline);
  }
}
