/**
 * The scripts that may be started by their address: our worker and the map's worker. The browser refuses all others.
 */

interface Policies {
  createPolicy(name: string, rules: { createScriptURL(url: string): string | null }): unknown;
}

const OURS = /^\/(?:sw\.js|assets\/[\w.-]*worker[\w.-]*\.m?js)$/;

/** A browser that enforces trusted types refuses a string that becomes a script unless a policy allows it. The
 *  default policy is asked about scripts of libraries that know no policies: the map starts its worker by address.
 *  No policy makes HTML or script text, so those stay refused. */
export function trustOwnScripts(): void {
  const { trustedTypes } = globalThis as { trustedTypes?: Policies };
  trustedTypes?.createPolicy('default', {
    createScriptURL(url) {
      const { origin, pathname } = new URL(url, location.href);
      return origin === location.origin && OURS.test(pathname) ? url : null;
    },
  });
}
