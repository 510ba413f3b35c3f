// What the views know of the page: types only.

/**
 * @typedef {object} Authority
 * @property {(method: string, path: string, body?: any) => Promise<any>} request
 */

/**
 * @typedef {object} App
 * @property {Authority} authority
 * @property {any} preferences
 * @property {any} sprites
 * @property {Record<string, string[]>} keys
 * @property {(options: Record<string, unknown>) => Promise<unknown> | unknown} newGame
 * @property {(changed: Record<string, unknown>) => Promise<unknown> | unknown} applyPreferences
 * @property {(command: string) => unknown} run
 * @property {(text: string) => unknown} announce
 */

export {};
