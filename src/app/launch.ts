/** Links, shortcuts and `web+clearway:` addresses that open the installed app reach the window that already runs. */
import { LINK_PROTOCOL, START_ADDRESS } from '#contract/addresses.ts';
import { navigate } from 'wouter/use-browser-location';

interface LaunchQueue {
  setConsumer(consumer: (launch: { targetURL?: string }) => void): void;
}

/** Goes where a later launch wants to go, without loading the app again. */
export function followLaunches(): void {
  const { launchQueue } = window as { launchQueue?: LaunchQueue };
  launchQueue?.setConsumer(({ targetURL }) => {
    const target = targetURL && pageOf(targetURL);
    if (!target || target === START_ADDRESS || target === here()) return;
    navigate(target);
  });
}

/** The page that `web+clearway:/map?category=Music` names; null when it is none of this app's addresses. */
export function pageOfLink(link: string): string | null {
  const [, rest] = new RegExp(`^${LINK_PROTOCOL.replace('+', '\\+')}:/*(.*)$`, 's').exec(link) ?? [];
  return rest === undefined ? null : pageOf(`/${rest}`);
}

function pageOf(address: string): string | null {
  try {
    const { origin, pathname, search, hash } = new URL(address, location.origin);
    // `//elsewhere` is a path to some parsers and another host to others.
    return origin === location.origin && !pathname.startsWith('//') ? pathname + search + hash : null;
  } catch {
    return null;
  }
}

const here = () => location.pathname + location.search + location.hash;
