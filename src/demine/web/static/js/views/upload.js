// The dialog that takes in replays and boards of any format, chosen or dropped.

import { button, el } from "./elements.js";
import { showDialog, statusLine } from "./dialog.js";
import { tr } from "../words.js";

/**
 * @param {import("../app.js").App} app
 * @param {{files?: FileList | File[]}} options files that were dropped on the page
 */
export function open(app, options) {
  const status = statusLine();
  const field = el("input", { type: "file", multiple: true, class: "file-field", id: "replay-file" });
  const results = el("ul", { class: "results", "aria-live": "polite" });
  const area = el("div", { class: "drop" },
    el("label", { htmlFor: field.id }, tr("Choose a replay, or drop it here")), field,
    el("p", { class: "note" }, tr("AVF, EVF, MVF, RMV, demine's own and other formats; the game is recognised by its content.")));
  field.addEventListener("change", () => {
    const files = [...(field.files ?? [])];
    field.value = ""; // so that the same file can be chosen again
    take(files);
  });
  const { close } = showDialog({
    title: tr("Open a replay"),
    content: [area, status.line, results],
    buttons: [button(tr("Close"), () => close())],
  });
  area.addEventListener("dragover", (event) => {
    event.preventDefault();
    area.classList.add("over");
  });
  area.addEventListener("dragleave", () => area.classList.remove("over"));
  area.addEventListener("drop", (event) => {
    event.preventDefault();
    event.stopPropagation();
    area.classList.remove("over");
    take(event.dataTransfer?.files ?? []);
  });
  if (options.files) take(options.files);

  /** @param {FileList | File[]} files */
  async function take(files) {
    for (const file of files) {
      status.say(tr("Reading {name}…", { name: file.name }));
      try {
        const found = await app.authority.request("POST", `/api/replays?name=${encodeURIComponent(file.name)}`, file);
        status.say("");
        if (files.length === 1) return location.assign(`/w/${found.id}`);
        results.append(el("li", {}, el("a", { href: `/w/${found.id}` }, found.title || file.name)));
      } catch (error) {
        status.fail(error);
        if (files.length > 1) results.append(el("li", { class: "trouble" }, `${file.name}: ${status.line.textContent}`));
      }
    }
    return undefined;
  }
}
