// Dialogs: the browser's own, which keep the focus and close with Escape.

import { button, el, newId } from "./elements.js";
import { tr } from "../words.js";

/**
 * Show a dialog; it is gone once it is closed.
 * @param {{title: string, content: (Node | null)[], buttons?: HTMLElement[], className?: string,
 *   onclose?: () => unknown}} options
 */
export function showDialog({ title, content, buttons = [], className = "", onclose }) {
  const heading = el("h2", { id: newId("title") }, title);
  const dialog = el("dialog", { class: `dialog ${className}`, "aria-labelledby": heading.id });
  const close = () => dialog.close();
  const cross = button("×", close, { class: "button icon-button cross", "aria-label": tr("Close") });
  dialog.append(
    el("header", {}, heading, cross),
    el("div", { class: "dialog-body" }, ...content),
  );
  if (buttons.length) dialog.append(el("footer", {}, ...buttons));
  dialog.addEventListener("close", () => {
    dialog.remove();
    onclose?.();
  });
  // The keys of the game are not those of a dialog; one that was closed has the focus for a moment yet.
  dialog.addEventListener("keydown", (event) => {
    if (dialog.open) event.stopPropagation();
  });
  closeOnBackdrop(dialog);
  document.body.append(dialog);
  dialog.showModal();
  focusFirst(dialog);
  return { dialog, close };
}

/**
 * Put the focus where the hand goes first; on a touch screen that would bring up a keyboard.
 * @param {HTMLDialogElement} dialog
 */
function focusFirst(dialog) {
  const first = dialog.querySelector("[autofocus]") ?? dialog.querySelector(".dialog-body :is([aria-selected='true'], input:not([hidden], [readonly]), select, button)");
  if (first instanceof HTMLElement && !matchMedia("(pointer: coarse)").matches) first.focus();
  else {
    dialog.tabIndex = -1;
    dialog.focus();
  }
}

/**
 * Close a dialog by a press outside of it; one that began inside, as when text is selected, stays.
 * @param {HTMLDialogElement} dialog
 */
function closeOnBackdrop(dialog) {
  let outside = false;
  dialog.addEventListener("pointerdown", (event) => (outside = event.target === dialog));
  dialog.addEventListener("click", (event) => {
    if (outside && event.target === dialog) dialog.close();
  });
}

/**
 * Ask before something that cannot be taken back; resolves to whether it was confirmed.
 * @param {{title: string, text: string, confirm: string}} question
 * @returns {Promise<boolean>}
 */
export function ask({ title, text, confirm }) {
  return new Promise((resolve) => {
    let said = false;
    const { close } = showDialog({
      title,
      content: [el("p", {}, text)],
      className: "small",
      onclose: () => resolve(said),
      buttons: [
        button(tr("Cancel"), () => close()),
        button(confirm, () => {
          said = true;
          close();
        }, { class: "button danger" }),
      ],
    });
  });
}

/** Return a line for what went wrong or well, read out when it changes. */
export function statusLine() {
  const line = el("p", { class: "status", role: "status" });
  return {
    line,
    /** @param {unknown} text */
    say: (text) => show(String(text ?? ""), false),
    /** @param {unknown} error */
    fail: (error) => show(error instanceof Error ? error.message : String(error), true),
  };

  /** @param {string} text @param {boolean} trouble */
  function show(text, trouble) {
    line.textContent = text;
    line.classList.toggle("trouble", trouble);
  }
}

/**
 * Have a button do something that takes a while: it cannot be pressed meanwhile, and what goes wrong
 * is said.
 * @param {HTMLButtonElement} pressed
 * @param {{fail: (error: unknown) => void}} status
 * @param {() => Promise<unknown> | unknown} work
 */
export async function busy(pressed, status, work) {
  pressed.disabled = true;
  try {
    await work();
  } catch (error) {
    status.fail(error);
  } finally {
    pressed.disabled = false;
  }
}

/**
 * Copy text, also where the page is served without TLS and the clipboard is closed to it.
 * @param {string} text
 */
export async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const field = el("textarea", { value: text, class: "off-screen" });
  (document.querySelector("dialog[open]") ?? document.body).append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
}
