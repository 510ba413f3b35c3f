// The icons of the views: one family, lines of 2 with round ends on a grid of 24, in the text's colour.

/** @typedef {keyof typeof SHAPES} IconName */

const SHAPES = {
  play: "M8 5l11 7-11 7z",
  pause: "M9 5v14M15 5v14",
  first: "M6 5v14M19 5l-9 7 9 7z",
  back: "M12 5l-9 7 9 7zM21 5l-9 7 9 7z",
  next: "M12 5l9 7-9 7zM3 5l9 7-9 7z",
  last: "M18 5v14M5 5l9 7-9 7z",
  clock: "M12 3a9 9 0 1 0 .01 0zM12 7v5l3 2",
  mine: "M12 6a6 6 0 1 0 .01 0zM12 2v4M12 18v4M2 12h4M18 12h4M5 5l2.8 2.8M16.2 16.2L19 19M19 5l-2.8 2.8M7.8 16.2L5 19",
};
const FILLED = new Set(["mine", "play", "first", "back", "next", "last"]);

/** @param {IconName} name */
export function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", FILLED.has(name) ? "icon filled" : "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", SHAPES[name]);
  svg.append(path);
  return svg;
}
