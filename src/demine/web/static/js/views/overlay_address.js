// The part of the player's dialog that makes and ends the address of an overlay.

import { button, el, row } from "./elements.js";
import { busy } from "./dialog.js";
import { copyRow } from "./share.js";
import { tr } from "../words.js";

/**
 * Return what makes and ends the address, for a row of buttons.
 * @param {import("../app.js").App} app
 * @param {{say: (text: string) => void, fail: (error: unknown) => void}} status
 * @returns {Promise<HTMLElement[]>}
 */
export async function overlayAddress(app, status) {
  const { authority } = app;
  const now = await authority.request("GET", "/api/me/overlay");
  const risks = el("input", { type: "checkbox", checked: now.shows_risks });
  const link = el("div");
  const make = button(tr("Make an overlay address"), () => busy(make, status, begin));
  const end = button(tr("End the overlay"), () => busy(end, status, stop), { hidden: !now.exists });
  return [
    row(tr("With the risk of every cell"), risks, { note: tr("A game whose risks are shown is practice. In races there are none.") }),
    make, end, link,
  ];

  async function begin() {
    const made = await authority.request("POST", "/api/me/overlay", { shows_risks: risks.checked });
    link.replaceChildren(copyRow(tr("Overlay address"), new URL(made.link, location.href).href));
    end.hidden = false;
  }

  async function stop() {
    await authority.request("DELETE", "/api/me/overlay");
    link.replaceChildren();
    end.hidden = true;
    status.say(tr("The overlay has ended."));
  }
}
