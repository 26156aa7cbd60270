import { del, get, set } from 'idb-keyval';
import { describe, expect, it, vi } from 'vitest';
import { DEVICE_RECEIVER, TAPPED, type Tapped } from '../../sw/workerMessages.ts';
import { forgetPushes, listenForPushes, ownAddress, type Pushed, shownAs } from '../../sw/push.ts';

// Node has no IndexedDB.
vi.mock('idb-keyval', () => import('../src/offline/fakeStorage.ts'));

const usual = () => globalThis.keptStores!.get('keyval-store/keyval')!;

const NOW = Date.parse('2026-11-21T08:12:00Z');
const pushed: Pushed = {
  id: 'msg_1',
  receiver: 'rosas-phone',
  title: 'Critical: M62 eastbound: closed',
  text: 'Leeds–Heathrow. National Highways, 08:10.',
  tag: 'route:leeds',
  renotify: true,
  silent: false,
  valid_until: '2026-11-21T08:42:00.000Z',
  address: '/routes/leeds',
  unseen: 2,
};

describe('a pushed message', () => {
  it('is shown with its group’s tag, and sounds only for news', () => {
    expect(shownAs(pushed, { receiver: 'rosas-phone', now: NOW })).toMatchObject({
      title: 'Critical: M62 eastbound: closed',
      options: { tag: 'route:leeds', renotify: true, silent: false, data: { address: '/routes/leeds' } },
    });
    expect(
      shownAs({ ...pushed, renotify: false, silent: true }, { receiver: 'rosas-phone', now: NOW })?.options,
    ).toMatchObject({ renotify: false, silent: true });
    expect(
      shownAs({ ...pushed, renotify: false }, { receiver: 'rosas-phone', now: NOW })?.options,
    ).toMatchObject({ renotify: false, silent: false });
    // A silent message never sounds again: a browser refuses both at once.
    expect(
      shownAs({ ...pushed, silent: true }, { receiver: 'rosas-phone', now: NOW })?.options,
    ).toMatchObject({ renotify: false, silent: true });
  });

  it('has buttons if the platform has two, for the incidents that it names', () => {
    const known = { receiver: 'rosas-phone', now: NOW };
    const about = { ...pushed, severity: 'critical', event_ids: ['national-highways:1'] };
    expect(shownAs(about, { ...known, actions: 2 })?.options).toMatchObject({
      actions: [
        { action: 'acknowledge', title: 'Acknowledge' },
        { action: 'snooze', title: 'Snooze 1 h' },
      ],
      data: { receiver: 'rosas-phone', severity: 'critical', event_ids: ['national-highways:1'] },
    });
    expect(shownAs(about, { ...known, actions: 1 })?.options).not.toHaveProperty('actions');
    expect(shownAs(pushed, { ...known, actions: 2 })?.options).not.toHaveProperty('actions');
  });

  it('is shown to nobody else on this device, and not when it is old', () => {
    expect(shownAs(pushed, { receiver: 'sams-phone', now: NOW })).toBeNull();
    expect(shownAs(pushed, { receiver: undefined, now: NOW })).toBeNull();
    expect(shownAs(pushed, { receiver: 'rosas-phone', now: NOW + 31 * 60_000 })).toBeNull();
    const end = Date.parse(pushed.valid_until);
    expect(shownAs(pushed, { receiver: 'rosas-phone', now: end - 1 })).not.toBeNull();
    expect(shownAs(pushed, { receiver: 'rosas-phone', now: end })).toBeNull();
    expect(shownAs({ ...pushed, valid_until: 'soon' }, { receiver: 'rosas-phone', now: NOW })).toBeNull();
  });

  it('opens pages of this app alone', () => {
    const origin = 'https://clearway.example';
    expect(ownAddress('/routes/leeds', origin)).toBe('https://clearway.example/routes/leeds');
    for (const address of [
      'https://evil.example/',
      '//evil.example/x',
      'javascript:alert(1)',
      'https://[',
      undefined,
      7,
    ])
      expect(ownAddress(address, origin)).toBe('https://clearway.example/messages');
  });
});

