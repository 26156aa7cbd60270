import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { NotOursMark } from '../../../src/watches/NotOursMark.tsx';

it.each([
  ['route', 1, 'Not on our route'],
  ['area', 1, 'Not in our area'],
  ['area', 3, 'None of the 3 in our area'],
  [undefined, 1, 'Not ours'],
])('says for a %s where it is not, of %i', (kind, count, words) => {
  const subjectIds = Array.from({ length: count }, (_, at) => `tfl:${at}`);
  render(<NotOursMark watchId="w1" subjectIds={subjectIds} {...(kind && { kind })} />);
  expect(screen.getByRole('button').textContent).toBe(words);
});
