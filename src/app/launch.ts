/** Links, shortcuts and `web+clearway:` addresses open in the app's window that is already running. */
import { LINK_PROTOCOL, START_ADDRESS } from '#contract/addresses.ts';
import { navigate } from 'wouter/use-browser-location';

interface LaunchQueue {
  setConsumer(consumer: (launch: { targetURL?: string }) => void): void;
}

/** Goes to the address of each later launch, without loading the app again. */
export function followLaunches(): void {
  const { launchQueue } = window as { launchQueue?: LaunchQueue };
  launchQueue?.setConsumer(({ targetURL }) => {
    const target = targetURL && pageOf(targetURL);
    if (!target || target === START_ADDRESS || target === here()) return;
    navigate(target);
  });
}

/** The page that `web+clearway:/map?category=Music` names; null if it is not an address of this app. */
export function pageOfLink(link: string): string | null {
  const [, rest] = new RegExp(`^${LINK_PROTOCOL.replace('+', '\\+')}:/*(.*)$`, 's').exec(link) ?? [];
  return rest === undefined ? null : pageOf(`/${rest}`);
}

function pageOf(address: string): string | null {
  try {
    const { origin, pathname, search, hash } = new URL(address, location.origin);
    // Some parsers read `//elsewhere` as a path, others as another host.
    return origin === location.origin && !pathname.startsWith('//') ? pathname + search + hash : null;
  } catch {
    return null;
  }
}

const here = () => location.pathname + location.search + location.hash;

// The scripts that may be started by their address: our worker and the map's worker. The browser refuses all
// others.

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