/** The worker's side of a browser: what it shows, its pages, and its subscription. */
function browser({ beforeShown = async () => {} }: { beforeShown?: () => Promise<void> } = {}) {
  const shown = new Map<string, { title: string; data: unknown; close(): void }>();
  const pages: { url: string; isStuck: boolean; said: unknown[]; went: string[] }[] = [];
  const opened: string[] = [];
  const focused: string[] = [];
  const buttons: unknown[] = [];
  const badges: number[] = [];
  let isSubscribed = true;
  const self = Object.assign(new EventTarget(), {
    location: new URL('https://clearway.example/sw.js'),
    navigator: { setAppBadge: async (count: number) => void badges.push(count) },
    clients: {
      matchAll: async () =>
        pages.map((page) => ({
          url: page.url,
          postMessage: (said: unknown) => void page.said.push(said),
          async navigate(to: string) {
            if (page.isStuck) throw new TypeError('This page is not controlled.');
            page.went.push(to);
            return { focus: async () => void focused.push(to) };
          },
        })),
      openWindow: async (address: string) => void opened.push(address),
    },
    registration: {
      async showNotification(
        title: string,
        { tag, data, actions = [] }: { tag: string; data: unknown; actions?: { action: string }[] },
      ) {
        await beforeShown();
        buttons.push(actions.map(({ action }) => action));
        shown.set(tag, { title, data, close: () => void shown.delete(tag) });
      },
      getNotifications: async () => [...shown.values()],
      pushManager: {
        getSubscription: async () => ({ unsubscribe: async () => (isSubscribed = false) }),
      },
    },
  });
  listenForPushes(self as unknown as ServiceWorkerGlobalScope);
  const dispatch = async (type: string, more: object) => {
    const lasting: Promise<unknown>[] = [];
    const event = Object.assign(new Event(type), more, {
      waitUntil: (work: Promise<unknown>) => void lasting.push(work),
    });
    self.dispatchEvent(event);
    await Promise.all(lasting);
  };
  return {
    self: self as unknown as ServiceWorkerGlobalScope,
    pages,
    opened,
    focused,
    buttons,
    badges,
    titles: () => [...shown.values()].map(({ title }) => title),
    isSubscribed: () => isSubscribed,
    page(url = 'https://clearway.example/routes', isStuck = false) {
      const page = { url, isStuck, said: [] as unknown[], went: [] as string[] };
      pages.push(page);
      return page;
    },
    push: (said: object | string) =>
      dispatch('push', {
        data: { json: () => (typeof said === 'string' ? (JSON.parse(said) as unknown) : said) },
      }),
    tap: (action = '', tag = 'route:leeds') =>
      dispatch('notificationclick', { notification: shown.get(tag), action }),
  };
}

