import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { saveTokens } from '../../../../src/api/tokens.ts';
import { KeysPage } from '../../../../src/screens/keys/KeysPage.tsx';
import { useSession } from '../../../../src/session/session.ts';
import { json, startFakeServer } from '../../api/fakeServer.ts';

const FULL = 'cw_live_7Kq2VnX9bT4mHs8RzY1pLd6WfJ3cGa5E';
const MASKED = 'cw_live_7Kq2…Ga5E';

const PRODUCTION = {
  id: 'k1',
  name: 'Production',
  key: FULL,
  key_prefix: 'cw_live_7Kq2',
  rate_limit_tier: 'free',
  created_at: '2026-11-21T11:58:00.000Z',
  last_used_at: null,
  requests_today: 0,
  requests_month: 0,
};
const OLDER = {
  id: 'k2',
  name: '  ',
  key_prefix: 'cw_live_9Xa1',
  rate_limit_tier: 'pro',
  created_at: '2026-09-03T08:12:00.000Z',
  last_used_at: '2026-11-20T22:05:00.000Z',
  requests_today: 312,
  requests_month: 18_204,
};

let server: ReturnType<typeof startFakeServer>;
let user: ReturnType<typeof userEvent.setup>;
let kept: object[];

beforeEach(() => {
  localStorage.clear();
  server = startFakeServer();
  saveTokens(server.signedIn());
  useSession.setState({ offline: false });
  user = userEvent.setup();
  kept = [PRODUCTION, OLDER];
  server.answers.set('keys/', ({ method, body }) => {
    if (method === 'GET') return json(200, kept);
    const made = { ...PRODUCTION, id: 'k3', name: body['name'], key: FULL };
    kept = [made, ...kept];
    return json(201, made);
  });
  server.answers.set('analytics/events', () => json(200, {}));
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const row = (name: string) => screen.findByRole('row', { name: new RegExp(name) });
const create = () => screen.getByRole('button', { name: 'Create New Key' });
const openForm = async () => {
  await user.click(create());
  return within(screen.getByRole('region', { name: 'New key' }));
};
const rateLimit = (id: string, limit: object) =>
  server.answers.set(`keys/${id}/rate-limit`, () => json(200, limit));

describe('the list of keys', () => {
  it('shows each with its tier, times in London and use, and says Never and Untitled key', async () => {
    render(<KeysPage />);
    expect(screen.getByText('Loading...')).toBeTruthy();
    const cells = async (name: string) =>
      within(await row(name))
        .getAllByRole('cell')
        .map(({ textContent }) => textContent);

    expect(await cells('Production')).toEqual([
      'Production',
      `${MASKED}Reveal Production`,
      'free',
      '21 Nov 2026, 11:58',
      'Never',
      '0',
      '0',
      ' Delete Production',
    ]);
    expect(await cells('Untitled key')).toEqual([
      'Untitled key',
      'cw_live_9Xa1This key was created before full-key storage was enabled. Create a new key to reveal the complete value here.',
      'pro',
      '3 Sept 2026, 09:12',
      '20 Nov 2026, 22:05',
      '312',
      '18,204',
      ' Delete Untitled key',
    ]);
    expect(screen.getByText('2 keys')).toBeTruthy();
  });

  it('masks a key until it is revealed, and again when it is hidden', async () => {
    const { container } = render(<KeysPage />);
    await user.click(await screen.findByRole('button', { name: 'Reveal Production' }));
    expect(screen.getByText(FULL)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Hide Production' }));
    expect(screen.getByText(MASKED)).toBeTruthy();
    expect(container.innerHTML).not.toContain(FULL);
  });

  describe('when the password was given too long ago', () => {
    const { key: _key, ...hidden } = { ...PRODUCTION, key_hidden: true };
    const show = async () =>
      user.click(await screen.findByRole('button', { name: 'Confirm your password to show Production' }));
    const dialog = () => within(screen.getByRole('dialog', { name: 'Confirm your password' }));
    beforeEach(() => {
      kept = [hidden, OLDER];
    });

    it('shows its prefix, and in full once the password is confirmed', async () => {
      server.answers.set('auth/confirm', ({ body }) => {
        if (body['current_password'] !== 'right')
          return json(403, { detail: 'This is not your current password.' });
        kept = [PRODUCTION, OLDER];
        return json(204, null);
      });
      render(<KeysPage />);
      expect(within(await row('Production')).getByText('cw_live_7Kq2…')).toBeTruthy();
      expect(within(await row('Untitled key')).getByText(/before full-key storage/)).toBeTruthy();
      await show();
      await user.type(dialog().getByLabelText('Your password'), 'wrong');
      await user.click(dialog().getByRole('button', { name: 'Show keys' }));
      expect((await dialog().findByRole('alert')).textContent).toBe('This is not your current password.');
      await user.clear(dialog().getByLabelText('Your password'));
      await user.type(dialog().getByLabelText('Your password'), 'right');
      await user.click(dialog().getByRole('button', { name: 'Show keys' }));
      expect(await screen.findByText(MASKED)).toBeTruthy();
      expect(screen.queryByRole('dialog')).toBeNull();
    });

    it('keeps the focus while the password is being confirmed', async () => {
      let answer = () => {};
      server.answers.set('auth/confirm', async () => {
        await new Promise<void>((resolve) => (answer = resolve));
        return json(403, { detail: 'This is not your current password.' });
      });
      render(<KeysPage />);
      await show();
      await user.type(dialog().getByLabelText('Your password'), 'wrong');
      const button = dialog().getByRole('button', { name: 'Show keys' });
      await user.click(button);
      await vi.waitFor(() => expect(button.getAttribute('aria-disabled')).toBe('true'));
      expect(document.activeElement).toBe(button);
      answer();
      await dialog().findByRole('alert');
      expect(document.activeElement).toBe(button);
    });

    it('asks for a code as well, if the server does', async () => {
      server.answers.set('auth/confirm', ({ body }) => {
        if (!body['code']) return json(403, { detail: 'Enter the code.', reason: 'second_factor_required' });
        expect(body).toEqual({ current_password: 'right', code: '492039' });
        kept = [PRODUCTION];
        return json(204, null);
      });
      render(<KeysPage />);
      await show();
      expect(dialog().queryByLabelText('Code')).toBeNull();
      await user.type(dialog().getByLabelText('Your password'), 'right');
      await user.click(dialog().getByRole('button', { name: 'Show keys' }));
      await user.type(await dialog().findByLabelText(/^Code/), '492039');
      await user.click(dialog().getByRole('button', { name: 'Show keys' }));
      expect(await screen.findByText(MASKED)).toBeTruthy();
    });
  });

  it('says how many requests are left of the day, if the server does', async () => {
    rateLimit('k1', { limit_per_day: null, remaining: null });
    rateLimit('k2', { limit_per_day: 50_000, remaining: 49_688, resets_at: '2026-11-22T00:00:00Z' });
    render(<KeysPage />);
    expect(await within(await row('Production')).findByText('no limit')).toBeTruthy();
    expect(await within(await row('Untitled key')).findByText('49,688 of 50,000 left')).toBeTruthy();
  });

  it('says when a used-up key can be used again', async () => {
    rateLimit('k2', { limit_per_day: 1000, remaining: 0, resets_at: '2026-07-22T00:00:00Z' });
    render(<KeysPage />);
    expect(await screen.findByText('0 of 1,000 left, more from 01:00')).toBeTruthy();
  });

  it('shows what is left for every key again after one was used, because a tier shares one quota', async () => {
    kept = [PRODUCTION, { ...PRODUCTION, id: 'k4', name: 'Staging' }];
    const left = (remaining: number) =>
      ['k1', 'k4'].forEach((id) => rateLimit(id, { limit_per_day: 1000, remaining }));
    left(1000);
    render(<KeysPage />);
    expect(await within(await row('Staging')).findByText('1,000 of 1,000 left')).toBeTruthy();

    kept = [{ ...PRODUCTION, requests_today: 5 }, kept[1]!];
    left(995);
    const form = await openForm();
    await user.type(form.getByRole('textbox'), 'Signs');
    await user.click(form.getByRole('button', { name: 'Create Key' }));

    expect(await within(await row('Production')).findByText('995 of 1,000 left')).toBeTruthy();
    expect(await within(await row('Staging')).findByText('995 of 1,000 left')).toBeTruthy();
  });

  it('is read as far as possible: only the id is needed', async () => {
    kept = [{ id: 7, rate_limit_tier: 'gold', requests_today: 'many', created_at: 'once' }];
    render(<KeysPage />);
    const found = within(await row('Untitled key'));
    expect(found.getByText('gold')).toBeTruthy();
    expect(found.getByText('Never')).toBeTruthy();
    expect(found.getAllByText('0')).toHaveLength(2);
  });

  it('says "No API Keys Yet" when it is empty', async () => {
    kept = [];
    render(<KeysPage />);
    expect(await screen.findByRole('heading', { name: 'No API Keys Yet' })).toBeTruthy();
  });

  it('reports once that it was opened', async () => {
    render(<KeysPage />);
    await waitFor(() => expect(server.callsTo('analytics/events')).toHaveLength(1));
    expect(server.callsTo('analytics/events')[0]!.body).toMatchObject({
      event_type: 'api_keys_viewed',
      event_category: 'navigation',
    });
  });
});

describe('without an answer', () => {
  it('says so, and that no copy is kept, and shows the keys when the connection is back', async () => {
    server.line = 'cut';
    useSession.setState({ offline: true });
    render(<KeysPage />);
    expect((await screen.findByRole('alert')).textContent).toBe('Failed to load API keys');
    expect(screen.getByText(/never stored on this device/)).toBeTruthy();
    expect(screen.queryByText('No API Keys Yet')).toBeNull();

    server.line = 'good';
    fireEvent(window, new Event('online'));
    expect(await row('Production')).toBeTruthy();
    expect(screen.queryByRole('alert')).toBeNull();
    await act(async () => useSession.setState({ offline: false }));
    expect(server.callsTo('keys/')).toHaveLength(2); // one for each time
  });

  it('keeps its list when a later load fails', async () => {
    render(<KeysPage />);
    await row('Production');
    server.answers.set('keys/k1', () => {
      server.line = 'cut';
      return json(200, {});
    });
    await user.click(screen.getByRole('button', { name: 'Delete Production' }));
    await user.click(screen.getByRole('button', { name: 'Delete key' }));
    expect((await screen.findByRole('alert')).textContent).toBe('Failed to load API keys');
    expect(await row('Untitled key')).toBeTruthy();
  });
});

describe('creating a key', () => {
  it('asks for a name, offers the free tier alone, and shows the new key once', async () => {
    render(<KeysPage />);
    await row('Production');
    const form = await openForm();
    const name = form.getByLabelText<HTMLInputElement>('Name');
    expect(document.activeElement).toBe(name);
    expect([name.required, name.placeholder]).toEqual([true, 'Production, Development, Testing']);
    const tier = form.getByLabelText<HTMLSelectElement>('Tier');
    expect([tier.disabled, tier.value]).toEqual([true, 'free']);

    await user.type(name, ' Coaches ');
    await user.click(form.getByRole('button', { name: 'Create Key' }));

    const card = within(await screen.findByRole('region', { name: 'Coaches is ready' }));
    expect(document.activeElement?.textContent).toBe('Coaches is ready');
    expect(card.getByText(FULL)).toBeTruthy();
    expect(
      card.getByText("Make sure to copy your API key now. You won't be able to see it again!"),
    ).toBeTruthy();
    expect(await row('Coaches')).toBeTruthy();
    expect(screen.queryByRole('region', { name: 'New key' })).toBeNull();
    const post = server.callsTo('keys/').find(({ method }) => method === 'POST');
    expect(post?.body).toEqual({ name: ' Coaches ', tier: 'free', id: expect.any(String) });

    await user.click(card.getByRole('button', { name: 'Dismiss' }));
    expect(screen.queryByText(FULL)).toBeNull();
    expect(document.activeElement).toBe(create());
  });

  it('starts again after Cancel', async () => {
    render(<KeysPage />);
    let form = await openForm();
    await user.type(form.getByLabelText('Name'), 'Testing');
    await user.click(form.getByRole('button', { name: 'Cancel' }));
    expect(document.activeElement).toBe(create());
    form = await openForm();
    expect(form.getByLabelText<HTMLInputElement>('Name').value).toBe('');
  });

  it.each([
    [
      'in the words of the server',
      () => json(409, { detail: 'You have 20 API keys, which is the most.' }),
      'You have 20 API keys, which is the most.',
    ],
    ['in ours where it gives none', () => json(500, {}), 'Failed to create API key'],
    ['and takes no answer without a key for one', () => json(201, { id: 'k9' }), 'Failed to create API key'],
  ])('says why it failed %s, and keeps the name', async (_, answer, words) => {
    render(<KeysPage />);
    await row('Production');
    server.answers.set('keys/', answer);
    const form = await openForm();
    await user.type(form.getByLabelText('Name'), 'Testing');
    await user.click(form.getByRole('button', { name: 'Create Key' }));
    expect((await form.findByRole('alert')).textContent).toBe(words);
    expect(form.getByLabelText<HTMLInputElement>('Name').value).toBe('Testing');
  });
});

describe('copying', () => {
  const makeOne = async () => {
    render(<KeysPage />);
    await row('Production');
    const form = await openForm();
    await user.type(form.getByLabelText('Name'), 'Coaches');
    await user.click(form.getByRole('button', { name: 'Create Key' }));
    return within(await screen.findByRole('region', { name: 'Coaches is ready' }));
  };

  it('puts the key on the clipboard and says so for 2 seconds', async () => {
    const card = await makeOne();
    vi.useFakeTimers({ shouldAdvanceTime: false, toFake: ['setTimeout', 'clearTimeout'] });
    await act(async () => void fireEvent.click(card.getByRole('button', { name: 'Copy' })));
    expect(card.getByRole('button', { name: 'Copied' })).toBeTruthy();
    expect(await navigator.clipboard.readText()).toBe(FULL);
    expect(card.getByRole('status').textContent).toBe('Copied to the clipboard');

    act(() => void vi.advanceTimersByTime(1999));
    expect(card.getByRole('button', { name: 'Copied' })).toBeTruthy();
    act(() => void vi.advanceTimersByTime(1));
    expect(card.getByRole('button', { name: 'Copy' })).toBeTruthy();
  });

  it('copies the selection on plain http, and leaves it selected if the browser refuses', async () => {
    const card = await makeOne();
    vi.spyOn(navigator, 'clipboard', 'get').mockReturnValue(undefined as never);
    let copied = '';
    let allowed = true;
    document.execCommand = () => {
      copied = String(getSelection());
      return allowed;
    };
    await user.click(card.getByRole('button', { name: 'Copy' }));
    expect(await card.findByRole('button', { name: 'Copied' })).toBeTruthy();
    expect(copied).toBe(FULL);

    allowed = false;
    await user.click(card.getByRole('button', { name: 'Copied' }));
    expect((await card.findByText(/^Selected\./)).textContent).toContain('Ctrl+C');
    expect(String(getSelection())).toBe(FULL);
    vi.restoreAllMocks();
  });
});

describe('deleting a key', () => {
  const ask = async () => {
    render(<KeysPage />);
    await row('Production');
    await user.click(screen.getByRole('button', { name: 'Delete Production' }));
    return within(screen.getByRole('alertdialog', { name: /^Delete Production ?\?$/ }));
  };

  it('asks first', async () => {
    const dialog = await ask();
    expect(
      dialog.getByText('Are you sure you want to delete this API key? This action cannot be undone.'),
    ).toBeTruthy();
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect(server.callsTo('keys/k1')).toEqual([]);
  });

  it('reads Escape as no', async () => {
    await ask();
    fireEvent(screen.getByRole('alertdialog'), new Event('cancel', { cancelable: true }));
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });

  it.each([
    ['deletes it', () => json(200, null)],
    ['finds it gone already', () => json(404, { detail: 'API key not found' })],
  ])('%s, loads the list again, and says so', async (_, answer) => {
    server.answers.set('keys/k1', answer);
    const dialog = await ask();
    kept = [OLDER];
    await user.click(dialog.getByRole('button', { name: 'Delete key' }));
    expect(await screen.findByText('1 key')).toBeTruthy();
    expect(screen.queryByRole('cell', { name: 'Production' })).toBeNull();
    expect(screen.getByText('was deleted').textContent).toBe('Production was deleted');
    expect(server.callsTo('keys/k1').map(({ method }) => method)).toEqual(['DELETE']);
  });

  it('stays in its question until the list is without it', async () => {
    render(<KeysPage />);
    const lists = server.hold('keys/', 'GET');
    await waitFor(() => expect(lists).toHaveLength(1));
    await act(async () => lists.shift()!());
    server.answers.set('keys/k1', () => new Response(null, { status: 204 }));
    await user.click(within(await row('Production')).getByRole('button', { name: /Delete/ }));
    await user.click(screen.getByRole('button', { name: 'Delete key' }));
    await waitFor(() => expect(lists).toHaveLength(1));
    expect(screen.getByRole('button', { name: 'Deleting...' })).toBeTruthy();
    kept = [OLDER];
    await act(async () => lists.shift()!());
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    expect(screen.queryByRole('row', { name: /Production/ })).toBeNull();
  });

  it('says in the dialog that it failed, and can be tried again', async () => {
    const dialog = await ask();
    server.lines.set('keys/k1', 'cut');
    await user.click(dialog.getByRole('button', { name: 'Delete key' }));
    expect((await dialog.findByRole('alert')).textContent).toBe('Failed to delete API key');

    server.lines.delete('keys/k1');
    server.answers.set('keys/k1', () => json(200, null));
    await user.click(dialog.getByRole('button', { name: 'Delete key' }));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  });
});
