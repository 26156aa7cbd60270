import { describe, expect, it } from 'vitest';
import { ownAddress, type Pushed, shownAs } from '../../sw/push.ts';

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
  });

  it('has buttons where the platform has two, for the incidents that it names', () => {
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
    expect(shownAs({ ...pushed, valid_until: 'soon' }, { receiver: 'rosas-phone', now: NOW })).toBeNull();
  });

  it('opens pages of this app alone', () => {
    const origin = 'https://clearway.example';
    expect(ownAddress('/routes/leeds', origin)).toBe('https://clearway.example/routes/leeds');
    for (const address of ['https://evil.example/', '//evil.example/x', 'javascript:alert(1)', undefined, 7])
      expect(ownAddress(address, origin)).toBe('https://clearway.example/messages');
  });
});
