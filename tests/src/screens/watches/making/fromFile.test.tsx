import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import type { CoursePart, Position } from '#contract/watches/watches.ts';
import type { Resolved } from '../../../../../src/api/watches/oneWatch.ts';
import { FromFile } from '../../../../../src/screens/watches/making/FromFile.tsx';

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
