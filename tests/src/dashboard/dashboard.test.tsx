import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DashboardPage } from '../../../src/dashboard/DashboardPage.tsx';
import { json, startFakeServer } from '../api/fakeServer.ts';

let server: ReturnType<typeof startFakeServer>;
beforeEach(() => {
  localStorage.clear();
  server = startFakeServer();
});
afterEach(() => vi.unstubAllGlobals());

it('the dashboard shows its fixed figures, the quick-start list and the example request', () => {
  render(<DashboardPage />);
  const figure = (name: string) => screen.getByText(name, { selector: 'dt' }).closest('div')!.textContent;
  expect(figure('Events')).toMatch(/^Events3,183/);
  expect(figure('Cities')).toMatch(/^Cities158/);
  expect(screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([
    'Create an API key',
    'View API docs',
    'Make a first request',
  ]);
  expect(screen.getByLabelText('Example request').textContent).toMatch(
    /^GET \/api\/v1\/events\?venue_town=\w+&limit=10\nAuthorization: Bearer /,
  );
});

describe('the documentation', () => {
  const press = async () => {
    const opened = vi.spyOn(window, 'open').mockClear().mockReturnValue(null);
    render(<DashboardPage />);
    await userEvent.setup().click(screen.getByRole('button', { name: 'View API docs' }));
    return opened;
  };
  const addressWith = (token: string) => `${location.origin}/docs?${new URLSearchParams({ token })}`;
  /** As far as anybody looks into it who cannot check its signature. */
  const tokenUntil = (ms: number) => `e30.${btoa(JSON.stringify({ exp: Math.floor(ms / 1000) }))}.signature`;

  it('opens with a ticket that is good once', async () => {
    localStorage.setItem('access_token', server.signedIn().access_token);
    server.answers.set('auth/docs-ticket', () => json(200, { ticket: 'once', expires_in: 60 }));
    const opened = await press();
    await vi.waitFor(() => expect(opened).toHaveBeenCalled());
    expect(opened.mock.calls.map((call) => call.slice(0, 2))).toEqual([[addressWith('once'), '_blank']]);
  });

  it.each(['a token', 'status 503'] as const)(
    'opens with the stored token where there are none',
    async (how) => {
      localStorage.setItem('access_token', server.signedIn().access_token);
      const token = localStorage.getItem('access_token')!;
      if (how === 'status 503') server.line = how;
      const opened = await press();
      await vi.waitFor(() => expect(opened).toHaveBeenCalled());
      expect(opened.mock.calls.map((call) => call.slice(0, 2))).toEqual([[addressWith(token), '_blank']]);
    },
  );

  it('opens with a new token where the stored one has expired', async () => {
    const { refresh_token } = server.signedIn();
    localStorage.setItem('refresh_token', refresh_token);
    localStorage.setItem('access_token', tokenUntil(Date.now() - 600_000));
    const opened = await press();
    await vi.waitFor(() => expect(opened).toHaveBeenCalledTimes(1));
    expect(opened.mock.calls[0]![0]).toBe(addressWith(localStorage.getItem('access_token')!));
    expect(localStorage.getItem('access_token')).toMatch(/^access-/);
  });

  it('leads to the sign-in without one', async () => {
    const opened = await press();
    expect(opened).not.toHaveBeenCalled();
    expect(location.pathname).toBe('/login');
  });
});
