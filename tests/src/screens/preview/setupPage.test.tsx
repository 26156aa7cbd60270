import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { clearSnapshots } from '../../../../src/offline/snapshot.ts';
import {
  EMPTY_DRAFT,
  parseCount,
  SetupDraft,
  watchedFrom,
  SetupPage,
} from '../../../../src/screens/preview/SetupPage.tsx';
import { startScope } from '../../../../src/api/tokens.ts';

let user: ReturnType<typeof userEvent.setup>;

beforeEach(async () => {
  localStorage.clear();
  await clearSnapshots();
  startScope();
  user = userEvent.setup();
});

const open = async () => {
  const page = render(<SetupPage />);
  await screen.findByText(/^Step \d of 4$/);
  return page;
};
const press = (name: string) => user.click(screen.getByRole('button', { name }));
const step = () => screen.getByText(/^Step \d of 4$/).textContent;
const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name);

it('goes through four steps and back, with no required fields', async () => {
  await open();
  const seen: unknown[] = [];
  for (const _ of '1234') {
    seen.push([step(), screen.getByRole('heading', { level: 2 }).textContent]);
    if (seen.length < 4) await press('Next');
  }
  expect(seen).toEqual([
    ['Step 1 of 4', 'Event Basics'],
    ['Step 2 of 4', 'Location'],
    ['Step 3 of 4', 'Schedule'],
    ['Step 4 of 4', 'Settings'],
  ]);
  expect(screen.queryByRole('button', { name: 'Next' })).toBeNull();
  expect(document.activeElement?.textContent).toBe('Settings');
  await press('Back');
  expect(step()).toBe('Step 3 of 4');
  expect(screen.queryByText('Demo data. Not live.')).toBeNull();

  await press('Next');
  await press('Start Watching This Event');
  expect(screen.getByRole('heading', { name: 'Event Watch Activated' })).toBeTruthy();
  expect(screen.getByRole('status').textContent).toBe('Demo data. Not live.');
  expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('86');
  expect(screen.getByText(/gathering progress/).textContent).toBe('86% gathering progress');
  expect(screen.getByRole('link', { name: 'View Events Dashboard' }).getAttribute('href')).toBe('/events');
  expect(screen.getByRole('button', { name: 'Invite Team' })).toBeTruthy();
});

it('offers what is specified, with its defaults', async () => {
  await open();
  const boxes = (name: string) =>
    [...screen.getByRole('group', { name }).querySelectorAll('input')].map(
      (box) => `${box.closest('label')!.textContent}${box.checked ? ' *' : ''}`,
    );
  expect([...field('Event type').querySelectorAll('option')].map(({ textContent }) => textContent)).toEqual([
    'Concert',
    'Conference',
    'Sports',
    'Festival',
    'Corporate',
    'Other',
  ]);
  await press('Next');
  expect(boxes('Transport modes')).toEqual(['Tube', 'Rail', 'Bus', 'Road', 'Ferry']);
  expect(field('Include the broader area (2 km)').checked).toBe(false);
  await press('Next');
  expect(boxes('Monitoring window')).toEqual([
    'Week before',
    '3 days before *',
    'Event day only',
    'Continuous',
  ]);
  await press('Next');
  expect(boxes('Watch for')).toEqual(['Rail', 'Tube', 'Bus', 'Road', 'Weather', 'Protest']);
  expect(boxes('Alert methods')).toEqual(['Email', 'SMS', 'Dashboard only']);
  for (const name of ['Transport', 'Weather', 'Crowd', 'Overlap']) {
    const slider = field(`${name} sensitivity`);
    expect([slider.min, slider.max, slider.step, slider.value]).toEqual(['0', '100', '5', '50']);
  }
});

describe('the draft', () => {
  it('survives a reload at the step where it was left', async () => {
    const page = await open();
    await user.type(field('Event name'), 'Cup final');
    await user.type(field('Attendance'), '74500');
    await press('Next');
    await user.type(field('Venue name'), 'Hampden Park');
    await user.click(field('Ferry'));
    page.unmount();

    await open();
    expect(step()).toBe('Step 2 of 4');
    expect(field('Venue name').value).toBe('Hampden Park');
    expect(field('Ferry').checked).toBe(true);
    await press('Back');
    expect([field('Event name').value, field('Attendance').value]).toEqual(['Cup final', '74500']);
  });

  it('is deleted with its session', async () => {
    const page = await open();
    await user.type(field('Event name'), 'Cup final');
    page.unmount();
    startScope();
    await open();
    expect(field('Event name').value).toBe('');
  });

  it('is reported as saved, and sends nothing', async () => {
    const fetched = vi.spyOn(globalThis, 'fetch');
    await open();
    expect(screen.getByRole('alert').textContent).toBe('');
    await press('Save Draft');
    expect(screen.getByRole('alert').textContent).toBe('Draft saved successfully');
    await user.type(field('Event name'), 'x');
    expect(screen.getByRole('alert').textContent).toBe('');
    expect(fetched).not.toHaveBeenCalled();
  });

  it('is not called saved if this browser stores nothing', async () => {
    await open();
    vi.spyOn(globalThis.keptStores!.get('clearway-snapshots/snapshots')!, 'set').mockImplementationOnce(
      () => {
        throw new DOMException('full', 'QuotaExceededError');
      },
    );
    await press('Save Draft');
    expect(screen.getByRole('alert').textContent).toMatch(/^The draft could not be saved/);
  });

  it('starts again with another event, and after the last step', async () => {
    await open();
    await user.type(field('Event name'), 'Cup final');
    for (const _ of '123') await press('Next');
    await press('Start Watching This Event');
    expect(screen.getByText(/Watching from/).textContent).toMatch(/^Cup final\. Watching from/);
    await press('Add Another Event');
    await waitFor(() => expect(step()).toBe('Step 1 of 4'));
    expect(field('Event name').value).toBe('');
  });

  it('keeps what can be read of an older version', () => {
    expect(SetupDraft.parse({ eventName: 'Cup final', attendance: 'many', watchTypes: ['aliens'] })).toEqual({
      ...EMPTY_DRAFT,
      eventName: 'Cup final',
    });
  });
});

it.each([
  ['', 0],
  ['12', 12],
  ['12.9', 12],
  ['-3', 0],
  ['1e3', 1],
  ['twelve', 0],
  ['99999999999999999999', 0],
])('reads the count "%s" as %i', (typed, count) => {
  expect(parseCount(typed)).toBe(count);
});

it.each([
  ['week-before', '2026-12-14'],
  ['3-days-before', '2026-12-18'],
  ['event-day-only', '2026-12-21'],
  ['continuous', '2026-11-21'],
] as const)('watches %s from %s', (monitoringWindow, from) => {
  const draft = { ...EMPTY_DRAFT, startDate: '2026-12-21', monitoringWindow };
  const today = new Date('2026-11-21T12:00:00Z');
  expect(watchedFrom(draft, today).toISOString().slice(0, 10)).toBe(from);
});

it('watches at once when the setup days begin before any calendar date', () => {
  const draft = { ...EMPTY_DRAFT, startDate: '2026-12-21', setupDays: 9_999_999_999_999 };
  const today = new Date('2026-11-21T12:00:00Z');
  expect(watchedFrom(draft, today)).toBe(today);
});
