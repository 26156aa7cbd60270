/** The phrases of publishers by which a place is read, each beside a phrase by which it is not. */
import { describe, expect, it } from 'vitest';
import { readIncident } from '../../../../server/operate/commands/readIncident.ts';

const placeIn = (text: string, { source = 'news-rss', title = '' } = {}) =>
  readIncident({ source, title, text, now: '2026-11-24T10:00:00Z' }).place;
const namesIn = (text: string, about: { source?: string; title?: string } = {}) =>
  placeIn(text, about)?.names ?? null;

describe('a part of a town', () => {
  it.each([
    ['Collision on London Road by Leicester Royal Infirmary, road closed', 'Leicester'],
    ['Great Ayton high street shut by burst main', 'Great Ayton'],
    ['Lorry gets wedged on Bewdley bridge, road closed', 'Bewdley'],
    ['Ely underpass closed after lorry strike', 'Ely'],
    ['Goole swing bridge stuck, road closed', 'Goole'],
    ['Govan flat fire closes road', 'Govan'],
    ['Road closed after Kettering warehouse fire', 'Kettering'],
    ['Burst main on Whiteladies Rd Bristol, road closed', 'Bristol'],
    ['Road closures for the Twickenham international', 'Twickenham'],
    ['Traffic delays for the Liverpool match at Old Trafford', 'Old Trafford'],
    ['Trains busy for the Wrexham game. A483 closed at Ruabon', 'Ruabon'],
    ['Buses diverted at Canary Wharf, Canada Square closed', 'Canary Wharf'],
  ])('%s: %s', (words, name) => {
    expect(namesIn(words)).toEqual([name]);
  });

  it.each([
    ['The name goes on before the part', 'Bus crash outside John Bradford Hospital'],
    ['A fan is no closure', 'Twickenham international ends in a draw after train delays'],
    ['A street of that name', 'Ely Road closed after lorry strike'],
    ['The town begins another name', 'Crash on Castle Street Bristol Bridgeman, road closed'],
  ])('%s: %s', (_, words) => {
    expect(namesIn(words)).toBeNull();
  });

  it('is read after the street in a title of a bus operator', () => {
    expect(namesIn('Stops closed.', { source: 'bods-bus', title: 'Sheep Market, Stamford' })).toEqual([
      'Stamford',
    ]);
    expect(namesIn('Stops closed.', { source: 'bods-bus', title: 'Changes, Stamford included' })).toBeNull();
  });
});

describe('a name that another name beside it places', () => {
  it('is not the larger place elsewhere', () => {
    expect(namesIn('Dorset Council closed the A353 at Burnley, Weymouth.')).toEqual(['Weymouth']);
    expect(namesIn('The A353 is closed at Burnley. Dorset Council')).toBeNull();
    expect(namesIn('The A56 is closed at Burnley. Lancashire Police')).toEqual(['Burnley']);
    expect(namesIn('Road closed after a crash in Victoria Park, Cardiff.')).toEqual(['Cardiff']);
  });

  it('near a town is in reach of that town', () => {
    expect(namesIn('Cambs Cops: the A47 is blocked at Ripley near Peterborough after a crash.')).toEqual([
      'Peterborough',
    ]);
    expect(namesIn('The A142 is blocked at Sutton near Ely after a crash.')).toEqual(['Sutton']);
  });

  it('is in the county that follows', () => {
    expect(namesIn('The road is closed at Burnley, Dorset, after a crash.')).toBeNull();
    expect(namesIn('The road is closed at Burnley, Lancashire, after a crash.')).toEqual(['Burnley']);
    expect(namesIn('Road closed after a crash in Bradford in Cornwall.')).toBeNull();
  });

  it('is on the island that follows, or before a road of a county', () => {
    expect(namesIn('Road closed by a landslip at Portree on Skye')).toEqual(['Portree']);
    expect(namesIn('Skye road shut by landslip at Portree')).toEqual(['Portree']);
    expect(namesIn('Skye Road shut by landslip at Portree')).toBeNull();
  });

  it('is not in a list of towns', () => {
    expect(namesIn('Roads are closed at Reading, Swindon and Bristol.')).toBeNull();
  });

  it('is a part of the town before it in the name of a flood area', () => {
    const about = { source: 'ea-flood', title: 'River Ouse at Lewes, Cliffe' };
    expect(namesIn('Flooding is expected.', about)).toEqual(['Lewes']);
    expect(
      namesIn('Flooding is expected.', { ...about, title: 'River Medway at Rochester, Cliffe' }),
    ).toEqual(['Rochester']);
  });

  it('is abroad if a state or country follows', () => {
    expect(
      namesIn('Road closed after a crash in Perth, Western Australia.', { source: 'police' }),
    ).toBeNull();
    expect(namesIn('Road closed after a crash in Perth. Police Scotland', { source: 'police' })).toEqual([
      'Perth',
    ]);
  });
});

