import { act, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { useSession } from '../../../../src/session/session.ts';
import { EventsPage, NotificationsPage, VenuePage } from '../../../../src/screens/preview/EventsPage.tsx';
import { riskOf } from '../../../../src/screens/preview/SamplePage.tsx';
import { SetupPage } from '../../../../src/screens/preview/SetupPage.tsx';

const signedInAs = (role: 'user' | 'admin') =>
  useSession.setState({ status: 'signedIn', user: { id: 'u-1', role } as never, offline: false });

beforeEach(() => signedInAs('user'));
afterEach(() => useSession.setState(useSession.getInitialState(), true));

const figure = (name: string) => screen.getByText(name, { selector: 'dt, dt *' }).closest('div')!.textContent;

it.each([
  [100, 'red', 'Severe'],
  [75, 'red', 'Severe'],
  [74, 'orange', 'High'],
  [50, 'orange', 'High'],
  [49, 'amber', 'Raised'],
  [25, 'amber', 'Raised'],
  [24, 'green', 'Low'],
  [0, 'green', 'Low'],
])('a risk of %i is %s: %s', (score, colour, word) => {
  expect(riskOf(score)).toEqual({ colour, word });
});

it.each([
  ['events dashboard', EventsPage],
  ['venue impact', VenuePage],
  ['notifications', NotificationsPage],
])('%s: the sign of the demo board is before anything invented', (_, SamplePage) => {
  const { container } = render(<SamplePage />);
  const sign = screen.getByText('Demo data. Not live.').closest('[role="status"]')!;
  expect(container.firstElementChild).toBe(sign);
  expect(screen.getAllByRole('status')).toHaveLength(1);
});

it('no sample page asks the server, even after minutes', () => {
  vi.useFakeTimers();
  const fetch = vi.spyOn(globalThis, 'fetch');
  for (const SamplePage of [EventsPage, VenuePage, NotificationsPage, SetupPage]) {
    const { unmount } = render(<SamplePage />);
    act(() => vi.advanceTimersByTime(180_000));
    unmount();
  }
  expect(fetch).not.toHaveBeenCalled();
  fetch.mockRestore();
  vi.useRealTimers();
});

describe('the events dashboard', () => {
  it('sums up its samples', () => {
    render(<EventsPage />);
    expect(figure('Active events')).toBe('Active events3');
    expect(figure('Active alerts')).toBe('Active alerts9');
    expect(figure('Total attendees')).toBe('Total attendees157K');
  });

  it('shows each with its risk, its status, its alerts and where to go', () => {
    render(<EventsPage />);
    const rows = screen
      .getAllByRole('heading', { level: 3 })
      .map((heading) => within(heading.closest('li')!));
    expect(rows.map((row) => row.getByRole('img').getAttribute('aria-label'))).toEqual([
      'Risk 82 of 100, Severe',
      'Risk 61 of 100, High',
      'Risk 34 of 100, Raised',
      'Risk 12 of 100, Low',
    ]);
    expect(rows[0]!.getByText('Active')).toBeTruthy();
    expect(rows[0]!.getByText('1 Critical')).toBeTruthy();
    expect(rows[0]!.getByText(/74,500 attendees/)).toBeTruthy();
    expect(rows[0]!.getByText('View Venue Impact').getAttribute('href')).toBe(
      '/events/wales-australia/venue',
    );
    expect(rows[0]!.getByText('View Alerts').getAttribute('href')).toBe('/notifications');
    expect(rows[3]!.getByText('No active alerts')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Add New Event' }).getAttribute('href')).toBe('/event-setup');
  });

  it('links to the administration only for administrators', () => {
    const { rerender } = render(<EventsPage />);
    expect(screen.queryByRole('link', { name: 'Admin' })).toBeNull();
    act(() => signedInAs('admin'));
    rerender(<EventsPage />);
    expect(screen.getByRole('link', { name: 'Admin' }).getAttribute('href')).toBe('/admin/analytics');
  });
});

describe('the venue impact', () => {
  it('begins with transport, and has one other sample, for weather', async () => {
    const user = userEvent.setup();
    render(<VenuePage />);
    expect(screen.getByRole('img', { name: 'Risk 82 of 100, Severe' })).toBeTruthy();
    const panel = () => within(screen.getByRole('tabpanel'));
    expect(panel().getByText('Westgate Street and Castle Street closed')).toBeTruthy();

    await user.click(screen.getByRole('tab', { name: 'Weather' }));
    expect(panel().getByText('Yellow wind warning, Bristol Channel')).toBeTruthy();
    await user.click(screen.getByRole('tab', { name: 'Security' }));
    expect(panel().getByText('The sample has nothing on security.')).toBeTruthy();
    await user.click(screen.getByRole('tab', { name: 'Crowds' }));
    expect(panel().getByText('The sample has nothing on crowds.')).toBeTruthy();
  });

  it('works with arrow keys, round and to the ends', async () => {
    const user = userEvent.setup();
    render(<VenuePage />);
    const chosen = () => screen.getByRole('tab', { selected: true }).textContent!.trim();
    screen.getByRole('tab', { name: 'Transport' }).focus();
    await user.keyboard('{ArrowLeft}');
    expect(chosen()).toBe('Crowds');
    expect(document.activeElement).toBe(screen.getByRole('tab', { name: 'Crowds' }));
    await user.keyboard('{ArrowRight}{ArrowRight}');
    expect(chosen()).toBe('Weather');
    await user.keyboard('{End}');
    expect(chosen()).toBe('Crowds');
    await user.keyboard('{Home}');
    expect(chosen()).toBe('Transport');
  });
});

describe('the notifications', () => {
  it('are under a heading that screen readers can jump to', () => {
    render(<NotificationsPage />);
    expect(screen.getByRole('heading', { level: 2, name: 'Alerts' })).toBeTruthy();
  });

  it('counts its samples by severity', () => {
    render(<NotificationsPage />);
    expect(['Critical', 'High', 'Moderate', 'Low'].map(figure)).toEqual([
      'Critical1',
      'High3',
      'Moderate4',
      'Low1',
    ]);
  });

  it('shows all, the critical ones only, or the moderate ones only', async () => {
    const user = userEvent.setup();
    render(<NotificationsPage />);
    const shown = () => screen.getAllByRole('listitem');
    const words = () => new Set(shown().map((row) => row.firstElementChild!.textContent));
    expect(shown()).toHaveLength(9);
    await user.click(screen.getByRole('radio', { name: 'Critical Only' }));
    expect([...words()]).toEqual(['Critical']);
    await user.click(screen.getByRole('radio', { name: 'Moderate Only' }));
    expect([...words()]).toEqual(['Moderate']);
    expect(shown()).toHaveLength(4);
    await user.click(screen.getByRole('radio', { name: 'All' }));
    expect(shown()).toHaveLength(9);
  });
});
