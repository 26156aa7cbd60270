import { describe, expect, it } from 'vitest';
import { rateStory } from '../../../../server/sources/parts/travelNews.ts';

const rated = (title: string, text = '') => {
  const rating = rateStory({ title, text });
  return rating && `${rating.severity} ${rating.mode} ${rating.phase}`;
};

describe('a story about disrupted transport', () => {
  it.each([
    // All traffic is stopped.
    ['All flights grounded after radar failure', 'high air active'],
    ['Airport evacuated in Belfast', 'high air active'],
    ['Do not travel by rail, passengers told', 'high rail active'],
    ['No trains between York and Leeds', 'high rail active'],
    ['Major incident declared on M5', 'high road active'],
    ['London Bridge station closed', 'high road active'],
    // Something is closed or does not run.
    ['Severn bridge shut by wind', 'medium road active'],
    ['Police close A9 after landslip', 'medium road active'],
    ['CalMac cancels crossings', 'medium ferry active'],
    ['Train derails near Stonehaven', 'medium rail active'],
    ['Protesters blocking road to refinery', 'medium road active'],
    ['Protesters block A40', 'medium road active'],
    ['Eurostar services suspended by fault near Paris', 'medium rail active'],
    ['Bus station evacuated', 'high bus active'],
    // It runs badly.
    ["Delays at Earl's Court after fallen tree on railway track", 'low rail active'],
    ['Delays on M6 after crash', 'low road active'],
    ['Rail strike enters second day', 'low rail active'],
    ['Tram and bus in collision in Sheffield', 'low rail active'],
    ['A1(M) traffic at a standstill', 'low road active'],
    // It has not begun.
    ['Tube drivers to strike on Monday', 'low rail planned'],
    ['Road to close for six weeks', 'medium road planned'],
    ['Tunnel will be closed overnight', 'medium road planned'],
    ['Operation Brock to be deployed on the M20 on Thursday', 'low road planned'],
    ['Trains cancelled due to closed line', 'medium rail active'],
    // The fines are not all of the news.
    ['Speeding drivers fined on the A14 as a crash shuts the road', 'medium road active'],
  ])('%s: %s', (title, expected) => {
    expect(rated(title)).toBe(expected);
  });

  it('may be recognised by one sentence of the text, but not by words from two', () => {
    expect(rated('A long way home', 'It snowed. Trains in Kent are cancelled. More follows.')).toBe(
      'medium rail active',
    );
    expect(rated('A long way home', 'She came by train. The shop was closed.')).toBeNull();
  });

  it.each([
    ["Heddlu: Mae'r M4 ar gau tua'r gorllewin rhwng C35 a C36 oherwydd damwain.", 'medium road active'],
    ['Yr A470 ar gau yn Nolgellau oherwydd llifogydd', 'medium road active'],
    ['Oedi ar yr A55 ger Conwy', 'low road active'],
    ["Mae'r A470 wedi ailagor ar ôl damwain", null],
    ['Metro suspended in Newcastle after power failure.', 'medium rail active'],
    ['Metro Bank suspended shares', null],
  ])('is also in Welsh, and about the Metro: %s', (title, expected) => {
    expect(rated(title)).toBe(expected);
  });

  it('is over when its headline says so, and low while something remains', () => {
    expect(rated('M25 reopens after crash', 'The motorway was closed for hours.')).toBeNull();
    expect(rated('Tube strike called off', 'The walkout was to begin on Monday.')).toBeNull();
    expect(rated('M25 reopens but tailbacks remain', 'The motorway was closed for hours.')).toBe(
      'low road active',
    );
    expect(rated('M25 reopens but delays remain', 'The motorway was closed for hours.')).toBe(
      'low road active',
    );
    expect(rated('A14 westbound reopened, eastbound remains closed between J31 and J32')).toBe(
      'medium road active',
    );
    expect(rated('The M25 has reopened anti-clockwise but is closed clockwise')).toBe('medium road active');
    expect(rated('A1 closed northbound at Alnwick, due to reopen at 15:00')).toBe('medium road active');
    expect(rated('M6: southbound has reopened but northbound has not reopened')).toBe('medium road active');
    expect(rated('M606 reopened northbound, southbound closed')).toBe('medium road active');
    expect(rated('Humber Bridge reopens to cars but lorries are still banned')).toBe('low road active');
    expect(rated('M25 reopens after crash but traffic still very slow')).toBe('low road active');
    expect(rated('M25 closed', 'It is not known when it reopens.')).toBe('medium road active');
  });

  it.each([
    'Suspended councillor arrested over counter-protest remarks',
    'Train driver suspended over video',
    'Man jailed for crash that closed A19',
    'Wedding convoy blocks M6: drivers fined',
    'Tributes to teenager killed in A30 crash',
    'Appeal for witnesses after fatal collision on the A406',
    'Minister defends delayed rail scheme',
    'HS2 delayed again',
    'Bus fares row disrupts council',
    'Strike derails talks on trains',
    'Body found close to railway in Derby',
    'Rail scheme back on track after delays',
    'Body found in block of flats near railway',
    'Bus stop wins prize',
    'School closed by burst pipe',
  ])('is not: %s', (title) => {
    expect(rated(title)).toBeNull();
  });

  it('happens in the United Kingdom', () => {
    expect(rated('Train crash in India kills ten')).toBeNull();
    expect(rated('Strike closes airports', 'Workers in Germany want more.')).toBeNull();
    expect(rated('New York tunnel closed')).toBeNull();
    expect(rated('Flights to Spain cancelled at Luton')).toBe('medium air active');
    expect(rated('Long queues on the A16 in northern France after a lorry fire')).toBeNull();
    expect(rated('A1 closed near Hamburg, Germany')).toBeNull();
    expect(rated('M1 closed southbound near Drogheda, Co Louth')).toBeNull();
    expect(rated('M7 in County Kildare closed after crash')).toBeNull();
    expect(rated('A1 closed at Newry, near the border with Co Louth')).toBe('medium road active');
    expect(rated('M20 closed in Kent after strike in France')).toBe('medium road active');
    expect(rated('Long queues on the M20 after strike in France')).toBe('low road active');
    expect(rated('A6 closed southbound near Lyon, France after a crash')).toBeNull();
    expect(rated('A3 closed in both directions near Frankfurt in western Germany')).toBeNull();
    expect(rated('Road closed near Longford after crash in Co Longford')).toBeNull();
    expect(rated('Road closed in Newcastle, Co Wicklow after crash')).toBeNull();
    expect(rated('M4 closed', 'A lorry with French plates overturned.')).toBe('medium road active');
    expect(rated('Trains cancelled', 'It was a bad day for all of us.')).toBe('medium rail active');
  });

  it.each([
    'A1 southbound closed at Washington Services after lorry overturns',
    'M6 closed at Sandbach after Polish lorry fire',
    'M20 closed at Maidstone due to French port strike',
    'A13 closed at East India Dock Road after collision',
    'A10 shut near Turkey Street after crash',
    'A153 closed at New York after crash',
    'A29 closed in Crossmaglen, near Co. Louth, after crash',
    'A5 blocked near Aughnacloy, close to Co Monaghan border after lorry crash',
    'Bus crash in Omagh: passengers from Co Donegal hurt, road closed',
    'Ferry sailings cancelled: Pembroke to Rosslare, Co Wexford',
    'Stena Line cancels Cairnryan sailings amid storm; Co Donegal braced',
  ])('happens here although it names another country: %s', (title) => {
    expect(rated(title)).toMatch(/^medium/);
  });

  it.each([
    'A40 reopens after crash as man remains in hospital',
    'A64 reopens after three-car crash near Malton - woman still in hospital',
    'A9 reopened after fatal crash which still under investigation',
    'M5 reopens after crash but cause remains unclear',
    'Metro delays its Sunday edition',
    'Homeward-bound salmon: northbound migration delayed',
  ])('is not under way: %s', (title) => {
    expect(rated(title)).toBeNull();
  });

  it('is recognised quickly by the first words of an endless text', () => {
    const before = performance.now();
    expect(rated('', `Trains are cancelled. ${'road bus train closed '.repeat(50_000)}`)).toBe(
      'medium rail active',
    );
    expect(rated('close '.repeat(300_000))).toBeNull();
    expect(performance.now() - before).toBeLessThan(1000);
  });
});
