import { act, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { NO_OUTLOOK } from '../../../../src/api/alerts/feeds.ts';
import { BoardPage } from '../../../../src/screens/board/BoardPage.tsx';
import { alert, minutesBefore, row, START, startBoardServer } from './boardServer.ts';

const kept = {
  data: { rows: [row('rail-network', [alert('a')])], outlook: NO_OUTLOOK },
  at: new Date(minutesBefore(12)),
};

vi.mock('../../../../src/offline/snapshot.ts', () => ({
  saveSnapshot: async () => {},
  loadSnapshot: () => new Promise((resolve) => setTimeout(() => resolve(kept), 2000)),
}));

it('never shows an empty board while it is still reading its snapshot', async () => {
  vi.useFakeTimers();
  vi.setSystemTime(START);
  const server = startBoardServer();
  server.cut();
  render(<BoardPage />);

  await act(() => vi.advanceTimersByTimeAsync(1500));
  expect(screen.queryByText('No feeds available')).toBeNull();
  expect(screen.getByRole('article', { name: 'Aviation' })).toBeTruthy(); // the five empty rows

  await act(() => vi.advanceTimersByTimeAsync(1000));
  expect(screen.getAllByText('Title of a').length).toBeGreaterThan(0);
  expect(screen.getByText(/Not updating since/)).toBeTruthy();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});
