/**
 * The version of this page: its files all have one address before their names, and a service worker
 * keeps them, so that the page starts without the server.
 */
import { RequestError } from "./authority.js";
import { tr } from "./words.js";

/** Return the address of a file of this page's version. @param {string} name */
export const fileUrl = (name) => new URL(`../${name}`, import.meta.url).pathname;

/** The version, as the server names it. */
const version = fileUrl("").split("/")[2];

/** The version of the server for which this tab's page was loaded again. */
const LOADED_FOR = "demine.loaded-for";

/**
 * Tell the worker that this version is in use for as long as this page is open. Browsers have neither
 * locks nor workers where the page comes neither over TLS nor from this machine.
 */
export function holdVersion() {
  // A frame that may keep nothing is refused; no worker keeps files for it either.
  navigator.locks?.request(`demine-${version}`, { mode: "shared" }, () => new Promise(() => {})).catch(() => {});
}

/** Load the page again, once, if the server has another version. @param {string} served the server's version */
export async function loadServedVersion(served) {
  if (served === version || !isFirstLoadFor(served)) return;
  // The worker would start the version that it keeps again; the page that comes registers its own.
  await (await navigator.serviceWorker?.getRegistration())?.unregister();
  location.reload();
  await new Promise(() => {}); // nothing of this page is to begin any more
}

/** Raise a sentence if the server has another version all the same. @param {string} served */
export function refuseOtherVersion(served) {
  if (served !== version) throw new RequestError(tr("this page is of another version: reload it"), "other_version", 0);
}

/** Note that the page is loaded again for a version; return whether it was not yet. @param {string} served */
function isFirstLoadFor(served) {
  try {
    if (sessionStorage.getItem(LOADED_FOR) === served) return false;
    sessionStorage.setItem(LOADED_FOR, served);
    return true;
  } catch {
    return false; // without a note it might be loaded again for ever
  }
}

/** Have the worker keep this page. */
export async function keepPage() {
  if (!navigator.serviceWorker || window.top !== window) return;
  try {
    await navigator.serviceWorker.register("/worker.js");
    navigator.serviceWorker.controller?.postMessage("started");
  } catch {
    // A browser that keeps nothing, as in private windows, asks the server at every start.
  }
}

/** Look for a newer version, which the next page that is opened will have. */
export async function lookForNewVersion() {
  try {
    await (await navigator.serviceWorker?.getRegistration())?.update();
  } catch {
    // The server is gone again.
  }
}
