import { act, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { saveTokens } from '../../../../../src/api/tokens.ts';
import { ByJunctions } from '../../../../../src/screens/watches/making/ByJunctions.tsx';
import { json, startFakeServer } from '../../../api/fakeServer.ts';

let server: ReturnType<typeof startFakeServer>;

function Form() {
  const [text, setText] = useState('');
  return (
    <ByJunctions
      text={text}
      byRouter={false}
      resolved={null}
      onText={setText}
      onResolved={() => {}}
      onNext={() => {}}
    />
  );
}

beforeEach(() => {
  vi.useFakeTimers();
  server = startFakeServer();
  saveTokens(server.signedIn());
  server.answers.set('watches/suggest', ({ query }) => {
    const words = query.get('q')!;
    return json(200, {
      results: [{ text: `${words}ds`, kind: 'place', detail: 'city', latitude: 53.8, longitude: -1.5 }],
    });
  });
  render(<Form />);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const field = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: /^Places and junctions/ });
const type = (value: string) => fireEvent.change(field(), { target: { value } });
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const options = () => screen.queryAllByRole('option').map(({ textContent }) => textContent);

it('suggests places for the words that are being typed, after a pause, and inserts the chosen one', async () => {
  type('Hull, Lee');
  await pass(249);
  expect(server.callsTo('watches/suggest')).toEqual([]);
  await pass(1);
  expect(options()).toEqual(['Leedscityplace']);
  fireEvent.keyDown(field(), { key: 'ArrowDown' });
  fireEvent.keyDown(field(), { key: 'Enter' });
  expect(field().value).toBe('Hull, Leeds, ');
  expect(options()).toEqual([]);
});

it('leaves Home, End, the left arrow and Enter to the text while suggestions are open', async () => {
  type('Lee');
  await pass(250);
  for (const key of ['Home', 'End', 'ArrowLeft', 'Enter'])
    expect(fireEvent.keyDown(field(), { key }), key).toBe(true);
  expect(options()).toHaveLength(1);
});

it('suggests nothing after the field was left', async () => {
  type('Lee');
  await pass(250);
  const held = server.hold('watches/suggest', 'GET');
  type('Leed');
  await pass(250);
  fireEvent.blur(field());
  await act(async () => held[0]!());
  await pass(0);
  expect(options()).toEqual([]);
});
