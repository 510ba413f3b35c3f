/**
 * Signs of what takes time: that it is under way, and what went wrong, with a button that tries again.
 */
import { RequestError } from "./authority.js";
import { asSentence, ntr, tr } from "./words.js";

/** What is done sooner needs no sign. */
const UNNOTICED_MS = 150;

/**
 * Return what some work comes to; while it takes noticeably long, a place shows that it is under way.
 * @template T
 * @param {() => Promise<T>} work
 * @param {HTMLElement} [place] by default over everything
 */
export async function withSign(work, place = document.body) {
  const sign = made("div", "waiting", tr("Loading…"));
  sign.setAttribute("role", "status");
  sign.prepend(made("span", "spinner"));
  const timer = window.setTimeout(() => place.append(sign), UNNOTICED_MS);
  try {
    return await work();
  } finally {
    window.clearTimeout(timer);
    sign.remove();
  }
}

/**
 * Do the same, and say there what went wrong; whoever reads that can try again.
 * @param {() => Promise<unknown>} work
 * @param {HTMLElement} [place] by default over everything
 */
export async function attempt(work, place = document.body) {
  try {
    await withSign(work, place);
  } catch (error) {
    tell(error, place, () => attempt(work, place));
  }
}

/** @param {unknown} error @param {HTMLElement} place @param {() => void} again */
function tell(error, place, again) {
  const covers = place === document.body;
  const box = document.createElement(covers ? "dialog" : "div");
  box.className = "failure";
  box.setAttribute("role", covers ? "alertdialog" : "alert");
  box.setAttribute("aria-label", reason(error));
  const retry = made("button", "button accent", tr("Try again"));
  retry.addEventListener("click", () => {
    box.remove();
    again();
  });
  box.append(made(place.id === "page" ? "h1" : "p", "", reason(error)));
  if (mayHelpAgain(error)) box.append(retry);
  if (place.id === "page") box.append(wayToGame());
  if (covers) box.append(closing(/** @type {HTMLDialogElement} */ (box)));
  place.append(box);
  if (covers) /** @type {HTMLDialogElement} */ (box).showModal();
}

/** Return why something failed, and when it is tried again. @param {number} seconds @param {string} why */
export const nextTry = (seconds, why) => ntr("{why}; the next try is in {n} s", "{why}; the next try is in {n} s", seconds, { why });

/** Whether another try may end otherwise: what the server refused, it refuses again. @param {unknown} error */
function mayHelpAgain(error) {
  const status = error instanceof RequestError ? error.status : 0;
  return status < 400 || status >= 500 || status === 429;
}

function wayToGame() {
  const link = /** @type {HTMLAnchorElement} */ (made("a", "button", tr("To the game")));
  link.href = "/";
  return link;
}

/** @param {HTMLDialogElement} box */
function closing(box) {
  const close = made("button", "button", tr("Close"));
  close.addEventListener("click", () => box.close());
  box.addEventListener("close", () => box.remove());
  box.addEventListener("keydown", (event) => event.stopPropagation()); // the keys of the game are not its
  return close;
}

/** @param {unknown} error */
function reason(error) {
  if (error instanceof RequestError) return asSentence(error.message);
  console.error(error);
  return tr("This part of the page could not be loaded");
}

/** @param {string} tag @param {string} name @param {string} [text] */
function made(tag, name, text = "") {
  const element = document.createElement(tag);
  element.className = name;
  element.append(text);
  return element;
}
