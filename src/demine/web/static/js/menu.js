/**
 * Menus that open below a button: of levels, and of all that has no button of its own.
 */

/** @typedef {{text: string, command?: string, key?: string, checked?: boolean}} Entry without a command, a line between others */

/** Whether any menu is open. */
export const menuIsOpen = () => !!document.querySelector(".menu");

/**
 * Open a menu at a button, and close it with what is chosen, Escape, or a press elsewhere.
 * @param {HTMLElement} button
 * @param {Entry[]} entries
 * @param {(command: string) => void} run
 */
export function openMenu(button, entries, run) {
  const open = document.querySelector(".menu");
  open?.dispatchEvent(new Event("close"));
  if (open && button.getAttribute("aria-expanded") === "true") return;
  const menu = document.createElement("div");
  menu.className = "menu";
  menu.setAttribute("role", "menu");
  menu.setAttribute("aria-label", button.getAttribute("aria-label") ?? "");
  menu.append(...entries.map((entry) => made(entry)));
  document.body.append(menu);
  place(menu, button);
  button.setAttribute("aria-expanded", "true");
  const gone = new AbortController();
  const close = () => {
    gone.abort();
    menu.remove();
    button.setAttribute("aria-expanded", "false");
  };
  menu.addEventListener("close", close);
  /** @param {Event} event */
  const elsewhere = (event) => {
    const inside = event.target instanceof Node && (menu.contains(event.target) || button.contains(event.target));
    if (!inside) close();
  };
  document.addEventListener("pointerdown", elsewhere, { capture: true, signal: gone.signal });
  window.addEventListener("resize", close, { signal: gone.signal });
  menu.addEventListener("click", (event) => {
    const chosen = event.target instanceof Element && event.target.closest("[data-command]");
    if (!chosen) return;
    close();
    button.focus();
    run(/** @type {HTMLElement} */ (chosen).dataset.command ?? "");
  });
  menu.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key === "Escape" || event.key === "Tab") {
      close();
      button.focus();
      event.preventDefault();
    } else if (step(menu, event.key)) event.preventDefault();
  });
  items(menu)[0]?.focus({ preventScroll: true });
}

/** @param {Entry} entry */
function made({ text, command, key, checked }) {
  if (!command) {
    const line = document.createElement("hr");
    line.setAttribute("role", "separator");
    return line;
  }
  const item = document.createElement("button");
  item.setAttribute("role", checked === undefined ? "menuitem" : "menuitemradio");
  if (checked !== undefined) item.setAttribute("aria-checked", String(checked));
  item.dataset.command = command;
  item.tabIndex = -1;
  item.append(text);
  if (key) {
    const label = document.createElement("kbd");
    label.textContent = key;
    item.append(label);
  }
  return item;
}

/** @param {HTMLElement} menu */
const items = (menu) => /** @type {HTMLElement[]} */ ([...menu.querySelectorAll("[data-command]")]);

/** Move the focus by a key; return whether it did. @param {HTMLElement} menu @param {string} key */
function step(menu, key) {
  const all = items(menu);
  const here = all.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  /** @type {Record<string, number>} */
  const places = { ArrowDown: (here + 1) % all.length, ArrowUp: (here - 1 + all.length) % all.length, Home: 0, End: all.length - 1 };
  if (!(key in places)) return false;
  all[places[key]].focus();
  return true;
}

/** @param {HTMLElement} menu @param {HTMLElement} button */
function place(menu, button) {
  const at = button.getBoundingClientRect();
  const { width, height } = menu.getBoundingClientRect();
  const below = at.bottom + 4 + height <= window.innerHeight;
  menu.style.left = `${Math.max(8, Math.min(at.left, window.innerWidth - width - 8))}px`;
  menu.style.top = `${Math.max(8, below ? at.bottom + 4 : Math.min(at.top - height - 4, window.innerHeight - height - 8))}px`;
}
