import { describe, expect, it } from 'vitest';
import { sheetTrips } from '../../../../server/watches/jobs/sheetTrips.ts';

const none = new Map<string, null>();
const proposed = (routes: { id: string; name: string; made_name: string }[], remembered = none) =>
  sheetTrips([{ trip: 'Leeds Stn -> Hull' }], { chosen: none, remembered, routes })[0]!;
const night = { id: 'night', name: 'Night mail', made_name: 'Leeds Station to Hull' };
const day = { id: 'day', name: 'Day mail', made_name: 'Leeds Station to Hull' };
const named = { id: 'named', name: 'Leeds Station to Hull', made_name: 'Garforth to Hull' };

describe('the route that is proposed for a trip', () => {
  it('is the team’s first with its name, otherwise the first with its ends', () => {
    expect(proposed([night, day, named])).toMatchObject({ watch_id: 'named', found: 'same words' });
    expect(proposed([night, day])).toMatchObject({ watch_id: 'night', found: 'same words' });
    expect(proposed([day, night])).toMatchObject({ watch_id: 'day' });
    expect(proposed([{ ...night, made_name: 'Hull to Leeds Station' }])).toMatchObject({ found: 'none' });
  });

  it('is none for a trip without a word, beside a route without ends', () => {
    const routes = [{ ...night, made_name: '' }];
    const [trip] = sheetTrips([{ trip: '?' }], { chosen: none, remembered: none, routes });
    expect(trip).toMatchObject({ watch_id: null, found: 'none' });
  });

  it('is none if “No route” was chosen last time', () => {
    expect(proposed([named], new Map([['leeds station to hull', null]]))).toEqual({
      words: 'Leeds Stn -> Hull',
      jobs: 1,
      watch_id: null,
      found: 'as last time',
    });
  });
});
