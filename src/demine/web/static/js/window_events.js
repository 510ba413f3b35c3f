/**
 * What the window hears that no part of the page hears by itself: keys, dropped files, and that it is
 * left or seen again.
 */
import { movesCursor } from "./cursor.js";
import { menuIsOpen } from "./menu.js";
import { part } from "./page_parts.js";
import { openDialog, showAddress } from "./pages.js";
import { shownSeconds } from "./state.js";

/** @typedef {import("./app.js").App} App */

/** Listen from now on. @param {App} app */
export function listenToWindow(app) {
  document.addEventListener("keydown", (event) => pressKey(app, event));
  takeDroppedFiles(app);
  pauseWhenLeft(app);
  window.addEventListener("popstate", () => void showAddress(app));
  for (const media of ["(prefers-color-scheme: dark)", "(prefers-contrast: more)", "(forced-colors: active)"]) {
    matchMedia(media).addEventListener("change", () => app.view.applyTheme());
  }
  for (const [id, command] of [["flag-mode", "flag-mode"], ["level", "levels"], ["menu", "menu"]]) {
    part(id).addEventListener("click", () => app.run(command));
  }
  part("pause-card").addEventListener("click", () => app.player.togglePause());
  keepTime(app);
}

/** @param {App} app @param {KeyboardEvent} event */
function pressKey(app, event) {
  if (!isForBoard(event)) return;
  const command = app.keys.command(event);
  if (!command || app.facts.absent.includes(command)) return;
  if (command === "share" && !getSelection()?.isCollapsed) return; // that text is copied
  event.preventDefault();
  document.documentElement.setAttribute("data-keys", "");
  if (!event.repeat || movesCursor(command) || command.startsWith("zoom")) app.run(command);
}

/** Whether a key is meant for the board, and not for a field, a button or a dialog. @param {KeyboardEvent} event */
function isForBoard(event) {
  if (event.defaultPrevented || event.isComposing || menuIsOpen() || part("game").hidden) return false;
  const at = event.target instanceof Element ? event.target : null;
  if (document.querySelector("dialog[open]") || isWrittenIn(at)) return false;
  const presses = event.key === "Enter" || event.key === " ";
  return !(presses && at?.closest("button, a, summary"));
}

/** Whether keys write there; a dialog that was closed has the focus for a moment yet. @param {Element | null} at */
function isWrittenIn(at) {
  return !!at?.closest("input, select, textarea, [contenteditable]") && !at.closest("dialog:not([open])");
}

/** Replays may be dropped anywhere. @param {App} app */
function takeDroppedFiles(app) {
  document.addEventListener("dragover", (event) => {
    if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
  });
  document.addEventListener("drop", (event) => {
    if (!event.dataTransfer?.files.length) return;
    event.preventDefault();
    void openDialog(app, "upload", { files: [...event.dataTransfer.files] });
  });
}

/** @param {App} app */
function pauseWhenLeft({ player, preferences }) {
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) player.pause();
  });
  window.addEventListener("pagehide", () => player.pause());
  window.addEventListener("blur", () => {
    player.cancelInput(true);
    if (preferences.pause_unfocused !== false && !document.activeElement?.closest("iframe")) player.pause();
  });
}

/** Draw the clock whenever it shows another second. @param {App} app */
function keepTime({ state, view }) {
  let shown = 0;
  window.setInterval(() => {
    const now = shownSeconds(state, performance.now());
    if (state.game?.status !== "running" || now === shown) return;
    shown = now;
    view.render();
  }, 100);
}
