/** Routes as people type them: the parts that are understood as legs, and the words for the rest. "…" ends words
 *  that may change. */
export const ROUTE_STRINGS: readonly (readonly [text: string, legs: string, problems: readonly string[]])[] =
  [
    [
      'Leeds, M1 J43, M1 J6A, M25 J21, M25 J15, Heathrow',
      'link, M1 J43>J6A, M25 J21>J15, link',
      [
        'done: From Leeds to M1 J43 we draw a straight line (5 km).',
        'done: From M25 J15 to Heathrow we draw a straight line (4 km).',
        'understood: M1 J43 to J6A southbound, then M25 J21 to J15 anti-clockwise',
      ],
    ],
    [
      'Leeds - Heathrow via M1 M25',
      'link, M1 J43>J6A, M25 J21>J14',
      [
        'done: From Leeds to M1 J43 we draw a straight line (5 km).',
        'understood: M1 J43 to J6A southbound, then M25 J21 to J14 anti-clockwise',
      ],
    ],
    [
      'leeds - heathrow via m1, m25',
      'link, M1 J43>J6A, M25 J21>J14',
      [
        'done: From Leeds to M1 J43 we draw a straight line (5 km).',
        'understood: M1 J43 to J6A southbound, then M25 J21 to J14 anti-clockwise',
      ],
    ],
    // A station, not Stansted, whose code is written large.
    [
      'Leeds Stn, Leeds',
      'link',
      [
        'done: From Leeds station to Leeds we draw a straight line (1 km).',
        'understood: “Leeds Stn” is read as Leeds station (LDS).',
      ],
    ],
    [
      'LEEDS RLWY STN, LEEDS',
      'link',
      [
        'done: From Leeds station to Leeds we draw a straight line (1 km).',
        'understood: “LEEDS RLWY STN” is read as Leeds station (LDS).',
      ],
    ],
    [
      'Stratford to STN',
      'link',
      [
        'done: From Stratford to Stansted Airport we draw a straight line (43 km).',
        'understood: “STN” means Stansted Airport, Essex.',
      ],
    ],
    ['M1 J43 to J6a', 'M1 J43>J6A', ['understood: M1 J43 to J6A southbound']],
    ['m1 j43 to j6a', 'M1 J43>J6A', ['understood: M1 J43 to J6A southbound']],
    ['m1j43-j6a', 'M1 J43>J6A', ['understood: M1 J43 to J6A southbound']],
    ['M1 43 to 6A', 'M1 J43>J6A', ['understood: M1 J43 to J6A southbound']],
    ['M1 J43–J6A', 'M1 J43>J6A', ['understood: M1 J43 to J6A southbound']],
    ['M1 junction 43 to junction 6A', 'M1 J43>J6A', ['understood: M1 J43 to J6A southbound']],
    ['M1 Jct 43 - Jct 6A', 'M1 J43>J6A', ['understood: M1 J43 to J6A southbound']],
    ['m1 jn43 jn6a', 'M1 J43>J6A', ['understood: M1 J43 to J6A southbound']],
    ['M1, J43, J6A', 'M1 J43>J6A', ['understood: M1 J43 to J6A southbound']],
    ['M1 southbound J43 to J6A', 'M1 J43>J6A', ['understood: M1 J43 to J6A southbound']],
    [
      'M1 J43 to J6A northbound',
      'M1 J43>J6A',
      ['done: M1 J43 to J6A is southbound.', 'understood: M1 J43 to J6A southbound'],
    ],
    ['M62 J26-27 eastbound', 'M62 J26>J27', ['understood: M62 J26 to J27 eastbound']],
    [
      'M62 j26 - m62 j29 - m1 j42 - m1 j6a',
      'M62 J26>J29, M1 J42>J6A',
      ['understood: M62 J26 to J29 eastbound, then M1 J42 to J6A southbound'],
    ],
    [
      'M62 J26, M1 J6',
      'M62 J26>J29, M1 J42>J6',
      ['understood: M62 J26 to J29 eastbound, then M1 J42 to J6 southbound'],
    ],
    [
      'M62 J10 to J27',
      'M62 J10>J27',
      [
        'done: M62 J12 to J18 is the M60: both are watched.',
        'understood: M62 J10 to J12 eastbound, then M60 J12 to J18 clockwise, then M62 J18 to J27 eastbound',
      ],
    ],
    [
      'M62 J27 to J10 westbound',
      'M62 J27>J10',
      [
        'done: M62 J12 to J18 is the M60: both are watched.',
        'understood: M62 J27 to J18 westbound, then M60 J18 to J12 anti-clockwise, then M62 J12 to J10 westbound',
      ],
    ],
    ['J26 to J27 of the M62', 'M62 J26>J27', ['understood: M62 J26 to J27 eastbound']],
    ['M 62 junction 10 to 12', 'M62 J10>J12', ['understood: M62 J10 to J12 eastbound']],
    [
      'Cardiff to Gatwick',
      'link',
      [
        'proposal: From Cardiff to Gatwick Airport there is a way: …',
        'done: From Cardiff to Gatwick Airport we draw a straight line (213 km).',
        'understood: “Gatwick” is read as Gatwick Airport, West Sussex.',
      ],
    ],
    [
      'cardiff gatwick',
      'link',
      [
        'proposal: From Cardiff to Gatwick Airport there is a way: …',
        'done: From Cardiff to Gatwick Airport we draw a straight line (213 km).',
        'understood: “gatwick” is read as Gatwick Airport, West Sussex.',
      ],
    ],
    [
      'London->Leeds',
      'link',
      [
        'proposal: From London to Leeds there is a way: …',
        'done: From London to Leeds we draw a straight line (271 km).',
      ],
    ],
    [
      'Leeds\nM1 J43\nM1 J40',
      'link, M1 J43>J40',
      ['done: From Leeds to M1 J43 we draw a straight line (5 km).', 'understood: M1 J43 to J40 southbound'],
    ],
    [
      'Glasgow to Carlisle',
      'link',
      [
        'proposal: From Glasgow to Carlisle there is a way: …',
        'done: From Glasgow to Carlisle we draw a straight line (137 km).',
      ],
    ],
    [
      'Bradford to Leeds to Hull',
      'link, link',
      [
        'proposal: From Bradford to Leeds there is a way: …',
        'proposal: From Leeds to Kingston upon Hull there is a way: …',
        'done: From Bradford to Leeds we draw a straight line (13 km).',
        'done: From Leeds to Kingston upon Hull we draw a straight line (80 km).',
        'understood: “Hull” means Kingston upon Hull, East Riding of Yorkshire.',
      ],
    ],
    [
      'Leeds, Bradford, M62 J26, M1 J3, M1 J6',
      'link, link, M62 J26>J29, M1 J42>J6',
      [
        'stop: The M1 has no J3. Nearest: J2, J4.',
        'proposal: From Leeds to Bradford there is a way: …',
        'done: From Leeds to Bradford we draw a straight line (13 km).',
        'done: From Bradford to M62 J26 we draw a straight line (7 km).',
        'understood: M62 J26 to J29 eastbound, then M1 J42 to J6 southbound',
      ],
    ],
    ['M1 J3', '', ['stop: The M1 has no J3. Nearest: J2, J4.']],
    ['M1 J1 to J3', '', ['stop: The M1 has no J3. Nearest: J2, J4.']],
    ['M1 J99', '', ['stop: The M1 has no J99. Nearest: J47, J48.']],
    ['M25 J32', '', ['stop: The M25 has no J32. Nearest: J30, J31.']],
    ['M99 J1', '', ['stop: The M99 is not in our table. Name a place on it, or draw it.']],
    [
      'A1, Grantham to Newark',
      'A1 Grantham>Newark',
      [
        'understood: A1 Grantham to Newark northbound',
        'understood: “Newark” is read as Newark on Trent, Nottinghamshire.',
      ],
    ],
    ['A1 Grantham to Newark', 'A1 Grantham>Newark', ['understood: A1 Grantham to Newark northbound']],
    ['a1 grantham - newark', 'A1 Grantham>Newark', ['understood: A1 Grantham to Newark northbound']],
    [
      'Grantham to Newark A1',
      'A1 Grantham>Newark',
      [
        'understood: A1 Grantham to Newark northbound',
        'understood: “Newark” is read as Newark on Trent, Nottinghamshire.',
      ],
    ],
    [
      'Grantham to Newark via the A1',
      'A1 Grantham>Newark',
      [
        'understood: A1 Grantham to Newark northbound',
        'understood: “Newark” is read as Newark on Trent, Nottinghamshire.',
      ],
    ],
    [
      'Leeds to York, A64',
      'A64 Leeds>Askham Bryan, link',
      [
        'done: From A64 Askham Bryan to York we draw a straight line (4 km).',
        'understood: A64 Leeds to Askham Bryan eastbound',
      ],
    ],
    [
      'York to Leeds by A64',
      'link, A64 Askham Bryan>Leeds',
      [
        'done: From York to A64 Askham Bryan we draw a straight line (4 km).',
        'understood: A64 Askham Bryan to Leeds westbound',
      ],
    ],
    ['A55 Chester to Holyhead', 'A55 Chester>Holyhead', ['understood: A55 Chester to Holyhead westbound']],
    ['Penzance to Exeter A30', 'A30 Penzance>Exeter', ['understood: A30 Penzance to Exeter eastbound']],
    [
      'A34 Chieveley to Oxford',
      'A34 Chieveley>Hinksey, link',
      [
        'done: From A34 Hinksey to Oxford we draw a straight line (3 km).',
        'understood: A34 Chieveley to Hinksey northbound',
      ],
    ],
    [
      'A14 J31 to J36',
      '',
      [
        'stop: We do not know the junctions of the A14. Name a place on it.',
        'stop: We do not know the junctions of the A14. Name a place on it.',
      ],
    ],
    [
      'A999 Leeds to York',
      'drawn A999',
      [
        'proposal: From Leeds to York there is a way: …',
        'done: From Leeds to York we draw a straight line for the A999, which is not in our table (35 km).',
      ],
    ],
    [
      'B6265 Skipton to Ripon',
      'drawn B6265',
      [
        'proposal: From Skipton to Ripon there is a way: …',
        'done: From Skipton to Ripon we draw a straight line for the B6265, which is not in our table (37 km).',
      ],
    ],
    ['M25 J15 to J30 clockwise', 'M25 J15>J30', ['understood: M25 J15 to J30 clockwise']],
    ['M25 J15 to J30 anticlockwise', 'M25 J15>J30', ['understood: M25 J15 to J30 anti-clockwise']],
    ['M25 J28 to J3', 'M25 J28>J3', ['understood: M25 J28 to J3 clockwise']],
    ['M60 J24 to J4', 'M60 J24>J4', ['understood: M60 J24 to J4 clockwise']],
    ['M25 from J10 to J16', 'M25 J10>J16', ['understood: M25 J10 to J16 clockwise']],
    ['M4 J8/9 to J4b', 'M4 J8/9>J4B', ['understood: M4 J8/9 to J4B eastbound']],
    ['M4 J9 to J12', 'M4 J8/9>J12', ['understood: M4 J8/9 to J12 westbound']],
    ['M4 J30 to J20', 'M4 J30>J20', ['understood: M4 J30 to J20 eastbound']],
    ['M6Toll T4 to T7', 'M6 Toll T4>T7', ['understood: M6 Toll T4 to T7 westbound']],
    ['M6 Toll JT4 - JT7', 'M6 Toll T4>T7', ['understood: M6 Toll T4 to T7 westbound']],
    ['A1 M J44 to J57', 'A1(M) J44>J57', ['understood: A1(M) J44 to J57 northbound']],
    ['M6 toll', '', ['stop: Where does the route join and leave the M6 Toll? Name two junctions or places.']],
    [
      'A1M J57, A66(M)',
      '',
      ['stop: Where does the route join and leave the A66(M)? Name two junctions or places.'],
    ],
    ['a1(m) j1 to j10', 'A1(M) J1>J10', ['understood: A1(M) J1 to J10 northbound']],
    ['A1(M) J57 to J65', 'A1(M) J57>J65', ['understood: A1(M) J57 to J65 northbound']],
    [
      'Newcastle upon Tyne to Hull via A1(M), M62',
      'link, A1(M) J65>J41, M62 J32A>J38, link',
      [
        'done: From Newcastle upon Tyne to A1(M) J65 we draw a straight line (8 km).',
        'done: From M62 J38 to Kingston upon Hull we draw a straight line (22 km).',
        'understood: A1(M) J65 to J41 southbound, then M62 J32A to J38 eastbound',
        'understood: “Hull” means Kingston upon Hull, East Riding of Yorkshire.',
      ],
    ],
    ['M1', '', ['stop: Where does the route join and leave the M1? Name two junctions or places.']],
    ['M1 M25', '', ['stop: Where does the route join and leave the M1? Name two junctions or places.']],
    ['Leeds', '', ['stop: Where does the route go from Leeds? Name another junction or place.']],
    ['J4', '', ['stop: Which road is J4 on?']],
    [
      'Belfast to Dungannon via M1',
      'link, NI M1 J1>J15, link',
      [
        'done: From Belfast to M1 J1 we draw a straight line (2 km).',
        'done: From M1 J15 to Dungannon we draw a straight line (2 km).',
        'understood: M1 J1 to J15 westbound',
      ],
    ],
    [
      'M1 J1 to J7, Lisburn',
      'NI M1 J1>J7, link',
      ['done: From M1 J7 to Lisburn we draw a straight line (4 km).', 'understood: M1 J1 to J7 westbound'],
    ],
    ['M12 J1 to M1 J11', 'NI M12 J1>M1 J11', ['understood: M12 J1 to M1 J11 northbound']],
    [
      'Newport to Cardiff',
      'link',
      [
        'proposal: From Newport to Cardiff there is a way: …',
        'done: From Newport to Cardiff we draw a straight line (17 km).',
        'understood: “Newport” is read as Newport, Wales.',
      ],
    ],
    [
      'Ashford to Dover M20',
      'M20 J9>J13, link',
      [
        'done: From M20 J13 to Dover we draw a straight line (12 km).',
        'understood: M20 J9 to J13 eastbound',
        'understood: “Ashford” is read as Ashford, Kent.',
      ],
    ],
    ['xyzzy to Leeds', '', ['stop: We do not know the place “xyzzy”.']],
    [
      'LHR to LGW',
      'link',
      [
        'proposal: From Heathrow Airport to Gatwick Airport there is a way: …',
        'done: From Heathrow Airport to Gatwick Airport we draw a straight line (40 km).',
        'understood: “LHR” means Heathrow Airport, Greater London.',
        'understood: “LGW” means Gatwick Airport, West Sussex.',
      ],
    ],
    [
      'Leeds coach station to Luton Airport M1',
      'link, M1 J43>J10, link',
      [
        'done: From Leeds Coach Station to M1 J43 we draw a straight line (5 km).',
        'done: From M1 J10 to Luton Airport we draw a straight line (4 km).',
        'understood: M1 J43 to J10 southbound',
      ],
    ],
    [
      'LS1 3AD to M1 J40',
      'link',
      [
        'proposal: From LS1 3AD to M1 J40 there is a way: …',
        'done: From LS1 3AD to M1 J40 we draw a straight line (13 km).',
      ],
    ],
    [
      'Stoke on Trent to Barrow-in-Furness',
      'link',
      [
        'proposal: From Stoke-on-Trent to Barrow in Furness there is a way: …',
        'done: From Stoke-on-Trent to Barrow in Furness we draw a straight line (141 km).',
      ],
    ],
    [
      'M26 J2A to M20 J4',
      'M26 J2A>M20 J3, M20 J3>J4',
      ['understood: M26 J2A to M20 J3 eastbound, then M20 J3 to J4 eastbound'],
    ],
    ['M6 j20 to m56 j7', 'M56 J9>J7', ['understood: M56 J9 to J7 eastbound']],
    ['M6 J45 to M74 J15', 'M74 J22>J15', ['understood: M74 J22 to J15 northbound']],
    ['M8 J8 to M73 J2', '', ['stop: This is one place. Name another junction or place.']],
    ['M62 J10, M6 J21A', '', ['stop: This is one place. Name another junction or place.']],
    [
      'from leeds to london via the m1 and m25',
      'link, M1 J43>J6A, M25 J21>J24, link',
      [
        'done: From Leeds to M1 J43 we draw a straight line (5 km).',
        'done: From M25 J24 to London we draw a straight line (20 km).',
        'understood: M1 J43 to J6A southbound, then M25 J21 to J24 clockwise',
      ],
    ],
    [
      'take the M40 from Oxford to Birmingham',
      'link, M40 J9>M42 J3A, link',
      [
        'done: From Oxford to M40 J9 we draw a straight line (14 km).',
        'done: From M42 J3A to Birmingham we draw a straight line (15 km).',
        'understood: M40 J9 to M42 J3A northbound',
      ],
    ],
    [
      'Leeds to Heathrow via Sheffield',
      'link, link',
      [
        'proposal: From Sheffield to Heathrow there is a way: …',
        'proposal: From Leeds to Sheffield there is a way: …',
        'done: From Sheffield to Heathrow we draw a straight line (224 km).',
        'done: From Leeds to Sheffield we draw a straight line (46 km).',
      ],
    ],
    [
      'Leeds to London via M1 J24 then A14',
      'link, M1 J24>J19, A14 Catthorpe>Godmanchester South, link',
      [
        'proposal: From A14 Bar Hill to London there is a way: …',
        'proposal: From Leeds to M1 J24 there is a way: …',
        'done: From A14 Godmanchester South to London we draw a straight line (87 km).',
        'done: From Leeds to M1 J24 we draw a straight line (108 km).',
        'understood: M1 J24 to J19 southbound, then A14 Catthorpe to Godmanchester South eastbound',
      ],
    ],
    [
      'M5 J15 to J31, A30, Penzance',
      'M5 J15>J31, A30 Exeter>Penzance',
      ['understood: M5 J15 to J31 southbound, then A30 Exeter to Penzance westbound'],
    ],
    [
      'Hull, M62 J38, M62 J10, M6 J21A, M6 J44, Carlisle',
      'link, M62 J38>J10, M6 J21A>J44, link',
      [
        'proposal: From Kingston upon Hull to M62 J38 there is a way: A63 Hull to North Cave.',
        'done: From Kingston upon Hull to M62 J38 we draw a straight line (22 km).',
        'done: M62 J12 to J18 is the M60: both are watched.',
        'done: From M6 J44 to Carlisle we draw a straight line (4 km).',
        'understood: M62 J38 to J18 westbound, then M60 J18 to J12 anti-clockwise, then M62 J12 to J10 westbound, then M6 J21A to J44 northbound',
        'understood: “Hull” means Kingston upon Hull, East Riding of Yorkshire.',
      ],
    ],
    [
      'A217 Reigate Hill to A217 Povey Cross',
      'A217 Reigate Hill>Povey Cross',
      ['understood: A217 Reigate Hill to Povey Cross southbound'],
    ],
    ['', '', []],
    [
      'London-Leeds',
      'link',
      [
        'proposal: From London to Leeds there is a way: …',
        'done: From London to Leeds we draw a straight line (271 km).',
      ],
    ],
    [
      'M1 Leeds London',
      'link, M1 J43>J1, link',
      [
        'done: From Leeds to M1 J43 we draw a straight line (5 km).',
        'done: From M1 J1 to London we draw a straight line (10 km).',
        'understood: M1 J43 to J1 southbound',
      ],
    ],
    [
      'Cardiff Gatwick M4 M25 M23',
      'link, M4 J30>J4B, M25 J15>J7, M23 J8>J9',
      [
        'done: From Cardiff to M4 J30 we draw a straight line (8 km).',
        'understood: M4 J30 to J4B eastbound, then M25 J15 to J7 anti-clockwise, then M23 J8 to J9 southbound',
        'understood: “Gatwick” is read as Gatwick Airport, West Sussex.',
      ],
    ],
    // A road after the last place may lead to it or on from it.
    [
      'Leeds M62 Hull A63',
      'link, M62 J29>J38, A63 North Cave>Hull',
      [
        'stop: Does the A63 lead to Kingston upon Hull, or on from it? Name the place where the route ends.',
        'done: From Leeds to M62 J29 we draw a straight line (8 km).',
        'understood: M62 J29 to J38 eastbound, then A63 North Cave to Hull eastbound',
        'understood: “Hull” means Kingston upon Hull, East Riding of Yorkshire.',
      ],
    ],
    [
      'Bath A46 M4 Swindon',
      'A46 Bath>Old Sodbury, M4 J18>J16, link',
      [
        'done: From M4 J16 to Swindon we draw a straight line (5 km).',
        'understood: A46 Bath to Old Sodbury northbound, then M4 J18 to J16 eastbound',
        'understood: “Swindon” is read as Swindon, Wiltshire.',
      ],
    ],
    [
      'Glasgow M8 M9 Stirling',
      'link, M8 J16>J2, M9 J1>J9, link',
      [
        'done: From Glasgow to M8 J16 we draw a straight line (1 km).',
        'done: From M9 J9 to Stirling we draw a straight line (4 km).',
        'understood: M8 J16 to J2 eastbound, then M9 J1 to J9 westbound',
      ],
    ],
    [
      'Leeds M62 A1 Scotch Corner',
      'link, M62 J29>J32A, A1(M) J41>J53',
      [
        'done: From Leeds to M62 J29 we draw a straight line (8 km).',
        'understood: M62 J29 to J32A eastbound, then A1(M) J41 to J53 northbound',
        'understood: Between Leeds and A1(M) J53 the A1 is the A1(M).',
      ],
    ],
    [
      'Penrith A66 Scotch Corner A1 Leeds',
      'A66 Penrith>Scotch Corner, A1(M) J53>J45, link',
      [
        'done: From A1(M) J45 to Leeds we draw a straight line (16 km).',
        'understood: A66 Penrith to Scotch Corner eastbound, then A1(M) J53 to J45 southbound',
        'understood: Between A66 Scotch Corner and Leeds the A1 is the A1(M).',
      ],
    ],
    [
      'Birmingham M6 M1 8hr London',
      'link, M6 J6>M1 J19, M1 J19>J1, link',
      [
        'done: From Birmingham to M6 J6 we draw a straight line (4 km).',
        'done: From M1 J1 to London we draw a straight line (10 km).',
        'understood: M6 J6 to M1 J19 southbound, then M1 J19 to J1 southbound',
        'understood: “8hr London” is read as London, Greater London.',
      ],
    ],
    [
      'M1 1AE M6 B1 1BB',
      'link, M6 J19>J6, link',
      [
        'done: From M1 1AE to M6 J19 we draw a straight line (22 km).',
        'done: From M6 J6 to B1 1BB we draw a straight line (4 km).',
        'understood: M6 J19 to J6 southbound',
      ],
    ],
    [
      'leeds bradfrod halifax',
      'link, link',
      [
        'proposal: From Leeds to Bradford there is a way: …',
        'proposal: From Bradford to Halifax there is a way: …',
        'done: From Leeds to Bradford we draw a straight line (13 km).',
        'done: From Bradford to Halifax we draw a straight line (11 km).',
        'understood: “bradfrod” is read as Bradford, West Yorkshire.',
      ],
    ],
    [
      'Isle of Wight A3020 Newport',
      'drawn A3020',
      [
        'done: From Isle of Wight to Newport we draw a straight line for the A3020, which is not in our table (1 km).',
        'understood: “Newport” is read as Newport, Isle of Wight.',
      ],
    ],
    // The A38 runs beside the M5; the A40 goes to London too, but from there the M4 would be driven back.
    [
      'Derby A38 M5 Exeter',
      'A38 Derby>Lydiate Ash, M5 J4>J29, link',
      [
        'done: From M5 J29 to Exeter we draw a straight line (5 km).',
        'understood: A38 Derby to Lydiate Ash southbound, then M5 J4 to J29 southbound',
      ],
    ],
    [
      'Fishguard A40 M4 London',
      'A40 Fishguard>White City, M4 J1>J2, link',
      [
        'stop: The M4 leads away from London there. Name a place where it is joined.',
        'done: From M4 J2 to London we draw a straight line (12 km).',
        'understood: A40 Fishguard to White City eastbound, then M4 J1 to J2 westbound',
      ],
    ],
    // Short forms of names, and roads beside junctions.
    [
      'Luton Apt M1 Leeds',
      'link, M1 J10>J43, link',
      [
        'done: From Luton Airport to M1 J10 we draw a straight line (4 km).',
        'done: From M1 J43 to Leeds we draw a straight line (5 km).',
        'understood: M1 J10 to J43 northbound',
        'understood: “Luton Apt” is read as Luton Airport, Bedfordshire.',
      ],
    ],
    [
      'Brum New St to Cov via M6',
      'link, M6 J6>J3, link',
      [
        'done: From Birmingham New Street station to M6 J6 we draw a straight line (4 km).',
        'done: From M6 J3 to Coventry we draw a straight line (6 km).',
        'understood: M6 J6 to J3 southbound',
        'understood: “Brum New St” means Birmingham New Street station (BHM).',
        'understood: “Cov” means Coventry, West Midlands.',
      ],
    ],
    [
      'Cambs M11 London',
      'link, M11 J11>J4, link',
      [
        'done: From Cambridge to M11 J11 we draw a straight line (5 km).',
        'done: From M11 J4 to London we draw a straight line (15 km).',
        'understood: M11 J11 to J4 southbound',
        'understood: “Cambs” means Cambridge, Cambridgeshire.',
      ],
    ],
    [
      'M6 J12, M6 J15 Stoke',
      'M6 J12>J15, link',
      [
        'done: From M6 J15 to Stoke-on-Trent we draw a straight line (5 km).',
        'understood: M6 J12 to J15 northbound',
        'understood: “Stoke” means Stoke-on-Trent, Staffordshire.',
      ],
    ],
    ['J28 M1 to J36 M1', 'M1 J28>J36', ['understood: M1 J28 to J36 northbound']],
    [
      'M6 Keele services - M6 J20',
      'link, M6 J16>J20',
      [
        'done: From Keele services to M6 J16 we draw a straight line (8 km).',
        'understood: M6 J16 to J20 northbound',
      ],
    ],
    [
      'Bournemouth A338 A31 Ringwood',
      'A338 Bournemouth>Ringwood',
      ['understood: A338 Bournemouth to Ringwood northbound'],
    ],
    [
      'A1 Darrington, A1, Leeds',
      'link',
      ['done: From A1 Darrington to Leeds we draw a straight line (23 km).'],
    ],
    [
      'Heysham - Douglas',
      'link',
      [
        'stop: By which road do you go from Heysham to Douglas (105 km)?',
        'done: From Heysham to Douglas we draw a straight line (105 km).',
        'understood: “Douglas” is read as Douglas, Isle of Man.',
      ],
    ],
    [
      'Llandudno A470 Betws',
      'A470 Llandudno>Betws-y-Coed',
      [
        'understood: A470 Llandudno to Betws-y-Coed southbound',
        'understood: “Betws” is read as Betws-y-Coed, Conwy.',
      ],
    ],
    ['M180 jctn 3 to jcn 5', 'M180 J3>J5', ['understood: M180 J3 to J5 eastbound']],
    // A part of a name, such as "Stn", is no place of the route.
    [
      'Exeter Coach Stn M5 Bristol Bus Stn',
      'link, M5 J29>J19, link',
      [
        'done: From Exeter to M5 J29 we draw a straight line (5 km).',
        'done: From M5 J19 to Bristol Bus Station we draw a straight line (8 km).',
        'understood: M5 J29 to J19 northbound',
        'understood: “Exeter Coach Stn” is read as Exeter, Devon.',
        'understood: “Bristol Bus Stn” means Bristol Bus Station.',
      ],
    ],
    ['Fooz to Leeds', '', ['stop: We do not know the place “Fooz”.']],
  ];
