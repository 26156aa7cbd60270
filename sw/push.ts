/** Push messages. A message is shown if it is for the person who is signed in here and not yet old. A tap opens it. */
import { del, get, update } from 'idb-keyval';
import {
  DEVICE_RECEIVER,
  type PushedMessage,
  TAPPED,
  type Tapped,
  type TappedMessage,
  tapsIn,
} from './workerMessages.ts';

/** The message as the server sends it. Everything is checked again, because old workers live long. */
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
  /** The number on the app's icon; null or absent: it stays as the board has set it. */
  criticals?: number | null;
  severity?: string | null;
  /** The incidents that its buttons are about; without any there are no buttons. */
  event_ids?: string[];
}

/** TypeScript's library does not have this type yet. */
interface ShownOptions extends NotificationOptions {
  renotify?: boolean;
  actions?: { action: string; title: string }[];
}

const ACTIONS: readonly { action: Tapped['action']; title: string }[] = [
  { action: 'acknowledge', title: 'Acknowledge' },
  { action: 'snooze', title: 'Snooze 1 h' },
];

/** The notification to show, if any. Messages for another person, and old ones, give none. */
export function shownAs(
  pushed: Pushed,
  { receiver, now, actions = 0 }: { receiver: string | undefined; now: number; actions?: number },
): { title: string; options: ShownOptions } | null {
  if (receiver === undefined || pushed.receiver !== receiver) return null;
  if (!(Date.parse(pushed.valid_until) > now)) return null;
  const { title, text, tag, renotify, silent, address, id, severity = null } = pushed;
  const event_ids = idsOf(pushed);
  const hasActions = event_ids.length > 0 && actions >= ACTIONS.length;
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
      ...(hasActions && { actions: [...ACTIONS] }),
      data: { address, id, receiver, severity, event_ids },
    },
  };
}

const idsOf = ({ event_ids }: { event_ids?: unknown }): string[] =>
  Array.isArray(event_ids) ? event_ids.filter((id): id is string => typeof id === 'string') : [];

function pushedOf(data: PushMessageData | null): Pushed | null {
  try {
    const said = data?.json() as Partial<Pushed> | null | undefined;
    return typeof said?.title === 'string' && typeof said.receiver === 'string' ? (said as Pushed) : null;
  } catch {
    return null;
  }
}

/** Leads only to pages of this app. */
export const ownAddress = (address: unknown, origin: string): string => {
  const url = typeof address === 'string' && URL.canParse(address, origin) ? new URL(address, origin) : null;
  return url?.origin === origin ? url.href : `${origin}/messages`;
};

const receiverNow = () => get<string>(DEVICE_RECEIVER).catch(() => undefined);

async function closeAll(self: ServiceWorkerGlobalScope): Promise<void> {
  for (const notification of await self.registration.getNotifications()) notification.close();
}

export function listenForPushes(self: ServiceWorkerGlobalScope): void {
  async function show(data: PushMessageData | null): Promise<void> {
    // The number of buttons that the platform shows, which can be 0.
    const most = Number(
      (globalThis as { Notification?: { maxActions?: number } }).Notification?.maxActions ?? 0,
    );
    const pushed = pushedOf(data);
    const receiver = await receiverNow();
    const shown = pushed && shownAs(pushed, { receiver, now: Date.now(), actions: most });
    if (!pushed || !shown) {
      // Some browsers end a subscription that shows nothing, so a notification without content is shown.
      if (receiver !== undefined)
        await self.registration.showNotification('Clearway has news', {
          tag: 'clearway',
          silent: true,
          data: { address: '/messages' },
        });
      return;
    }
    // Notifications may have been refused in the browser's settings since; open pages still show the message.
    await self.registration.showNotification(shown.title, shown.options).catch(() => {});
    // The person may have signed out while it was being shown.
    if ((await receiverNow()) !== receiver) return closeAll(self);
    const message: PushedMessage = { type: 'PUSHED', unseen: pushed.unseen };
    // Only pages of this app can get it, because there is no other origin here.
    for (const page of await self.clients.matchAll({ type: 'window' })) page.postMessage(message, []);
    if (typeof pushed.criticals === 'number')
      await self.navigator.setAppBadge?.(pushed.criticals).catch(() => {});
  }

  /** Keeps an action for the page, which does it with its own queue. A token that was stored here would be old, and
   *  usable by anybody. */
  async function keep(notification: Notification, action: Tapped['action']): Promise<void> {
    const { title, data } = notification as { title: string; data?: Record<string, unknown> };
    const { id, receiver, severity } = data ?? {};
    if (typeof receiver !== 'string' || receiver !== (await get<string>(DEVICE_RECEIVER))) return;
    const tapped: Tapped = {
      id: `${String(id)} ${action}`,
      receiver,
      action,
      title,
      severity: typeof severity === 'string' ? severity : null,
      event_ids: idsOf(data ?? {}),
      at: Date.now(),
    };
    await update<Tapped[]>(TAPPED, (all) => [...tapsIn(all).filter(({ id }) => id !== tapped.id), tapped]);
  }

  async function answer(notification: Notification, action: string): Promise<void> {
    const known = ACTIONS.find((one) => one.action === action);
    if (!known) return open(notification);
    const isKept = await keep(notification, known.action).then(
      () => true,
      () => false,
    );
    const pages = await ownPages();
    // Without storage the page opens and shows the buttons.
    if (!isKept || pages.length === 0) return open(notification);
    notification.close();
    const message: TappedMessage = { type: 'TAPPED' };
    for (const page of pages) page.postMessage(message, []);
  }

  /** The open pages of the app. Walls are left out, because nobody may navigate them and nobody acts there. */
  const ownPages = async () =>
    (await self.clients.matchAll({ type: 'window' })).filter(({ url }) => !url.includes('display=wall'));

  async function open(notification: Notification): Promise<void> {
    notification.close();
    const { address } = (notification.data ?? {}) as { address?: unknown };
    const target = ownAddress(address, self.location.origin);
    const [page] = await ownPages();
    const moved = await page?.navigate(target).catch(() => null);
    if (moved) await moved.focus().catch(() => {});
    else await self.clients.openWindow(target);
  }

  self.addEventListener('push', (event) => event.waitUntil(show(event.data)));
  self.addEventListener('notificationclick', (event) =>
    event.waitUntil(answer(event.notification, event.action)),
  );
}

/** At sign-out: closes all notifications, and no more arrive. */
export async function forgetPushes(self: ServiceWorkerGlobalScope): Promise<void> {
  await del(DEVICE_RECEIVER);
  await del(TAPPED);
  await closeAll(self);
  const subscription = await self.registration.pushManager?.getSubscription();
  await subscription?.unsubscribe();
}
