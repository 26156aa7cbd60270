/** This device as a channel: the abilities of its browser, and its subscription. Only `turnOn` asks for permission. */
import { DAY_MS } from '#contract/durations.ts';
import { del, get, set } from 'idb-keyval';
import { DEVICE_RECEIVER } from '../../../sw/workerMessages.ts';
import { addChannel, type Channel, removeChannel } from '../../api/watches/channels.ts';
import { runtimeConfig } from '../../api/runtimeConfig.ts';
import { browserStore } from '../../device/browserStorage.ts';
import { formatDay } from '../../time/london.ts';
import { serverNow } from '../../time/freshness.ts';

export type DeviceState =
  | { kind: 'on'; receiver: string }
  | { kind: 'off' }
  | { kind: 'blocked' | 'needs_https' | 'needs_home_screen' | 'unsupported' | 'unreachable' }
  | { kind: 'lost'; at: string };

/** The abilities of the browser, as they are now. */
export interface Abilities {
  isSecure: boolean;
  hasPush: boolean;
  isApple: boolean;
  permission: NotificationPermission | null;
}

export const abilities = (): Abilities => ({
  isSecure: globalThis.isSecureContext,
  hasPush: 'PushManager' in globalThis && 'serviceWorker' in navigator && 'Notification' in globalThis,
  isApple: /iPhone|iPad|Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1,
  permission: 'Notification' in globalThis ? Notification.permission : null,
});

export function deviceState(
  { isSecure, hasPush, isApple, permission }: Abilities,
  mine: Pick<Channel, 'id' | 'state' | 'since'> | undefined,
  failed: boolean,
): DeviceState {
  if (!isSecure) return { kind: 'needs_https' };
  if (!hasPush) return { kind: isApple ? 'needs_home_screen' : 'unsupported' };
  if (permission === 'denied') return { kind: 'blocked' };
  if (failed) return { kind: 'unreachable' };
  if (mine?.state === 'off') return { kind: 'lost', at: mine.since ?? '' };
  return mine ? { kind: 'on', receiver: mine.id } : { kind: 'off' };
}

/** The words of the specification. */
export function deviceWords(state: DeviceState): string {
  switch (state.kind) {
    case 'on':
      return 'On';
    case 'off':
      return 'Off';
    case 'blocked':
      return "Blocked in the browser's settings";
    case 'needs_https':
      return 'Not on this device: needs https';
    case 'needs_home_screen':
      return 'On iPhone and iPad: add Clearway to the home screen first';
    case 'unsupported':
      return 'Not on this device: this browser takes no messages';
    case 'unreachable':
      return 'The push service could not be reached';
    case 'lost':
      return `Lost ${formatDay(state.at, serverNow())}: turn on again`;
  }
}

/** The receiver of this device, as it was last known. */
export const receiverHere = (): Promise<string | undefined> =>
  get<string>(DEVICE_RECEIVER).catch(() => undefined);

export class Blocked extends Error {}

/** Call it in a tap, because the browser then asks for permission. Throws Blocked, or throws when no push service
 *  answers. */
export async function turnOn(): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted') throw new Blocked();
  const { push_key: key } = await runtimeConfig();
  if (!key) throw new Error('The server has no key for push services.');
  const { pushManager } = await Promise.race([navigator.serviceWorker.ready, tooLate()]);
  const before = await pushManager.getSubscription();
  // Messages to a subscription for another key would not arrive.
  if (before && !isFor(before, key)) await before.unsubscribe();
  const subscription = await pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: bytesOf(key),
  });
  await register(subscription);
}

/** How long to wait for the worker: one that could not be installed never becomes ready and reports nothing. */
const READY_WITHIN_MS = 30_000;
const tooLate = () =>
  new Promise<never>((_, reject) =>
    setTimeout(() => reject(new Error('The worker is not ready.')), READY_WITHIN_MS),
  );

export async function turnOff(receiver: string): Promise<void> {
  await removeChannel(receiver);
  await del(DEVICE_RECEIVER);
  const registration = await navigator.serviceWorker?.getRegistration();
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}

const RENEWED_AT = 'clearway_push_renewed_at';

/** Once a day: reports the address of this device again, and renews a subscription that was made for another key.
 *  Asks the user nothing. */
export async function renewDevice(now: number): Promise<void> {
  try {
    if (!('Notification' in globalThis) || Notification.permission !== 'granted') return;
    if ((await receiverHere()) === undefined) return;
    // A time in the future, from a clock that was ahead, must not delay it.
    if (Math.abs(now - Number(browserStore.get(RENEWED_AT) ?? 0)) < DAY_MS) return;
    await turnOn();
    browserStore.set(RENEWED_AT, String(now));
  } catch {
    /* tomorrow again */
  }
}

async function register(subscription: PushSubscription): Promise<void> {
  const { endpoint, keys } = subscription.toJSON();
  if (!endpoint || !keys?.['p256dh'] || !keys['auth']) throw new Error('The browser gave no keys.');
  const { channel } = await addChannel({
    kind: 'device',
    name: deviceName(navigator.userAgent),
    subscription: { endpoint, keys: { p256dh: keys['p256dh'], auth: keys['auth'] } },
  });
  await set(DEVICE_RECEIVER, channel.id);
}

const BROWSERS = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const;
const SYSTEMS = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'Mac'],
  [/Linux|X11/, 'Linux'],
] as const;

/** "Chrome on Windows". */
export function deviceName(agent: string): string {
  const named = (list: readonly (readonly [RegExp, string])[], otherwise: string) =>
    list.find(([words]) => words.test(agent))?.[1] ?? otherwise;
  return `${named(BROWSERS, 'Browser')} on ${named(SYSTEMS, 'this device')}`;
}

function isFor(subscription: PushSubscription, key: string): boolean {
  const used = subscription.options.applicationServerKey;
  if (!used) return true;
  const bytes = bytesOf(key);
  const own = new Uint8Array(used);
  return own.length === bytes.length && own.every((byte, at) => byte === bytes[at]);
}

const bytesOf = (base64url: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (letter) =>
    letter.charCodeAt(0),
  );