describe('a street that a railway or London has too', () => {
  it('is in the town that follows', () => {
    expect(namesIn('Gloucester Road in Bristol shut after stabbing, buses diverted')).toEqual(['Bristol']);
    expect(namesIn('Gloucester Road in London shut after stabbing, buses diverted')).toEqual([
      'Gloucester Road',
    ]);
  });

  it('is the station where the text is about trains', () => {
    expect(namesIn('Bond Street: no trains stop, the station is closed', { source: 'social' })).toEqual([
      'Bond Street',
    ]);
  });
});

describe('a place beside a hospital', () => {
  it('is where the hospital is', () => {
    expect(namesIn('Bus crash outside John Radcliffe Hospital, road closed')).toEqual([
      'John Radcliffe Hospital',
    ]);
  });

  it('is not read where people are only taken there', () => {
    expect(namesIn('Road closed. Two people are at John Radcliffe Hospital after a bus crash.')).toBeNull();
    expect(namesIn('Crash in Banbury closes road, two are in John Radcliffe Hospital')).toEqual(['Banbury']);
  });
});

describe('Welsh words', () => {
  it.each([
    ['Ffordd ar gau yn ardal Pwllheli wedi gwrthdrawiad', ['Pwllheli']],
    ['Ffordd ar gau yng Nghaerdydd wedi gwrthdrawiad', ['Cardiff']],
    ['A470 ar gau ym Mlaenau Ffestiniog wedi gwrthdrawiad', ['Blaenau-Ffestiniog']],
    ['Ffordd ar gau rhwng Bangor a Chaernarfon wedi gwrthdrawiad', ['Bangor', 'Caernarfon']],
    ['Pont Britannia ar gau oherwydd gwyntoedd', ['Pont Britannia']],
  ])('%s', (words, names) => {
    expect(namesIn(words)).toEqual(names);
  });

  it('change only after the word that changes them', () => {
    expect(namesIn('Ffordd ar gau ger Nghaerdydd wedi gwrthdrawiad')).toBeNull();
  });
});

it('Maryland is a station in London, where Stratford is none abroad', () => {
  const title = 'Elizabeth line: no service';
  expect(namesIn('No service at Stratford, Maryland.', { source: 'tfl', title })).toEqual([
    'Stratford (London)',
  ]);
});

describe('a postcode', () => {
  it.each([
    ['Gas leak closes streets in LS7', 'LS7'],
    ['Mumbles Road is closed, SA3 4BQ', 'SA3'],
    ['Rye Lane, SE15: road closed after a crash', 'SE15'],
  ])('%s', (words, code) => {
    expect(namesIn(words)).toEqual([code]);
  });

  it.each([
    'Road closed, bus LS7 diverted',
    'Road closed in A10 works',
    'Streets closed in ZZ9',
    'Road closed near the HS2 site',
    'Road closed after the CO2 leak',
    'Lane closed (L1) after a crash',
    'Lorry (KT12 ABC) blocks road',
    'Crew of flight in BA2 490 held up by closed road',
  ])('%s: none', (words) => {
    expect(namesIn(words)).toBeNull();
  });

  it('in a title of Transport for London says more than the borough', () => {
    const works = { source: 'tfl', title: '[A406] STERLING WAY (N18) (Enfield)' };
    expect(namesIn('[A406] Sterling Way - Lane closed.', works)).toEqual(['N18']);
  });
});

describe('a stretch with one end that we do not know', () => {
  it('is at the other end, with more reach', () => {
    const at = placeIn('The road between Melbury Zealand and Shaftesbury is closed by a landslip.');
    expect(at).toMatchObject({ names: ['Shaftesbury'], radius_km: 6 });
  });

  it('is nowhere if the end is a large town, or we know places of the other name', () => {
    expect(placeIn('The road between Melbury Zealand and Leeds is closed by a landslip.')).toBeNull();
    expect(placeIn('No trams run between Newport and Victoria.')).toBeNull();
  });
});

it('takes a name after a road and its direction as the place', () => {
  const source = 'national-highways';
  expect(namesIn('A303 eastbound Winterbourne Stoke overnight carriageway closure', { source })).toEqual([
    'Winterbourne Stoke',
  ]);
  expect(
    namesIn('A303 eastbound to Winterbourne Stoke overnight carriageway closure', { source }),
  ).toBeNull();
});

it('takes a name after "just past" as the place, and not one after "after" alone', () => {
  expect(namesIn('Stuck on the A12 just past Witham, road blocked')).toEqual(['Witham']);
  expect(namesIn('A12 blocked, crash just before Witham')).toEqual(['Witham']);
  expect(namesIn('The A12 road is blocked after Witham fans leave')).toBeNull();
});

it('does not take the line or the nation for a station or a village', () => {
  const about = { source: 'tfl', title: 'Victoria: Severe Delays' };
  expect(namesIn('Victoria Line: Severe delays due to a shortage of trains.', about)).toEqual([
    'victoria line',
  ]);
  expect(namesIn('', { source: 'tfl', title: 'Bank: the station is closed' })).toEqual(['Bank']);
  expect(namesIn('', { source: 'met-office', title: 'Yellow warning of wind affecting Wales' })).toBeNull();
});

it('reads a weekday after a name as no part of it', () => {
  expect(
    namesIn('Buses replace trains between Truro and Penzance on Sundays.', { source: 'kb-incidents' }),
  ).toEqual(['Truro', 'Penzance']);
});
