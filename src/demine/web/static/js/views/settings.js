// The dialog Settings: every preference that is declared, and the keys, applied at once.

import { button, el, row, select, tabs } from "./elements.js";
import { showDialog, statusLine } from "./dialog.js";
import { tr } from "../words.js";

/** @typedef {import("../app.js").App} App */
/**
 * @typedef {{name: string, label: string, note: string, value: any, choices?: [string, string][],
 *   limits?: [number, number], step?: number, unit?: string}} Field
 * @typedef {{title: string, groups: {title: string, fields: Field[]}[]}} Page
 * @typedef {{command: string, label: string, keys: [string, string][]}} Binding
 */

/**
 * @param {App} app
 * @param {{page?: number}} options
 */
export async function open(app, options) {
  const form = await app.authority.request("GET", "/api/forms/settings");
  const status = statusLine();
  const { dialog, close } = showDialog({
    title: tr("Settings"),
    className: "tall",
    content: [
      tabs(tr("Settings"), pagesOf(app, form, status, (page) => reopen(page)), options.page),
      status.line,
    ],
    buttons: [button(tr("Close"), () => close())],
  });
  dialog.querySelector(".tab")?.classList.add("first");

  /** @param {number} page */
  function reopen(page) {
    close();
    open(app, { page });
  }
}

/**
 * @param {App} app
 * @param {{pages: Page[], keys: Binding[]}} form
 * @param {{say: (text: unknown) => void, fail: (error: unknown) => void}} status
 * @param {(page: number) => void} reopen
 */
function pagesOf(app, form, status, reopen) {
  return form.pages.map((page, place) => ({
    title: page.title,
    make: () => {
      const groups = page.groups.map((group) => {
        const rows = group.fields.map((field) => fieldRow(field, (name, value) => change(name, value)));
        const repeats = group.title === page.title || group.fields.some(({ label }) => label === group.title);
        return el("fieldset", {}, el("legend", { class: repeats ? "off-screen" : "" }, group.title), rows);
      });
      const withKeys = page.groups.some((group) => group.fields.some(({ name }) => name === "keys"));
      return el("div", {}, groups, withKeys && keyEditor(app, form.keys, status, () => reopen(place)));
    },
  }));

  /** @param {string} name @param {unknown} value */
  async function change(name, value) {
    try {
      await app.applyPreferences({ [name]: value });
      status.say("");
      // Every word of the dialog is another one now, or every key.
      const place = form.pages.findIndex((page) =>
        page.groups.some((group) => group.fields.some((field) => field.name === name)));
      if (name === "language" || name === "keys") reopen(place);
    } catch (error) {
      status.fail(error);
    }
  }
}

/**
 * @param {Field} field
 * @param {(name: string, value: unknown) => unknown} change
 */
function fieldRow(field, change) {
  const { name, label, note, unit } = field;
  if (field.choices) {
    return row(label, select(field.choices, field.value, (value) => change(name, value)), { note });
  }
  if (field.limits) {
    const [min, max] = field.limits;
    const number = el("input", { type: "number", min, max, step: field.step, value: field.value });
    number.addEventListener("change", () => {
      number.value = String(Math.min(max, Math.max(min, Math.round(Number(number.value) || min))));
      change(name, Number(number.value));
    });
    return row(label, number, { note, unit });
  }
  const box = el("input", { type: "checkbox", checked: field.value });
  box.addEventListener("change", () => change(name, box.checked));
  return row(label, box, { note });
}

/**
 * Return the table of keys: press a command's button, then the key that it is to have.
 * @param {App} app
 * @param {Binding[]} bindings
 * @param {{say: (text: unknown) => void, fail: (error: unknown) => void}} status
 * @param {() => void} reopen
 */
function keyEditor(app, bindings, status, reopen) {
  const rows = bindings.map((binding) => {
    const shown = el("span", { class: "keys" }, keyList(binding.keys));
    const change = button(tr("Change"), () => listen(binding, change), {
      class: "button slim", "aria-label": tr("Change the key: {command}", { command: binding.label }),
    });
    return el("tr", {}, el("th", { scope: "row" }, binding.label), el("td", {}, shown), el("td", {}, change));
  });
  const reset = button(tr("Default keys"), () => save(""));
  return el("fieldset", {}, el("legend", {}, tr("Keys")),
    el("div", { class: "scroll" }, el("table", { class: "keys-table" }, el("tbody", {}, rows))), reset);

  /** @param {Binding} binding @param {HTMLButtonElement} pressed */
  function listen(binding, pressed) {
    pressed.textContent = tr("Press a key…");
    /** @param {KeyboardEvent} event */
    const hear = (event) => {
      event.preventDefault();
      event.stopPropagation();
      if (["Control", "Alt", "Shift", "Meta"].includes(event.key)) return;
      pressed.removeEventListener("keydown", hear, true);
      pressed.textContent = tr("Change");
      if (event.key !== "Escape") save(`${app.preferences.keymap ?? ""}\n${binding.command}: ${keyName(event)}`);
    };
    pressed.addEventListener("keydown", hear, true);
    pressed.addEventListener("blur", () => {
      pressed.removeEventListener("keydown", hear, true);
      pressed.textContent = tr("Change");
    }, { once: true });
  }

  /** @param {string} keymap */
  async function save(keymap) {
    try {
      await app.applyPreferences({ keymap: keymap.trim() });
      reopen();
    } catch (error) {
      status.fail(error);
    }
  }
}

/** @param {[string, string][]} keys */
export function keyList(keys) {
  return keys.map(([, label]) => el("kbd", {}, label));
}

/**
 * Return a key as the table of keys names it: "ctrl+z", "shift+f2", "?".
 * @param {KeyboardEvent} event
 */
export function keyName(event) {
  /** @type {Record<string, string>} */
  const names = {
    " ": "space", ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right",
    PageUp: "pageup", PageDown: "pagedown",
  };
  const key = names[event.key] ?? event.key.toLowerCase();
  const symbol = key.length === 1 && !/[\p{L}\p{N}]/u.test(key);
  const held = [
    event.ctrlKey && "ctrl", event.altKey && "alt", event.shiftKey && !symbol && "shift", event.metaKey && "meta",
  ];
  return [...held.filter(Boolean), key].join("+");
}
