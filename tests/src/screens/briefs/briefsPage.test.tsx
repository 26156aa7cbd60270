import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { saveTokens } from '../../../../src/api/tokens.ts';
import { BriefsPage } from '../../../../src/screens/briefs/BriefsPage.tsx';
import { json, startFakeServer } from '../../api/fakeServer.ts';

const BRIEF = {
  id: 'b1',
  name: 'Morning brief',
  days: 127,
  times: ['06:00'],
  about: 'jobs',
  horizon: 'today',
  watch_ids: null,
  user_ids: ['anna', 'ben', 'gone'],
  channel_ids: [],
  rev: 1,
  sent: [],
};
const member = (user_id: string, display_name: string) => ({
  user_id,
  display_name,
  is_you: false,
  kinds: [],
});

it('no longer names former members once its people are changed', async () => {
  localStorage.clear();
  history.replaceState(null, '', '/briefs');
  const server = startFakeServer();
  saveTokens(server.signedIn());
  const user = userEvent.setup();
  const saved: unknown[] = [];
  server.answers.set('briefs/', () => json(200, { briefs: [BRIEF] }));
  server.answers.set('briefs/b1', ({ body }) => {
    saved.push(body['user_ids']);
    return json(200, BRIEF);
  });
  server.answers.set('channels/told', () =>
    json(200, { members: [member('anna', 'Anna'), member('ben', 'Ben')] }),
  );
  render(<BriefsPage />);
  await user.click(await screen.findByRole('button', { name: 'Remove Ben' }));
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(saved).toEqual([['anna']]));
});
