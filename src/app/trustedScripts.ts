/** The scripts that may be started by their address: our worker and the map's. Any other is refused by the browser. */

interface Policies {
  createPolicy(name: string, rules: { createScriptURL(url: string): string | null }): unknown;
}

const OURS = /^\/(?:sw\.js|assets\/[\w.-]*worker[\w.-]*\.m?js)$/;

/**
 * Where the browser enforces trusted types, a string that becomes a script is refused unless a policy vouches for it.
 * The default policy is asked for those of libraries, which know nothing of policies: the map starts its worker by
 * address. No policy makes HTML or script text, so all of that stays refused.
 */
export function trustOwnScripts(): void {
  const { trustedTypes } = globalThis as { trustedTypes?: Policies };
  trustedTypes?.createPolicy('default', {
    createScriptURL(url) {
      const { origin, pathname } = new URL(url, location.href);
      return origin === location.origin && OURS.test(pathname) ? url : null;
    },
  });
}
