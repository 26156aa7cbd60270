import { render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Geometry } from '#contract/incidents/disruptions.ts';
import { startFakeServer } from '../../../api/fakeServer.ts';
import RouteMap from '../../../../../src/screens/watches/detail/RouteMap.tsx';

let observed: Element[];
beforeEach(() => {
  startFakeServer();
  observed = [];
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe(element: Element) {
        if (!(element instanceof Element)) throw new TypeError('parameter 1 is not of type Element');
        observed.push(element);
      }
      disconnect() {
        observed = [];
      }
    },
  );
});
afterEach(() => vi.unstubAllGlobals());

const map = (geometry: Geometry | null) => (
  <RouteMap
    geometry={geometry}
    radiusKm={30}
    touches={[]}
    shapes={new Map()}
    name="Within 30 km of Leeds"
    look="small"
    selected={null}
    onSelect={() => {}}
  />
);

it('waits for its place without a fault, and is measured once it has one', () => {
  const { rerender, unmount } = render(map(null));
  expect(screen.getByText('Its map is not kept on this device.')).toBeTruthy();
  rerender(map({ type: 'Point', coordinates: [-1.55, 53.8] }));
  expect(observed).toEqual([screen.getByRole('group', { name: 'Map of Within 30 km of Leeds' })]);
  unmount();
  expect(observed).toEqual([]);
});
