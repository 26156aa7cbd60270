import { describe, expect, it } from 'vitest';
import type { Alert } from '../../../../src/api/alerts/disruptions.ts';
import { sayingForms, shortEffects, shortPlaces } from '../../../../src/feeds/alerts/titles.ts';
import { shortForms } from '../../../../src/screens/wall/words/shownTitle.ts';

const alert = (place: string, effect: string, cause: string | null = null): Alert => ({
  event_id: 'a',
  title: `${place} ${effect}`,
  facts: { place, effect, cause },
});

describe('a short title', () => {
  it.each<[string, string, string | null, string[]]>([
    [
      'Leeds to Huddersfield / Bradford Interchange',
      'trains may be cancelled or up to 60 minutes late',
      'flooding',
      ['Leeds to Huddersfield: up to 60 minutes late', 'Leeds to Huddersfield: up to 60 min late'],
    ],
    [
      'Leeds to Huddersfield / Bradford Interchange',
      'all lines towards Huddersfield blocked',
      'flooding at Morley',
      ['Leeds to Huddersfield: all lines blocked'],
    ],
    [
      'Great Western Railway, Reading to London Paddington',
      'up to 20 minutes late',
      'points failure at Slough',
      ['Reading to London Paddington: up to 20 min late', 'Reading to Paddington: up to 20 min late'],
    ],
    [
      'Leeds to Bradford Interchange',
      'up to 15 minutes late until the evening',
      'flooding near the line',
      ['Leeds to Bradford: up to 15 min late'],
    ],
    [
      'Piccadilly line, Acton Town to Heathrow Terminals',
      'no service, severe delays on the rest',
      'faulty train at Hatton Cross',
      ['Acton Town to Heathrow Terminals: no service', 'Acton Town to Heathrow: no service'],
    ],
    [
      'Leeds Bradford Airport',
      'departures 85 minutes late, arrivals 70 minutes late',
      null,
      ['Leeds Bradford: departures 85 minutes late', 'Leeds Bradford: departures 85 min late'],
    ],
    [
      'Manchester Airport',
      'weather risk',
      'gusts of 53 knots, thunderstorm',
      ['Manchester Airport: gusts of 53 knots', 'Manchester: gusts of 53 knots'],
    ],
    [
      'M62 eastbound, J26 to J27',
      'lane 1 of 4 closed, all other lanes open again',
      null,
      ['M62 eastbound, J26 to J27: lane 1 of 4 closed', 'M62 eastbound: lane 1 of 4 closed'],
    ],
    [
      'Leeds to Shipley',
      'trains run again, up to 45 minutes late',
      null,
      ['Leeds to Shipley: up to 45 minutes late', 'Leeds to Shipley: up to 45 min late'],
    ],
    [
      'A65 Kirkstall Road',
      'buses 33, 34 and 508 delayed, long queues',
      'standing water',
      ['A65 Kirkstall Road: buses 33, 34 and 508 delayed'],
    ],
    ['Coast from Sandgate to Dungeness', 'flood alert', null, ['Sandgate to Dungeness: flood alert']],
    [
      'M4 westbound, J25 to J26',
      'two lanes closed',
      'broken down vehicle',
      ['M4 westbound: two lanes closed'],
    ],
    [
      'Whitehall',
      'roads closed from Trafalgar Square to Parliament Square until the afternoon',
      'demonstration',
      ['Whitehall: roads closed'],
    ],
    [
      'A9, Dalnacardoch to Dalwhinnie',
      'one lane passable with care',
      'flooding',
      ['A9, Dalnacardoch: one lane passable'],
    ],
  ])('of %s, %s, keeps what happens', (place, effect, cause, expected) => {
    const forms = shortForms(alert(place, effect, cause));
    expect(forms).toEqual(expect.arrayContaining(expected));
    for (const form of forms) expect(form).not.toMatch(/all lines$|: trains$|: buses \d+$|cancelled or$/);
  });

  it('ends in the place alone, if there is no room for more', () => {
    expect(shortForms(alert('Stockport to Crewe', 'trains diverted on two nights')).at(-1)).toBe(
      'Stockport to Crewe',
    );
    expect(shortPlaces('Grampian and Highlands & Eilean Siar').at(-1)).toBe('Grampian and 1 more');
  });

  it('says for a warning which one, and then where', () => {
    const forms = shortForms(alert('North East England, North West England and Wales', 'amber wind warning'));
    expect(forms).toEqual(
      expect.arrayContaining([
        'Amber wind, North East England and 2 more',
        'Amber wind, North East England',
        'Amber wind',
      ]),
    );
    expect(forms.indexOf('Amber wind, North East England')).toBeLessThan(
      forms.indexOf('North East England and 2 more'),
    );
  });

  it('never promises more than there is', () => {
    expect(shortEffects(alert('M62', 'reopened, long delays remain')).at(-1)).toBe('Long delays remain');
    expect(shortEffects(alert('M62', 'reopened, 2 lorries')).at(-1)).toBe('Reopened, 2 lorries');
    expect(
      shortEffects(alert('M62', 'lane 1 of 4 closed, all other lanes open again', 'earlier collision')).at(
        -1,
      ),
    ).toMatch(/^Lane 1 of 4 closed/);
  });

  it('always names the alert, even if another feed counts it', () => {
    const see = { ...alert('M62 eastbound near Leeds', 'closed'), see: { event_id: 'b', feed: 'roads-uk' } };
    expect(shortForms(see)).toEqual([
      'M62 eastbound near Leeds: see UK Roads',
      'M62 eastbound: see UK Roads',
      'see UK Roads',
    ]);
  });

  it('never says M6 for the M6 Toll', () => {
    const forms = sayingForms(alert('M6 Toll northbound, Weeford', 'closed', 'overturned lorry'));
    expect(forms).toContain('M6 Toll northbound: closed');
    for (const form of forms) expect(form).toMatch(/^M6 Toll northbound\b/);
  });

  it('is the publisher’s if the alert has no facts', () => {
    expect(shortForms({ event_id: 'a', title: 'Title of a' })).toEqual(['Title of a']);
  });
});
