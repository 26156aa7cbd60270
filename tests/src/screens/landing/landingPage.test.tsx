import { render, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LandingPage } from '../../../../src/screens/landing/LandingPage.tsx';
import { startFakeServer } from '../../api/fakeServer.ts';

beforeEach(() => void startFakeServer());
afterEach(() => vi.unstubAllGlobals());

it('the landing page makes the claims of the specification, and has no other figures', () => {
  render(<LandingPage />);
  const claims = [...document.querySelectorAll('dl > div')].map((pair) =>
    ['dd', 'dt'].map((part) => pair.querySelector(part)!.textContent).join(' '),
  );
  expect(claims).toEqual([
    '40,000+ potential disruptions',
    '500,000+ crowd surges',
    '80,000+ venues',
    'Since 2017 of data',
    expect.stringMatching(/^99% accuracy target/),
  ]);
  expect(screen.getByText(/^12\+ top-level categories, each with sub-categories and tags/)).toBeTruthy();
  expect(screen.getByText('14 days. No credit card. Full API access.')).toBeTruthy();

  const section = (name: string) => within(screen.getByRole('region', { name }));
  expect(
    section('Categorisation')
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual(['Music', 'Sport', 'Film', 'Theatre', 'Comedy', 'Family', 'Food and drink', 'Festivals']);
  for (const name of ['Scale', 'Data depth', 'Sources', 'Quality', 'Real-world impact', 'Why it matters']) {
    expect(section(name).getByRole('heading', { level: 2 })).toBeTruthy();
  }
  expect(screen.getByText(/^Access is by invitation\./).querySelector('a')!.href).toBe(
    'mailto:hello@clearway.example',
  );
});
