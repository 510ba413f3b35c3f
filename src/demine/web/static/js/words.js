/**
 * What the page says, in the player's language: `tr`, `ntr` and `mark` as in demine.scene.translation.
 *
 * The sentences are literals in double quotes on one line, which the catalogues are made from.
 */

/** @typedef {Record<string, string | number>} Fields */

const spoken = {
  language: "en",
  tag: "en",
  plural: "10",
  /** @type {Record<string, string | string[]>} */
  texts: {},
};

/** Speak the words of a language. @param {typeof spoken} words */
export function speak(words) {
  Object.assign(spoken, words);
  document.documentElement.lang = words.tag;
}

/** Return the code of the language spoken. */
export const language = () => spoken.language;
/** Return its tag, as browsers name it. */
export const languageTag = () => spoken.tag;

/**
 * Translate a sentence, and fill its fields; `row` and `col` count from 0 and are said from 1.
 * @param {string} text
 * @param {Fields} [fields]
 */
export function tr(text, fields) {
  const found = spoken.texts[text];
  return fillIn(typeof found === "string" ? found : text, fields);
}

/**
 * Translate a sentence about `n` things.
 * @param {string} one
 * @param {string} many
 * @param {number} n
 * @param {Fields} [fields]
 */
export function ntr(one, many, n, fields) {
  const known = spoken.texts[`${one}\n${many}`];
  const forms = Array.isArray(known) ? known : [one, many];
  const count = spoken.plural.length;
  const place = n < count ? n : count / 2 + (n % (count / 2));
  return fillIn(forms[Number(spoken.plural[place])] ?? forms[0], { n, ...fields });
}

/** Return what stands by itself with a capital letter. @param {string} text */
export const asSentence = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** Return a sentence unchanged; it is translated elsewhere. @param {string} text */
export const mark = (text) => text;

/** @param {string} text @param {Fields} [fields] */
function fillIn(text, fields) {
  if (!fields) return text;
  return text.replace(/\{(\w+)\}/g, (whole, name) => {
    const value = fields[name];
    if (value === undefined) return whole;
    return String(name === "row" || name === "col" ? Number(value) + 1 : value);
  });
}
