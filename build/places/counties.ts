/** GeoNames' counties, by the names that people use: metropolitan boroughs and unitary towns get their old county. */

/** By GeoNames' second administrative code. */
const COUNTIES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    Bedfordshire: 'ENG.I1 ENG.Z5 ENG.Z6',
    Berkshire: 'ENG.B3 ENG.K7 ENG.M1 ENG.P4 ENG.P9 ENG.Q2',
    Buckinghamshire: 'ENG.I6',
    Cambridgeshire: 'ENG.K3',
    Cheshire: 'ENG.E9 ENG.P2 ENG.Z7 ENG.Z8',
    'County Antrim': 'NIR.N09000001 NIR.N09000008',
    'County Down': 'NIR.N09000010 NIR.N09000011',
    'County Durham': 'ENG.D1 ENG.F5 ENG.N3',
    Derbyshire: 'ENG.D2',
    Devon: 'ENG.K4 ENG.O4',
    Dorset: 'ENG.AA',
    'East Riding of Yorkshire': 'ENG.G6',
    'East Sussex': 'ENG.B6',
    Essex: 'ENG.M5 ENG.O3',
    Gloucestershire: 'ENG.M6',
    'Greater Manchester': 'ENG.B1 ENG.C1 ENG.I2 ENG.K1 ENG.L2 ENG.L5 ENG.N2 ENG.O1 ENG.O6 ENG.P7',
    Hampshire: 'ENG.K6 ENG.M4',
    Kent: 'ENG.I3',
    Lancashire: 'ENG.A8 ENG.A9',
    Leicestershire: 'ENG.H4',
    Lincolnshire: 'ENG.J2 ENG.J3',
    Merseyside: 'ENG.G9 ENG.H8 ENG.L8 ENG.N1 ENG.Q1',
    'North Yorkshire': 'ENG.I5 ENG.K9 ENG.Q5',
    Northamptonshire: 'ENG.WNH ENG.NNH ENG.J1',
    'Northern Ireland':
      'NIR.N09000002 NIR.N09000003 NIR.N09000004 NIR.N09000005 NIR.N09000006 NIR.N09000007 NIR.N09000009',
    Nottinghamshire: 'ENG.J8',
    Powys: 'WLS.Y8',
    Shropshire: 'ENG.O2',
    Somerset: 'ENG.A4 ENG.J4',
    'South Yorkshire': 'ENG.A3 ENG.D5 ENG.L3 ENG.L9',
    Staffordshire: 'ENG.N4',
    'Tyne and Wear': 'ENG.E5 ENG.I7 ENG.J5 ENG.M7 ENG.N6',
    'West Midlands': 'ENG.A7 ENG.C7 ENG.D7 ENG.L7 ENG.M2 ENG.O8 ENG.Q3',
    'West Yorkshire': 'ENG.B4 ENG.C2 ENG.G8 ENG.H3 ENG.O7',
    'Western Isles': 'SCT.W8',
    Wiltshire: 'ENG.N9',
    'County Cavan': 'U.02',
    'County Clare': 'M.03',
    'County Cork': 'M.32',
    'County Dublin': 'L.33 L.34 L.35 L.39',
    'County Galway': 'C.36',
    'County Limerick': 'M.42',
    'County Longford': 'L.18',
    'County Mayo': 'C.20',
    'County Offaly': 'L.23',
    'County Waterford': 'M.27',
  }).flatMap(([county, codes]) => codes.split(' ').map((code) => [code, county])),
);

/** `code` such as `ENG.H3`; `official` is GeoNames' name, e.g. `City and Borough of Leeds`. */
export function countyName(code: string, official: string | undefined): string | undefined {
  return (
    COUNTIES[code] ??
    official
      ?.replace(/^((City|Metropolitan|Royal) (and )?)?((Borough|City|County|District) )(and County )?of /, '')
      .replace(/^The /, '')
      .replace(/ (county borough|city)$/i, '')
  );
}
