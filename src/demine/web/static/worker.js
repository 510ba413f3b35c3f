/**
 * The service worker: it keeps the files of one version of the page, and starts the page from them.
 *
 * The server writes `self.page` before this text: the version, a hash of everything that the page is
 * made of, and the addresses of the files to keep. Each of these contains the version, so that a page
 * never has files of two versions. Everything else, above all `/api` and `/ws`, goes to the server.
 */

/**
 * @typedef {Event & {waitUntil: (work: Promise<unknown>) => void}} LifeEvent
 * @typedef {Event & {request: Request, respondWith: (answer: Promise<Response>) => void}} FetchEvent
 */

const worker = /** @type {any} */ (self);
const { version, files } = /** @type {{version: string, files: string[]}} */ (worker.page);
const KEPT = `demine-${version}`;
/** The addresses at which the page itself is shown. */
const PAGES = /^\/($|g\/|w\/|r\/|race\/|coop\/|history$)/;

worker.addEventListener("install", (/** @type {LifeEvent} */ event) => event.waitUntil(keepFiles()));
worker.addEventListener("activate", (/** @type {LifeEvent} */ event) => event.waitUntil(forgetUnused()));
// A page says that it has started: the one before it may have been the last of its version.
worker.addEventListener("message", (/** @type {LifeEvent} */ event) => event.waitUntil(forgetUnused()));
worker.addEventListener("fetch", (/** @type {FetchEvent} */ event) => {
  const file = keptFile(event.request);
  if (file) event.respondWith(answer(file, event.request));
});

/** Keep all files, or none if one is missing; the next navigation starts from them then. */
async function keepFiles() {
  const cache = await caches.open(KEPT);
  const words = `/static/${version}/words/${encodeURIComponent(navigator.language)}.json`;
  await cache.addAll(new Set([...files, words]));
  await worker.skipWaiting();
}

/** Forget the versions of which no page is open; a page that is open may still need a file. */
async function forgetUnused() {
  const { installing, waiting } = worker.registration;
  if (installing || waiting) return; // what that one keeps is not in use yet
  const { held } = await navigator.locks.query();
  const used = new Set(held?.map(({ name }) => name));
  for (const name of await caches.keys()) {
    if (name.startsWith("demine-") && name !== KEPT && !used.has(name)) await caches.delete(name);
  }
}

/** Return the address of the file that answers a request; null if that is for the server. @param {Request} request */
function keptFile({ method, mode, destination, url }) {
  const { origin, pathname, search } = new URL(url);
  if (method !== "GET" || origin !== location.origin) return null;
  // A page in a frame of another site has headers of its own.
  if (mode === "navigate") return destination === "document" && PAGES.test(pathname) ? `/static/${version}/index.html` : null;
  return pathname.startsWith("/static/") && !search ? pathname : null;
}

/** @param {string} file @param {Request} request */
async function answer(file, request) {
  return (await caches.match(file, { ignoreVary: true })) ?? fetch(request);
}
