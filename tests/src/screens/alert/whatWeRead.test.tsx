import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { WhatWeRead } from '../../../../src/screens/alert/WhatWeRead.tsx';
import { saveTokens } from '../../../../src/api/tokens.ts';
import { json, startFakeServer } from '../../api/fakeServer.ts';

const EVENT_ID = 'traffic-wales:1';
const READ = {
  sentence: 'Read as A55 eastbound.',
  title: [
    { words: 'A55', use: 'affected' as const },
    { words: ' Eastbound: closed', use: null },
  ],
  text: [
    { words: 'A55', use: 'affected' as const },
    { words: ', Eastbound, closed', use: null },
  ],
};

afterEach(() => vi.unstubAllGlobals());

it('marks the words with their use, and shows a text once that begins with its title', () => {
  render(<WhatWeRead eventId={EVENT_ID} read={READ} />);

  expect(screen.getAllByText('(affected)')).toHaveLength(1);
});

it('keeps what somebody reports as wrong', async () => {
  const server = startFakeServer();
  saveTokens(server.signedIn());
  server.answers.set('disruptions/reading-faults', () => json(200, {}));
  render(<WhatWeRead eventId={EVENT_ID} read={READ} />);
  await userEvent.click(screen.getByRole('button', { name: 'This is wrong' }));

  expect((await screen.findByRole('status')).textContent).toContain('Kept with its words');
});
