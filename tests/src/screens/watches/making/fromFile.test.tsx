import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CoursePart, Position } from '#contract/watches/watches.ts';
import type { Resolved } from '../../../../../src/api/watches/oneWatch.ts';
import { saveTokens } from '../../../../../src/api/tokens.ts';
import { FromFile } from '../../../../../src/screens/watches/making/FromFile.tsx';
import { json, startFakeServer } from '../../../api/fakeServer.ts';

const part = (road: string, from: string, to: string, from_km: number, to_km: number): CoursePart => ({
  road,
  from,
  to,
  from_km,
  to_km,
  direction: 'S',
  line: 'exact',
});
const found = (road: string, from_km: number, to_km: number) => ({
  road,
  lo: 1,
  hi: 2,
  sense: 1 as const,
  from_km,
  to_km,
});
const points: Position[] = [
  [-1.5, 53.8],
  [-0.5, 51.5],
];
const FOUND: Resolved = {
  legs: [{ type: 'exact', points, roads: [found('M1', 0, 200), found('M25', 200, 240)] }],
  course: [part('M1', 'J43', 'J6A', 0, 200), part('M25', 'J21', 'J15', 200, 240)],
  places: [],
  coverage: [],
  problems: [{ level: 'understood', text: 'We think this runs on M1 and M25.', at: null, repairs: [] }],
  length_km: 240,
  geometry: null,
  name: null,
};

function Form() {
  const [resolved, setResolved] = useState<Resolved | null>(FOUND);
  return <FromFile resolved={resolved} onResolved={setResolved} />;
}

it('says once on which roads a file runs, and leaves out roads that were removed', async () => {
  render(<Form />);
  expect(screen.getByText(/We think/).textContent).toBe(
    'We think this runs on M1 J43–J6A southbound, M25 J21–J15 southbound.',
  );
  await userEvent.click(screen.getByRole('button', { name: 'Remove the M25' }));
  expect(screen.getByText(/We think/).textContent).toBe('We think this runs on M1 J43–J6A southbound.');
});

/** A file whose text comes when `give` is called. */
function slowFile(name: string, latitude: number) {
  let give!: (text: string) => void;
  const text = new Promise<string>((resolve) => (give = resolve));
  const coordinates = [-1.5, -1.4].map((longitude) => [longitude, latitude]);
  const file = Object.assign(new File([], name), { text: () => text });
  return { file, give: () => give(JSON.stringify({ type: 'LineString', coordinates })) };
}

describe('a chosen file', () => {
  const found: [string | undefined, string][] = [];
  let server: ReturnType<typeof startFakeServer>;
  const choose = (file: File) =>
    fireEvent.change(screen.getByLabelText(/^A GPX/), { target: { files: [file] } });
  const show = () =>
    render(<FromFile resolved={null} onResolved={(way, name) => found.push([way?.legs[0]?.type, name])} />);
  beforeEach(() => {
    found.length = 0;
    server = startFakeServer();
    saveTokens(server.signedIn());
    server.answers.set('watches/resolve', () => json(200, FOUND));
  });
  afterEach(() => vi.unstubAllGlobals());

  it('takes the place of one that is still being read', async () => {
    const [first, second] = [slowFile('first.json', 53.8), slowFile('second.json', 52.8)];
    show();
    choose(first.file);
    choose(second.file);
    await act(async () => second.give());
    await waitFor(() => expect(found.at(-1)).toEqual(['exact', 'second']));
    await act(async () => first.give());
    expect(server.callsTo('watches/resolve')).toHaveLength(1);
    expect(screen.queryByText('Reading...')).toBeNull();
  });

  it('is refused in words, until another is chosen', async () => {
    show();
    choose(new File(['nonsense'], 'a.json'));
    expect(await screen.findByText('This file holds no track or line that we can read.')).toBeTruthy();
    server.answers.set('watches/resolve', () => json(422, { detail: 'This line is in the sea.' }));
    const { file, give } = slowFile('sea.json', 53.8);
    choose(file);
    expect(screen.getByRole('status').textContent).toBe('Reading...');
    expect(screen.queryByText(/no track or line/)).toBeNull();
    await act(async () => give());
    expect(await screen.findByText('This line is in the sea.')).toBeTruthy();
    expect(found.filter(([type]) => type)).toEqual([]);
  });

  it('is not asked about after the page was left', async () => {
    const { file, give } = slowFile('left.json', 53.8);
    const page = show();
    choose(file);
    page.unmount();
    await act(async () => give());
    expect(server.calls).toEqual([]);
    expect(found).toEqual([[undefined, '']]); // when it was chosen
  });
});
