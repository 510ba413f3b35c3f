/**
 * The version of this page: its files all have one address before their names, and a service worker
 * keeps them, so that the page starts without the server.
 */
/** Return the address of a file of this page's version. @param {string} name */
export const fileUrl = (name) => new URL(`../${name}`, import.meta.url).pathname;

/** The version, as the server names it. */
const version = fileUrl("").split("/")[2];

/** Have the worker keep this page. Browsers have none where the page comes neither over TLS nor from this machine. */
export async function keepPage() {
  if (!navigator.serviceWorker || window.top !== window) return;
  // The lock tells the worker that this version is in use, for as long as this page is open.
  void navigator.locks.request(`demine-${version}`, { mode: "shared" }, () => new Promise(() => {}));
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
