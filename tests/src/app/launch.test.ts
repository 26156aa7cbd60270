import { START_ADDRESS } from '#contract/addresses.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { followLaunches, pageOfLink } from '../../../src/app/launch.ts';

describe('a web+clearway link', () => {
  it.each([
    ['web+clearway:/map?category=Food%20%26%20drink', '/map?category=Food%20%26%20drink'],
    ['web+clearway://events/e-1', '/events/e-1'],
    ['web+clearway:disruptions', '/disruptions'],
    ['web+clearway:', '/'],
    ['web+clearway:////evil.example/x', '/evil.example/x'],
    ['web+clearway:/\\evil.example', null],
    ['https://evil.example/', null],
    ['javascript:alert(1)', null],
    ['', null],
  ])('%s names %s', (link, page) => {
    expect(pageOfLink(link)).toBe(page);
  });
});

describe('a launch while the app runs', () => {
  let launch: (launched: { targetURL?: string }) => void;

  beforeEach(() => {
    history.replaceState(null, '', '/event-setup');
    vi.stubGlobal('launchQueue', { setConsumer: (consumer: typeof launch) => (launch = consumer) });
    followLaunches();
  });
  afterEach(() => vi.unstubAllGlobals());

  it('goes where the link leads, without loading the app again', () => {
    launch({ targetURL: `${location.origin}/map?q=Leeds` });
    expect(location.pathname + location.search).toBe('/map?q=Leeds');
  });

  it('from the icon leaves the page, and a form on it, as it is', () => {
    launch({ targetURL: location.origin + START_ADDRESS });
    expect(location.pathname).toBe('/event-setup');
  });

  it('with a foreign address does nothing', () => {
    launch({ targetURL: 'https://evil.example/map' });
    launch({});
    expect(location.pathname).toBe('/event-setup');
  });
});
