/** Messages by push: shown if they are for the person who is signed in here and not yet old, and opened by a tap. */
import { del, get } from 'idb-keyval';
import { DEVICE_RECEIVER, type PushedMessage } from './messages.ts';

/** As the server sends it; everything is checked again, because old workers live long. */
export interface Pushed {
  id: string;
  receiver: string;
  title: string;
  text: string;
  tag: string;
  renotify: boolean;
  silent: boolean;
  valid_until: string;
  address: string;
  unseen: number;
}

/** The lib of TypeScript does not have it yet. */
interface ShownOptions extends NotificationOptions {
  renotify?: boolean;
  actions?: { action: string; title: string }[];
}

/** What is shown, if anything: nothing of another person's, and no old news. */
export function shownAs(
  pushed: Pushed,
  { receiver, now }: { receiver: string | undefined; now: number },
): { title: string; options: ShownOptions } | null {
  if (receiver === undefined || pushed.receiver !== receiver) return null;
  if (!(Date.parse(pushed.valid_until) > now)) return null;
  const { title, text, tag, renotify, silent, address, id } = pushed;
  return {
    title,
    options: {
      body: text,
      tag,
      renotify: renotify && !silent,
      silent,
      icon: '/icon-192.png',
      badge: '/icon-192.png',
      lang: 'en-GB',
      data: { address, id },
    },
  };
}

function pushedOf(data: PushMessageData | null): Pushed | null {
  try {
    const said = data?.json() as Partial<Pushed> | null | undefined;
    return typeof said?.title === 'string' && typeof said.receiver === 'string' ? (said as Pushed) : null;
  } catch {
    return null;
  }
}

/** Only to pages of this app. */
export const ownAddress = (address: unknown, origin: string): string => {
  const url = typeof address === 'string' && URL.canParse(address, origin) ? new URL(address, origin) : null;
  return url?.origin === origin ? url.href : `${origin}/messages`;
};

export function listenForPushes(self: ServiceWorkerGlobalScope): void {
  async function show(data: PushMessageData | null): Promise<void> {
    const pushed = pushedOf(data);
    const receiver = await get<string>(DEVICE_RECEIVER).catch(() => undefined);
    const shown = pushed && shownAs(pushed, { receiver, now: Date.now() });
    if (!pushed || !shown) {
      // Some browsers end a subscription that shows nothing; this says nothing of anybody.
      if (receiver !== undefined)
        await self.registration.showNotification('Clearway has news', {
          tag: 'clearway',
          silent: true,
          data: { address: '/messages' },
        });
      return;
    }
    // Refused since, in the browser's settings: open pages still say it.
    await self.registration.showNotification(shown.title, shown.options).catch(() => {});
    const message: PushedMessage = { type: 'PUSHED', unseen: pushed.unseen };
    // A page of this app: there is no other origin that it could reach.
    for (const page of await self.clients.matchAll({ type: 'window' })) page.postMessage(message, []);
    await self.navigator.setAppBadge?.(pushed.unseen).catch(() => {});
  }

  async function open(notification: Notification): Promise<void> {
    notification.close();
    const { address } = (notification.data ?? {}) as { address?: unknown };
    const target = ownAddress(address, self.location.origin);
    const pages = await self.clients.matchAll({ type: 'window' });
    // A wall is nobody's to navigate.
    const page = pages.find(({ url }) => !url.includes('display=wall'));
    const moved = await page?.navigate(target).catch(() => null);
    if (moved) await moved.focus().catch(() => {});
    else await self.clients.openWindow(target);
  }

  self.addEventListener('push', (event) => event.waitUntil(show(event.data)));
  self.addEventListener('notificationclick', (event) => event.waitUntil(open(event.notification)));
}

/** At sign-out: nothing that was shown stays, and nothing more arrives. */
export async function forgetPushes(self: ServiceWorkerGlobalScope): Promise<void> {
  await del(DEVICE_RECEIVER);
  const shown = await self.registration.getNotifications();
  for (const notification of shown) notification.close();
  const subscription = await self.registration.pushManager?.getSubscription();
  await subscription?.unsubscribe();
}
