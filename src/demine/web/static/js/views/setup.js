// The dialog Setup: which board comes next. What fits is for the server's rules to say.

import { button, el, row, select } from "./elements.js";
import { busy, showDialog, statusLine } from "./dialog.js";
import { playShareCode } from "./share.js";
import { tr } from "../words.js";

/** @typedef {import("../app.js").App} App */
/**
 * @typedef {{rules: string, width: number, height: number, mines: number,
 *   options: Record<string, any>}} Choice
 * @typedef {Choice & {misfit: {field: string, text: string} | null, title: string,
 *   density: string, note: string}} Verdict
 */

const CHECK_DELAY_MS = 120;
const NUMBERS = /** @type {const} */ (["width", "height", "mines"]);

/** @param {App} app */
export async function open(app) {
  const form = await app.authority.request("GET", "/api/forms/setup");
  const status = statusLine();
  const fields = makeFields(form, () => checkSoon());
  const title = el("p", { class: "setup-title" });
  const note = el("p", { class: "note" });
  const list = el("div", { class: "boards", role: "group", "aria-label": tr("Boards") });
  const keep = button("", () => busy(keep, status, keepOrRemove), { hidden: true });
  const fit = button(tr("Make it fit"), () => verdict && set(verdict), { hidden: true });
  const seed = el("input", { inputMode: "numeric", autocomplete: "off", placeholder: tr("random") });
  const code = el("input", { autocomplete: "off", spellcheck: false });
  const play = button(tr("Start"), () => busy(play, status, begin), { class: "button accent" });
  /** @type {Verdict | null} */
  let verdict = null;
  let timer = 0;
  let asked = 0;

  const { close } = showDialog({
    title: tr("New game"),
    className: "setup",
    content: [
      list,
      el("div", { class: "numbers" }, NUMBERS.map((name) => row(labelOf(name), fields.numbers[name]))),
      ...fields.rows,
      note,
      el("div", { class: "verdict" }, title, status.line, keep, fit),
      more(row(tr("Seed"), seed, { note: tr("The same seed gives the same board. Games on chosen seeds do not count for best times.") }),
        row(tr("Share code"), code, { note: tr("Paste a code to play the board of somebody else.") })),
    ],
    buttons: [button(tr("Cancel"), () => close()), play],
  });
  fillList();
  set(form.chosen);

  function fillList() {
    list.replaceChildren(...form.boards.map((/** @type {Choice & {title: string}} */ board) =>
      button(board.title, () => set(board), { "data-rules": board.rules, "aria-pressed": "false" })));
  }

  /** Keep the board among the player's own, or take it off that list. */
  async function keepOrRemove() {
    const rules = verdict?.rules;
    const own = [...(app.preferences.presets ?? [])];
    const others = own.filter((each) => each !== rules);
    await app.applyPreferences({ presets: others.length < own.length ? others : [...own, rules] });
    form.boards = (await app.authority.request("GET", "/api/forms/setup")).boards;
    fillList();
    if (verdict) show(verdict);
  }

  /** @param {Choice} choice */
  function set(choice) {
    for (const name of NUMBERS) fields.numbers[name].value = String(choice[name]);
    for (const [name, field] of Object.entries(fields.options)) {
      if (field instanceof HTMLInputElement) field.checked = Boolean(choice.options[name]);
      else field.value = String(choice.options[name]);
    }
    check();
  }

  function checkSoon() {
    clearTimeout(timer);
    timer = setTimeout(check, CHECK_DELAY_MS);
  }

  async function check() {
    clearTimeout(timer);
    const number = (asked += 1);
    try {
      const found = await app.authority.request("POST", "/api/forms/setup/check", fields.read());
      if (number === asked) show(found);
    } catch (error) {
      status.fail(error);
    }
  }

  /** @param {Verdict} found */
  function show(found) {
    verdict = found;
    title.textContent = tr("{title} · {density} mines", { title: found.title, density: found.density });
    note.textContent = found.note;
    note.hidden = !found.note;
    const misfit = found.misfit;
    if (misfit) status.fail(misfit.text);
    else status.say("");
    fit.hidden = !misfit;
    play.disabled = Boolean(misfit);
    const isOwn = (app.preferences.presets ?? []).includes(found.rules);
    keep.hidden = Boolean(misfit) || (!isOwn && form.boards.some((/** @type {Choice} */ { rules }) => rules === found.rules));
    keep.textContent = isOwn ? tr("Remove from the list") : tr("Keep this board");
    for (const each of list.children) each.setAttribute("aria-pressed", String(!misfit && each.getAttribute("data-rules") === found.rules));
    for (const name of NUMBERS) fields.numbers[name].setAttribute("aria-invalid", String(misfit?.field === name));
  }

  async function begin() {
    if (code.value.trim()) {
      await playShareCode(app, code.value);
    } else {
      const typed = seed.value.trim();
      if (typed && !/^\d{1,18}$/.test(typed)) throw new Error(tr("A seed is a whole number."));
      await app.newGame({ rules: verdict?.rules, ...(typed ? { seed: Number(typed) } : {}) });
    }
    close();
  }
}

/** @param {"width" | "height" | "mines"} name */
function labelOf(name) {
  return { width: tr("Width"), height: tr("Height"), mines: tr("Mines") }[name];
}

/**
 * @param {any} form
 * @param {() => void} changed
 */
function makeFields(form, changed) {
  const numbers = Object.fromEntries(NUMBERS.map((name) => {
    const field = el("input", {
      inputMode: "numeric", autocomplete: "off", maxLength: 9, required: true, autofocus: name === NUMBERS[0],
    });
    field.addEventListener("input", changed);
    field.addEventListener("focus", () => field.select());
    return [name, field];
  }));
  /** @type {Record<string, HTMLInputElement | HTMLSelectElement>} */
  const options = {};
  const rows = form.options.map((/** @type {any} */ { name, label, choices }) => {
    if (choices) options[name] = select(choices, "", changed);
    else {
      options[name] = el("input", { type: "checkbox" });
      options[name].addEventListener("change", changed);
    }
    return row(label, options[name]);
  });
  return {
    numbers,
    options,
    rows,
    read: () => ({
      ...Object.fromEntries(NUMBERS.map((name) => [name, numbers[name].value])),
      options: Object.fromEntries(Object.entries(options).map(([name, field]) =>
        [name, field instanceof HTMLInputElement ? field.checked : field.value])),
    }),
  };
}

/** @param {...HTMLElement} rows */
function more(...rows) {
  return el("details", {}, el("summary", {}, tr("Seed or share code")), ...rows);
}
