import { act, render } from '@testing-library/react';
import * as fc from 'fast-check';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { saveTokens } from '../../../../src/api/tokens.ts';
import { App } from '../../../../src/app/App.tsx';
import { resetMapFilters, setCategory, useMapFilters } from '../../../../src/screens/map/mapFilters.ts';
import { useSession } from '../../../../src/session/session.ts';
import { ANNA, startFakeServer } from '../../api/fakeServer.ts';
import { oddName, withOddNames } from '../../../support/oddNames.ts';

// A real map needs a browser that draws.
vi.mock('../../../../src/screens/map/marks/EventMap.tsx', () => ({ EventMap: () => null }));

/** Each opens the whole app: a tenth in the command, beside the known names; `npm run test:long` opens all. */
const others = (runs: number) => (import.meta.env['CLEARWAY_LONG'] === '1' ? runs : runs / 10);

let server: ReturnType<typeof startFakeServer>;

beforeAll(async () => {
  // A busy machine takes longer to read their modules than a test waits for a page.
  await Promise.all([
    import('../../../../src/app/App.tsx'),
    import('../../../../src/screens/map/MapPage.tsx'),
    import('../../../../src/screens/map/events/EventPage.tsx'),
  ]);
}, 60_000);
beforeEach(() => {
  localStorage.clear();
  resetMapFilters();
  server = startFakeServer();
  saveTokens(server.signedIn(ANNA));
  const user = { id: '1', email: ANNA.email, displayName: 'Anna', role: 'user' as const };
  useSession.setState({ status: 'signedIn', user, offline: false });
});
afterEach(() => vi.unstubAllGlobals());

/** Opens an address as a browser does, and resolves with the result of `find`. */
async function open<T>(address: string, find: () => T): Promise<T> {
  history.replaceState(null, '', address);
  const { unmount } = render(<App />);
  try {
    return await vi.waitFor(find, { timeout: 10_000, interval: 5 });
  } finally {
    unmount();
  }
}

it('asks the server for the event whose page is opened, whatever its id holds', async () => {
  await fc.assert(
    fc.asyncProperty(oddName, async (id) => {
      server.calls.length = 0;
      const asked = await open(`/events/${encodeURIComponent(id)}`, () => {
        const call = server.calls.find(({ path }) => path.startsWith('events/'));
        expect(call).toBeDefined();
        return call!.path;
      });
      expect(decodeURIComponent(asked.slice('events/'.length))).toBe(id);
      expect(asked).not.toMatch(/^events\/.*\//); // one segment
    }),
    withOddNames(others(60)),
  );
});

it('shows the category in the map’s address, whatever it holds', async () => {
  await fc.assert(
    fc.asyncProperty(oddName, async (category) => {
      resetMapFilters();
      const address = `/map?${new URLSearchParams({ category })}`;
      await open(address, () => expect(useMapFilters.getState().category).toBe(category));
      expect(location.pathname + location.search).toBe(address);
    }),
    withOddNames(others(40)),
  );
});

it('writes the chosen category into the map’s address, so that a reload chooses it again', async () => {
  await fc.assert(
    fc.asyncProperty(oddName, async (category) => {
      resetMapFilters();
      const find = () => {
        act(() => setCategory(category));
        expect(new URLSearchParams(location.search).get('category')).toBe(category);
      };
      await open('/map', find);
      resetMapFilters();
      await open(location.pathname + location.search, () =>
        expect(useMapFilters.getState().category).toBe(category),
      );
    }),
    withOddNames(others(20)),
  );
});

it('opens the page that a web+clearway link names, whatever it holds', async () => {
  await fc.assert(
    fc.asyncProperty(oddName, async (name) => {
      const page = `/map?${new URLSearchParams({ category: name })}`;
      // A browser fills in the address of the manifest in the same way.
      const opened = `/open?link=${encodeURIComponent(`web+clearway:${page}`)}`;
      resetMapFilters();
      await open(opened, () => expect(useMapFilters.getState().category).toBe(name));
      expect(location.pathname + location.search).toBe(page);
    }),
    withOddNames(others(20)),
  );
});
