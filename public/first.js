/* What must be so before anything else is loaded or drawn; ahead of the app as a script of its own, for our
   Content-Security-Policy forbids one within the page. */

/* Nor may code be made out of text, which zod would otherwise try with its first schema. */
globalThis.__zod_globalConfig = { jitless: true };

/* A wall in a dark room (src/addresses/isWall.ts) must not light up whenever it takes a new version. */
const display = new URLSearchParams(location.search).get('display');
if (/^\/disruptions\/?$/i.test(location.pathname) && display?.trim().toLowerCase() === 'wall') {
  document.documentElement.dataset.theme = 'board';
}
