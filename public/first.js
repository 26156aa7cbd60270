/* Our Content-Security-Policy forbids making code out of text, which zod would otherwise try. This must stand before the
   first schema is made, and the bundler may load those first: so it is a script of its own, ahead of the app. */
globalThis.__zod_globalConfig = { jitless: true };
