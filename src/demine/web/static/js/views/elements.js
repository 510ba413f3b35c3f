// Elements of the page, made in one expression; text is only ever text.

/** @typedef {Node | string | number | null | undefined | false} Child */

/**
 * Return a new element. Properties that begin with `on` are listeners, those of the element are set
 * on it, all others are attributes; null and undefined are left out.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, any>} [properties]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class") element.className = value;
    else if (name in element && name !== "list" && name !== "form") {
      /** @type {any} */ (element)[name] = value;
    } else element.setAttribute(name, String(value));
  }
  append(element, ...children);
  return element;
}

/**
 * Append children; what is null, undefined or false is left out.
 * @param {ParentNode} parent
 * @param {...(Child | Child[])} children
 */
export function append(parent, ...children) {
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false) continue;
    parent.append(child instanceof Node ? child : String(child));
  }
}

let lastId = 0;

/**
 * Return an id that no other element has.
 * @param {string} stem
 */
export function newId(stem) {
  lastId += 1;
  return `${stem}-${lastId}`;
}

/**
 * Return a button.
 * @param {string} text
 * @param {(event: Event) => unknown} onclick
 * @param {Record<string, any>} [properties]
 */
export function button(text, onclick, properties = {}) {
  return el("button", { type: "button", class: "button", onclick, ...properties }, text);
}

/**
 * Return a labelled field in a row, with a note below it.
 * @param {string} text
 * @param {HTMLElement} field
 * @param {{note?: string, unit?: string}} [more]
 */
export function row(text, field, more = {}) {
  field.id = field.id || newId("field");
  const note = more.note ? el("p", { class: "note", id: newId("note") }, more.note) : null;
  if (note) field.setAttribute("aria-describedby", note.id);
  const label = el("label", { htmlFor: field.id }, text);
  if (field instanceof HTMLInputElement && field.type === "checkbox") {
    return el("div", { class: "row switch" }, el("div", {}, field, label), note);
  }
  const unit = more.unit ? el("span", { class: "unit" }, more.unit) : null;
  return el("div", { class: "row" }, label, el("div", { class: "value" }, field, unit), note);
}

/**
 * Return a list to choose from.
 * @param {[string, string][]} choices values and what they are called
 * @param {string} chosen
 * @param {(value: string) => unknown} onchange
 */
export function select(choices, chosen, onchange) {
  const list = el("select", {}, choices.map(([value, text]) => el("option", { value }, text)));
  list.value = chosen;
  list.addEventListener("change", () => onchange(list.value));
  return list;
}

/**
 * Return tabs with their panels, of which one is shown; a panel is made when it is first shown.
 * @param {string} label
 * @param {{title: string, make: () => Node | Promise<Node>}[]} pages
 * @param {number} [first]
 */
export function tabs(label, pages, first = 0) {
  const list = el("div", { class: "tabs", role: "tablist", "aria-label": label });
  const box = el("div", { class: "tab-pages" }, list);
  const parts = pages.map(({ title, make }, place) => {
    const panel = el("div", { role: "tabpanel", id: newId("panel"), hidden: true, tabIndex: 0 });
    const tab = el("button", {
      type: "button", role: "tab", class: "tab", id: newId("tab"), "aria-controls": panel.id,
      onclick: () => show(place),
    }, title);
    panel.setAttribute("aria-labelledby", tab.id);
    list.append(tab);
    box.append(panel);
    return { tab, panel, make, made: false };
  });
  /** @param {number} place */
  const show = async (place) => {
    parts.forEach(({ tab, panel }, other) => {
      tab.setAttribute("aria-selected", String(other === place));
      tab.tabIndex = other === place ? 0 : -1;
      panel.hidden = other !== place;
    });
    const part = parts[place];
    if (!part.made) {
      part.made = true;
      part.panel.append(await part.make());
    }
  };
  list.addEventListener("keydown", (event) => {
    const now = parts.findIndex(({ tab }) => tab === document.activeElement);
    const steps = { ArrowRight: now + 1, ArrowLeft: now - 1, Home: 0, End: parts.length - 1 };
    if (now < 0 || !(event.key in steps)) return;
    const next = steps[/** @type {keyof typeof steps} */ (event.key)];
    const place = (next + parts.length) % parts.length;
    show(place);
    parts[place].tab.focus();
    event.preventDefault();
  });
  show(first);
  return box;
}