describe('a browser that gets pushes', () => {
  const fresh = (more: Partial<Pushed> = {}): Pushed => ({
    ...pushed,
    valid_until: new Date(Date.now() + 60_000).toISOString(),
    event_ids: ['national-highways:1'],
    severity: 'critical',
    ...more,
  });

  it('shows the newest of a group, says how many are unseen, and puts unseen criticals on the icon', async () => {
    await set(DEVICE_RECEIVER, 'rosas-phone');
    const world = browser();
    const page = world.page();
    await world.push(fresh({ criticals: 1 }));
    await world.push(fresh({ title: 'Cleared: M62', unseen: 3, criticals: 0 }));
    // The number comes from the board alone, because there are no routes.
    await world.push(fresh({ title: 'Test', tag: 'test', unseen: 4, criticals: null }));
    expect(world.titles()).toEqual(['Cleared: M62', 'Test']);
    expect(page.said).toEqual([2, 3, 4].map((unseen) => ({ type: 'PUSHED', unseen })));
    expect(world.badges).toEqual([1, 0]);
  });

  it('shows the buttons if the platform says that it has room for them', async () => {
    await set(DEVICE_RECEIVER, 'rosas-phone');
    const world = browser();
    for (const maxActions of [1, 2]) {
      vi.stubGlobal('Notification', { maxActions });
      await world.push(fresh());
    }
    vi.unstubAllGlobals();
    await world.push(fresh());
    expect(world.buttons).toEqual([[], ['acknowledge', 'snooze'], []]);
  });

  it('says only that there is news if it must show something, and nothing if nobody is signed in', async () => {
    await set(DEVICE_RECEIVER, 'sams-phone');
    const world = browser();
    const page = world.page();
    for (const said of [
      fresh(),
      fresh({ receiver: 'sams-phone', valid_until: pushed.valid_until }),
      fresh({ receiver: 'sams-phone', title: 7 as unknown as string }),
      'null',
      '{',
    ])
      await world.push(said);
    expect([world.titles(), page.said, world.badges]).toEqual([['Clearway has news'], [], []]);
    await forgetPushes(world.self);
    expect([world.titles(), world.isSubscribed()]).toEqual([[], false]);
    await world.push(fresh({ receiver: 'sams-phone' }));
    expect(world.titles()).toEqual([]);
  });

  it('opens the match on a tap: in an open page, but never in that of a wall', async () => {
    await set(DEVICE_RECEIVER, 'rosas-phone');
    const world = browser();
    const wall = world.page('https://clearway.example/disruptions?display=wall');
    await world.push(fresh());
    await world.tap();
    expect([world.opened, wall.went, world.titles()]).toEqual([
      ['https://clearway.example/routes/leeds'],
      [],
      [],
    ]);
    const page = world.page();
    await world.push(fresh({ address: 'https://evil.example/' }));
    await world.tap();
    expect([world.opened.length, page.went]).toEqual([1, ['https://clearway.example/messages']]);
    expect(world.focused).toEqual(page.went);
  });

  it('keeps the action of a button for a page to do, once, and opens a page if there is none', async () => {
    await del(TAPPED);
    await set(DEVICE_RECEIVER, 'rosas-phone');
    const world = browser();
    await world.push(fresh());
    await world.tap('acknowledge');
    expect(world.opened).toEqual(['https://clearway.example/routes/leeds']);
    const page = world.page();
    await world.push(fresh());
    await world.tap('acknowledge');
    expect(page.said.at(-1)).toEqual({ type: 'TAPPED' });
    expect([page.went, world.titles()]).toEqual([[], []]);
    expect(await get(TAPPED)).toMatchObject([
      {
        id: 'msg_1 acknowledge',
        receiver: 'rosas-phone',
        severity: 'critical',
        event_ids: ['national-highways:1'],
      },
    ]);
    await world.push(fresh());
    await world.tap('snooze');
    expect(((await get(TAPPED)) as Tapped[]).map(({ action }) => action)).toEqual(['acknowledge', 'snooze']);
  });

  it('ignores a button of a message to somebody who has left', async () => {
    await del(TAPPED);
    await set(DEVICE_RECEIVER, 'rosas-phone');
    const world = browser();
    await world.push(fresh());
    await set(DEVICE_RECEIVER, 'sams-phone');
    await world.tap('snooze');
    expect(await get(TAPPED)).toBeUndefined();
  });

  it('reports a message to the pages even if the browser refused to show it', async () => {
    await set(DEVICE_RECEIVER, 'rosas-phone');
    const world = browser({ beforeShown: () => Promise.reject(new TypeError('No permission')) });
    const page = world.page();
    await world.push(fresh());
    expect(page.said).toEqual([{ type: 'PUSHED', unseen: 2 }]);
  });

  it('leaves nothing of a message that was being shown while its person signed out', async () => {
    await set(DEVICE_RECEIVER, 'rosas-phone');
    const world = browser({ beforeShown: () => forgetPushes(world.self) });
    const page = world.page();
    await world.push(fresh({ criticals: 1 }));
    expect([world.titles(), page.said, world.badges]).toEqual([[], [], []]);
  });

  it('forgets at sign-out taps that no page has taken', async () => {
    await set(DEVICE_RECEIVER, 'rosas-phone');
    const world = browser();
    await world.push(fresh());
    await world.tap('acknowledge');
    expect(await get(TAPPED)).toHaveLength(1);
    await forgetPushes(world.self);
    expect(await get(TAPPED)).toBeUndefined();
  });

  it('opens a page for a tap if it cannot be kept, and a new page if no open page can be led there', async () => {
    await set(DEVICE_RECEIVER, 'rosas-phone');
    const world = browser();
    const page = world.page();
    await world.push(fresh());
    const full = vi.spyOn(usual(), 'set').mockImplementation(() => {
      throw new DOMException('Full', 'QuotaExceededError');
    });
    await world.tap('acknowledge');
    full.mockRestore();
    expect(page.went).toEqual(['https://clearway.example/routes/leeds']);
    expect(page.said.at(-1)).not.toEqual({ type: 'TAPPED' });

    page.isStuck = true;
    await world.push(fresh());
    await world.tap();
    expect(world.opened).toEqual(['https://clearway.example/routes/leeds']);
  });

  it('says nothing if it cannot read who is signed in', async () => {
    await set(DEVICE_RECEIVER, 'rosas-phone');
    const world = browser();
    const broken = vi.spyOn(usual(), 'get').mockImplementation(() => {
      throw new DOMException('Gone', 'InvalidStateError');
    });
    await world.push(fresh());
    broken.mockRestore();
    expect(world.titles()).toEqual([]);
  });

  it('keeps a tap beside entries that it cannot read', async () => {
    await set(DEVICE_RECEIVER, 'rosas-phone');
    const unknown = { id: 'msg_0 close', action: 'close', event_ids: [] };
    for (const stored of ['torn', [null, { id: 'msg_0 acknowledge' }, unknown]]) {
      await set(TAPPED, stored);
      const world = browser();
      world.page();
      await world.push(fresh({ event_ids: ['national-highways:1', 7, null] as string[] }));
      await world.tap('snooze');
      expect(await get(TAPPED)).toMatchObject([{ id: 'msg_1 snooze', event_ids: ['national-highways:1'] }]);
    }
  });
});
