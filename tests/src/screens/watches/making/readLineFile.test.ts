import { describe, expect, it } from 'vitest';
import { readFile } from '../../../../../src/screens/watches/making/readLineFile.ts';

const file = (name: string, text: string) => new File([text], name);
const line = (points: [number, number][]) => ({ type: 'LineString', coordinates: points });
const WAY: [number, number][] = [
  [-1.55, 53.8],
  [-1.6, 53.7],
  [-1.4, 53.6],
];

describe('a file of another program', () => {
  it.each([
    [
      'leeds.gpx',
      `<?xml version="1.0"?><gpx xmlns="http://www.topografix.com/GPX/1/1"><trk><name>Leeds</name><trkseg>
       <trkpt lat="53.8" lon="-1.55"/><trkpt lat="53.7" lon="-1.6"/><trkpt lat="53.6" lon="-1.4"/>
       </trkseg></trk></gpx>`,
    ],
    [
      'leeds.kml',
      `<?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document><Placemark><name>Leeds</name>
       <LineString><coordinates>-1.55,53.8,0 -1.6,53.7,0 -1.4,53.6,0</coordinates></LineString>
       </Placemark></Document></kml>`,
    ],
    ['Leeds.geojson', JSON.stringify(line(WAY))],
    [
      'leeds.json',
      JSON.stringify({
        type: 'FeatureCollection',
        features: [
          { type: 'Feature', properties: { name: 'Leeds' }, geometry: line(WAY) },
          { type: 'Feature', properties: {}, geometry: { type: 'Point', coordinates: [-1.5, 53.8] } },
        ],
      }),
    ],
  ])('%s holds a line', async (name, text) => {
    expect(await readFile(file(name, text))).toEqual([{ name: 'Leeds', points: WAY }]);
  });

  it('in GTFS has a line for each shape, in the order of its points, the longest first', async () => {
    const text = [
      'shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence',
      'short,53.8,-1.55,1',
      'short,53.7,-1.6,2',
      'long,53.6,-1.4,10',
      'long,53.8,-1.55,1',
      'long,53.7,-1.6,2',
    ].join('\n');

    expect(await readFile(file('shapes.txt', text))).toEqual([
      { name: 'Shape long', points: WAY },
      { name: 'Shape short', points: WAY.slice(0, 2) },
    ]);
  });

  it.each([
    ['leeds.json', JSON.stringify(line(WAY))],
    [
      'leeds.kml',
      `<kml><Placemark><LineString><coordinates>-1.55,53.8 -1.6,53.7 -1.4,53.6</coordinates></LineString></Placemark></kml>`,
    ],
    [
      'shapes.txt',
      'shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\na,53.8,-1.55,1\na,53.7,-1.6,2\na,53.6,-1.4,3',
    ],
  ])('%s is read with a mark of its encoding and blank lines before it', async (name, text) => {
    const lines = await readFile(file(name, `\uFEFF\n\n${text}`));
    expect(lines.map(({ points }) => points)).toEqual([WAY]);
  });

  it.each([
    ['nothing.txt', 'Dear colleague,\nhere is the route.'],
    ['broken.gpx', '<gpx><trk>'],
    ['broken.json', '{"type":'],
    ['points.json', JSON.stringify({ type: 'Point', coordinates: [-1, 53] })],
    ['empty.gpx', ''],
  ])('%s is refused in words', async (name, text) => {
    await expect(readFile(file(name, text))).rejects.toThrow(
      'This file holds no track or line that we can read.',
    );
  });

  it('outside the islands is refused in words', async () => {
    const paris = JSON.stringify(
      line([
        [2.35, 48.86],
        [2.4, 48.9],
      ]),
    );

    await expect(readFile(file('paris.json', paris))).rejects.toThrow(
      'This line lies outside the United Kingdom and Ireland.',
    );
  });

  it('is simplified to 25 m and to 4,000 points', async () => {
    const straight = Array.from({ length: 2000 }, (_, at): [number, number] => [-1.5, 53 + at / 2000]);
    const wild = Array.from({ length: 30_000 }, (_, at): [number, number] => [
      -2 + at / 30_000,
      53 + (at % 2) / 100,
    ]);

    expect((await readFile(file('a.json', JSON.stringify(line(straight)))))[0]!.points).toHaveLength(2);
    expect(
      (await readFile(file('b.json', JSON.stringify(line(wild)))))[0]!.points.length,
    ).toBeLessThanOrEqual(4000);
  });

  it.each([
    ['larger than 5 MB', ' '.repeat(5 * 1024 * 1024 + 1), 'This file is larger than 5 MB.'],
    [
      'with more than 50,000 points',
      JSON.stringify(line(Array.from({ length: 50_001 }, () => [-1.5, 53]))),
      'A line may have 50,000 points. This has 50,001.',
    ],
  ])('%s is refused', async (_, text, words) => {
    await expect(readFile(file('big.json', text))).rejects.toThrow(words);
  });
});
