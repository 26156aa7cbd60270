import { expect, it } from 'vitest';
import { inStep, type Steps } from '../../../../server/incidents/facts/inStep.ts';

it('lets each work take a step before one of them takes the next, and gives the results in order', () => {
  const taken: string[] = [];
  const work = function* (name: string, steps: number): Steps<string> {
    for (let step = 1; step < steps; step++) {
      taken.push(`${name}${step}`);
      yield;
    }
    return name;
  };

  expect(inStep([work('a', 3), work('b', 1), work('c', 3)])).toEqual(['a', 'b', 'c']);
  expect(taken).toEqual(['a1', 'c1', 'a2', 'c2']);
});
