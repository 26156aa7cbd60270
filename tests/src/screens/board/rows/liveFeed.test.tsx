import { act, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Alert } from '../../../../../src/api/alerts/disruptions.ts';
import { LiveFeed } from '../../../../../src/screens/board/rows/LiveFeed.tsx';
import { loopSeconds } from '../../../../../src/feeds/rows/liveLoop.ts';
import { alert, minutesBefore, planned, row as feedRow, START } from '../boardServer.ts';

beforeEach(() => {
  vi.useFakeTimers();
  vi.setSystemTime(START);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const SECOND = 1000;

function Feeds({ feeds, ...rest }: { feeds: Alert[][]; held?: boolean; stale?: boolean; unlisted?: number }) {
  return (
    <>
      <h2 id="title">Rail Network</h2>
      {feeds.map((events, row) => (
        <LiveFeed
          // oxlint-disable-next-line react/no-array-index-key
          key={row}
          feed={feedRow('rail-network').feed}
          events={events}
          unlisted={rest.unlisted ?? 0}
          row={row}
          held={rest.held ?? false}
          long={false}
          stale={rest.stale ?? false}
          feedTitle={`Feed ${row}`}
          describedBy="title"
        />
      ))}
    </>
  );
}

const show = (events: Alert[], rest = {}) => render(<Feeds feeds={[events]} {...rest} />);
const live = () => screen.getByRole('region', { name: /^Live feed/ });
/** Titles to be seen: the lead's, then the queue's. */
const seen = (region = live()) =>
  [...region.querySelectorAll('h3 [class*="words"], [class*="below"] [class*="words"]')].map(
    (title) => title.textContent,
  );
const place = (region = live()) => within(region).getByText(/^Alert \d+ of/).textContent;
const pause = () => screen.getByRole('button', { name: 'Pause' });
const alerts = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    alert(`${index + 1}`, { updated_at: minutesBefore(index + 1) }),
  );

describe('the loop', () => {
  it.each([
    [1, 30],
    [3, 30],
    [4, 30],
    [5, 35],
    [18, 126],
    [20, 140],
  ])('of %i alerts takes %i seconds', (count, seconds) => {
    expect(loopSeconds(count)).toBe(seconds);
    show(alerts(count));
    expect(live().style.getPropertyValue('--loop')).toBe(`${seconds}s`);
  });

  it.each([
    [20, 7],
    [5, 7],
    [3, 10],
  ])('of %i alerts steps every %i seconds', async (count, seconds) => {
    show(alerts(count));
    await pass(seconds * SECOND - 10);
    expect(place()).toBe(`Alert 1 of ${count}`);
    await pass(10);
    expect(place()).toBe(`Alert 2 of ${count}`);
    await pass(seconds * SECOND);
    expect(place()).toBe(`Alert 3 of ${count}`);
  });

  it('lasts no longer than for the 20 alerts that are shown, whatever the server sends', async () => {
    show(alerts(500));
    expect(live().style.getPropertyValue('--loop')).toBe('140s');
    await pass(139 * SECOND);
    expect(place()).toBe('Alert 20 of 20');
    await pass(SECOND);
    expect(place()).toBe('Alert 1 of 20');
  });

  it('shows every alert in its turn and begins again', async () => {
    show(alerts(3));
    expect(seen()).toEqual(['Title of 1', 'Title of 2', 'Title of 3']);
    await pass(10 * SECOND);
    expect(seen()).toEqual(['Title of 2', 'Title of 3', 'Title of 1']);
    await pass(20 * SECOND);
    expect(seen()).toEqual(['Title of 1', 'Title of 2', 'Title of 3']);
  });

  it('does not move with one alert, and then needs no Pause', async () => {
    show(alerts(1));
    await pass(90 * SECOND);
    expect(seen()).toEqual(['Title of 1']);
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('steps row by row, 1.4 seconds after the row above', async () => {
    render(<Feeds feeds={[alerts(5), alerts(5), alerts(5)]} />);
    const places = () => screen.getAllByRole('region').map((region) => place(region)?.split(' ')[1]);
    await pass(7 * SECOND);
    expect(places()).toEqual(['2', '1', '1']);
    await pass(1.4 * SECOND);
    expect(places()).toEqual(['2', '2', '1']);
    await pass(1.4 * SECOND);
    expect(places()).toEqual(['2', '2', '2']);
  });

  it('never steps two rows at once, however many there are', async () => {
    // The sixth row would step with the first: 5 x 1.4 s is 7 s.
    render(<Feeds feeds={Array.from({ length: 6 }, () => alerts(6))} />);
    const places = () => screen.getAllByRole('region').map((region) => place(region));
    let before = places();
    for (let look = 0; look < 90; look += 1) {
      await pass(330);
      const now = places();
      expect(now.filter((text, row) => text !== before[row]).length).toBeLessThan(2);
      before = now;
    }
    expect(before.map((text) => text?.split(' ')[1])).toEqual(['5', '5', '4', '4', '4', '4']); // after 29.7 s
    expect(vi.getTimerCount()).toBeLessThanOrEqual(2); // one for the steps, one for the ages
  });
});

describe('standing still', () => {
  const stands = async () => {
    const before = place();
    await pass(30 * SECOND);
    expect(place()).toBe(before);
  };
  const moves = async () => {
    const before = place();
    await pass(14 * SECOND);
    expect(place()).not.toBe(before);
  };

  it('while a mouse is over it', async () => {
    show(alerts(5));
    fireEvent.pointerEnter(live(), { pointerType: 'mouse' });
    await stands();
    fireEvent.pointerLeave(live(), { pointerType: 'mouse' });
    await moves();
  });

  it('but not just because a finger once touched it', async () => {
    show(alerts(5));
    fireEvent.pointerEnter(live(), { pointerType: 'touch' });
    await moves();
  });

  it('while the keyboard is in it', async () => {
    show(alerts(5));
    act(() => pause().focus());
    await stands();
    act(() => pause().blur());
    await moves();
  });

  it('by its Pause button, until it is pressed again; then the reader can go on by hand', async () => {
    show(alerts(5));
    expect(screen.queryByRole('button', { name: 'Next' })).toBeNull();
    fireEvent.click(pause());
    expect(pause().getAttribute('aria-pressed')).toBe('true');
    await stands();

    fireEvent.click(screen.getByRole('button', { name: 'Next' }));
    expect(place()).toBe('Alert 2 of 5');
    fireEvent.click(pause());
    expect(pause().getAttribute('aria-pressed')).toBe('false');
    await moves();
  });

  it('while its sources are open', async () => {
    const { rerender } = show(alerts(5), { held: true });
    await stands();
    rerender(<Feeds feeds={[alerts(5)]} />);
    await moves();
  });

  it('on its worst alert when its data becomes stale, and is stepped by hand from there', async () => {
    const { rerender } = show(alerts(5));
    await pass(8 * SECOND);
    expect(seen()[0]).not.toBe('Title of 1');
    rerender(<Feeds feeds={[alerts(5)]} stale />);
    expect(seen()).toEqual(['Title of 1', 'Title of 2', 'Title of 3']);
    await pass(60 * SECOND);
    expect(place()).toBe('Alert 1 of 5');
    fireEvent.click(screen.getByRole('button', { name: 'Next' }));
    expect(place()).toBe('Alert 2 of 5');
  });

  it('while its data is stale, without the ages of its alerts', async () => {
    show(alerts(5), { stale: true });
    await stands();
    expect(live().textContent).not.toMatch(/ago/);
  });

  it('while the tab is hidden', async () => {
    const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    show(alerts(5));
    await stands();
    visibility.mockReturnValue('visible');
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    await moves();
  });

  it('from the start for people who asked for less motion', async () => {
    const { matchMedia } = window;
    vi.spyOn(window, 'matchMedia').mockImplementation((query) =>
      query.includes('reduce') ? ({ matches: true } as MediaQueryList) : matchMedia(query),
    );
    show(alerts(5));
    expect(pause().getAttribute('aria-pressed')).toBe('true');
    await stands();
  });

  it('keeps the alert that was being read for at least half its time when it goes on', async () => {
    show(alerts(5));
    await pass(6 * SECOND);
    fireEvent.pointerEnter(live(), { pointerType: 'mouse' });
    await pass(0.5 * SECOND);
    fireEvent.pointerLeave(live(), { pointerType: 'mouse' });
    await pass(3.4 * SECOND);
    expect(place()).toBe('Alert 1 of 5');
    await pass(4.2 * SECOND);
    expect(place()).toBe('Alert 2 of 5');
  });
});

describe('new data', () => {
  it('is taken up without a restart: the lead stays, and the next one follows it', async () => {
    const { rerender } = show(alerts(5));
    await pass(7 * SECOND);
    expect(seen()[0]).toBe('Title of 2');

    const joined = [alert('0', { updated_at: minutesBefore(0) }), ...alerts(5)];
    rerender(<Feeds feeds={[joined]} />);
    expect(seen()[0]).toBe('Title of 2');
    expect(place()).toBe('Alert 3 of 6');
    await pass(7 * SECOND);
    expect(seen()[0]).toBe('Title of 3');
  });

  it('removes an alert that has ended', async () => {
    const { rerender } = show(alerts(3));
    rerender(<Feeds feeds={[alerts(3).slice(1)]} />);
    expect(seen()).toEqual(['Title of 2', 'Title of 3']);
    expect(live().textContent).not.toContain('Title of 1');
  });

  it('shows the changed words of the lead at once', async () => {
    const { rerender } = show(alerts(3));
    const [first, ...others] = alerts(3);
    rerender(<Feeds feeds={[[{ ...first!, title: 'Now worse' }, ...others]]} />);
    expect(seen()[0]).toBe('Now worse');
  });

  it('shows a new critical alert at the next step, and goes on from there', async () => {
    const { rerender } = show(alerts(5));
    await pass(14 * SECOND);
    rerender(<Feeds feeds={[[...alerts(5), alert('k', { severity: 'critical' })]]} />);
    expect(seen()[0]).toBe('Title of 3');
    await pass(7 * SECOND);
    expect(seen()).toEqual(['Title of k', 'Title of 1', 'Title of 2']);
  });
});

describe('its words', () => {
  it('puts the worst first, then the newest, and planned ones last', () => {
    show([
      planned('p', { severity: 'critical' }),
      alert('low', { severity: 'low' }),
      alert('none', { severity: undefined }),
      alert('old', { severity: 'high', updated_at: minutesBefore(50) }),
      alert('new', { severity: 'high', updated_at: minutesBefore(5) }),
      alert('worst', { severity: 'critical', updated_at: minutesBefore(500) }),
    ]);
    const all = within(screen.getByRole('list', { name: 'All alerts' })).getAllByRole('listitem');
    expect(all.map(({ textContent }) => textContent?.split('. ')[0])).toEqual([
      'Critical: Title of worst',
      'High: Title of new',
      'High: Title of old',
      'Low: Title of low',
      'Unrated: Title of none',
      'Critical: Title of p',
    ]);
  });

  it('marks planned ones, with their start', () => {
    show([planned('p')]);
    expect(screen.getByText('From Sun 23:00')).toBeTruthy();
    expect(screen.getByText('Line of p', { selector: '[class*=cause] *' })).toBeTruthy();
    expect(live().textContent).not.toMatch(/ago/);
  });

  it('gives no start time that had passed when the alert was last collected', () => {
    show([planned('p', { start_time: minutesBefore(90) })]);
    expect(screen.getByText('Planned')).toBeTruthy();
    expect(live().textContent).not.toMatch(/from/i);
  });

  it('marks what the publisher did not rate', () => {
    show([alert('u', { severity: 'medium', metadata: { severity_unrated: true } })]);
    expect(screen.getByText('Unrated')).toBeTruthy();
    expect(screen.queryByText('Medium')).toBeNull();
  });

  it('never repeats the title', () => {
    show([alert('a', { title: 'M6 closed', summary_line: 'M6 closed' })]);
    expect(screen.getAllByText('M6 closed')).toHaveLength(1);
  });

  it('says what happens before who reports it', () => {
    const also_reported_by = [{ source: 'nsi-service', title: 'Southern' }];
    const metadata = { phase: 'active', also_reported_by } as Alert['metadata'];
    show([alert('a', { source: 'kb-incidents', summary_line: 'Buses replace trains.', metadata })]);
    const reported = 'Reported by Knowledgebase incidents and National Rail service indicators (Southern)';
    const [spoken] = within(screen.getByRole('list', { name: 'All alerts' })).getAllByRole('listitem');
    expect(spoken!.textContent).toContain(`Title of a. Buses replace trains. ${reported}. Updated`);
  });

  it('never ends a sentence twice', () => {
    show([alert('a', { title: 'M6 closed.', summary_line: 'Use the A50.' })]);
    const [spoken] = within(screen.getByRole('list', { name: 'All alerts' })).getAllByRole('listitem');
    expect(spoken!.textContent).toBe('Medium: M6 closed. Use the A50. Updated 21 Nov 2026, 11:53');
  });

  it('says how many it does not list', () => {
    show(alerts(20), { unlisted: 1225 });
    expect(place()).toBe('Alert 1 of 20, 1,225 more not listed');
  });

  it('hides its movement from screen readers, whose text does not change', async () => {
    show(alerts(5));
    const all = screen.getByRole('list', { name: 'All alerts' });
    const before = all.innerHTML;
    await pass(70 * SECOND);
    expect(all.innerHTML).toBe(before);
    expect(live().getAttribute('aria-live')).toBeNull();
    expect(live().querySelector('[aria-live], [role=status], [role=log]')).toBeNull();
  });
});
