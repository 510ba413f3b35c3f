/**
 * What the pages share that stand in other pages and over videos: they know no player, keep nothing,
 * and look as their address says (`?theme=dark&language=zh_CN`).
 */
import { answerTo } from "../authority.js";
import { themeName } from "../page_parts.js";
import { fileUrl } from "../page_version.js";
import { Sprites } from "../sprites.js";
import { speak } from "../words.js";

/** What may be a language, since it stands in a header. */
const LANGUAGE = /^[\w-]{1,40}$/;
/** Where the system says in which colours it wants pages. */
const WISHES = ["(prefers-color-scheme: dark)", "(prefers-contrast: more)", "(forced-colors: active)"];

/** What the address of this page asks for. */
export const wishes = new URLSearchParams(location.search);

/** Ask the server as nobody, in the language of the address. @param {string} path */
export const load = (path) => answerTo(path, { credentials: "omit", headers: { "Accept-Language": wantedLanguage() } });

/** Return the pictures of cells once the words are spoken and the theme is shown. */
export async function learnPage() {
  const words = fileUrl(`words/${encodeURIComponent(wantedLanguage())}.json`);
  const [facts, spoken] = await Promise.all([load(fileUrl("facts.json")), load(words)]);
  speak(spoken);
  showTheme(facts.themes.map((/** @type {{name: string}} */ { name }) => name));
  return new Sprites(load, themeName());
}

/**
 * Have the colours follow the system where the address names no theme.
 * @param {Sprites} sprites
 * @param {import("../board_canvas.js").BoardCanvas} board
 */
export function followSystem(sprites, board) {
  for (const wish of WISHES) {
    matchMedia(wish).addEventListener("change", () => {
      sprites.use(themeName());
      board.applyTheme();
    });
  }
}

function wantedLanguage() {
  const wanted = wishes.get("language") ?? "";
  return LANGUAGE.test(wanted) ? wanted : navigator.language;
}

/** @param {string[]} known */
function showTheme(known) {
  const wanted = wishes.get("theme") ?? "";
  if (known.includes(wanted)) document.documentElement.dataset.theme = wanted;
}
