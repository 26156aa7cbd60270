/* Settings made before anything else is loaded or drawn. A separate file, because our Content-Security-Policy
   forbids inline scripts. */

/* The policy also forbids code made from text, which zod would otherwise try with its first schema. */
globalThis.__zod_globalConfig = { jitless: true };

/* A wall in a dark room (src/device/address/isWall.ts) must not flash white whenever it loads a new version. */
const display = new URLSearchParams(location.search).get('display');
if (/^\/disruptions\/?$/i.test(location.pathname) && display?.trim().toLowerCase() === 'wall') {
  document.documentElement.dataset.theme = 'board';
}

/* Another worker may take over while the rest loads (src/offline/serviceWorker.ts). */
globalThis.firstController = navigator.serviceWorker?.controller;
