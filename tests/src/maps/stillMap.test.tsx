import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { LonLat } from '../../../src/maps/frame.ts';
import { placed, toPixels } from '../../../src/maps/frame.ts';
import { StillMap } from '../../../src/maps/StillMap.tsx';
import { startFakeServer } from '../api/fakeServer.ts';

const LEEDS: LonLat[] = [[-1.55, 53.8]];
const HULL: LonLat[] = [[-0.33, 53.74]];
let measure = () => {};

beforeEach(() => {
  startFakeServer();
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(measured: () => void) {
        measure = measured;
      }
      observe() {}
      disconnect() {}
    },
  );
});
afterEach(() => vi.unstubAllGlobals());

const map = (points: LonLat[], farthest = 4) => (
  <StillMap
    role="img"
    aria-label="Map of Leeds"
    points={points}
    high={270}
    nearest={12}
    farthest={farthest}
    drawn={({ zoom }) => <text>zoom {zoom}</text>}
    marks={(frame) => <i {...placed(toPixels(points[0]!, frame))}>here</i>}
  />
);
const tiles = () => document.querySelectorAll('img');

it('covers its box with street tiles, and has its only point in the middle', () => {
  render(map(LEEDS));
  const few = tiles().length;
  expect(few).toBeGreaterThan(0);
  expect(screen.getByText('zoom 12')).toBeTruthy();
  expect(screen.getByText('here').getAttribute('style')).toContain('--left: 0px');
  vi.spyOn(screen.getByRole('img', { name: 'Map of Leeds' }), 'clientWidth', 'get').mockReturnValue(1600);
  act(() => measure());
  expect(tiles().length).toBeGreaterThan(few);
});

it('is our own drawing, no closer than that is exact, after a tile failed, and has tiles for another place', () => {
  const { rerender } = render(map(LEEDS));
  fireEvent.error(tiles()[0]!);
  expect(tiles()).toHaveLength(0);
  expect(screen.getByText('zoom 9')).toBeTruthy();
  expect(screen.getByText('Huddersfield')).toBeTruthy();
  expect(screen.getByText('Street map unavailable. Town names: GeoNames, CC BY 4.0')).toBeTruthy();
  rerender(map(HULL));
  expect(tiles().length).toBeGreaterThan(0);
});

it('is our own drawing as close as it is asked to be at least, so that a closer look is one', () => {
  render(map(LEEDS, 12));
  fireEvent.error(tiles()[0]!);
  expect(tiles()).toHaveLength(0);
  expect(screen.getByText('zoom 12')).toBeTruthy();
});
