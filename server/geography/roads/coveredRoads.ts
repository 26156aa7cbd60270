/**
 * Which roads somebody reports on. National Highways, Traffic Scotland and Traffic Wales report on motorways and trunk
 * roads; the other roads are councils', and nobody whom we ask reports on those. Written by hand from general knowledge.
 * A stretch not here counts as not covered: where it was doubtful whether a stretch is a trunk road, it is left out.
 */
import type { Chain } from './roadTable.ts';
import { waypointIndex } from './roadTable.ts';

/** By chain: all of it, or the stretches from one name of its table to another. */
const TRUNK_ROADS: Readonly<Record<string, 'all' | readonly (readonly [from: string, to: string])[]>> = {
  A1: [['South Mimms', 'Musselburgh']],
  A2: [
    ['Darenth', 'Shorne'],
    ['Brenley Corner', 'Dover'],
  ],
  A3: [['Esher', 'Horndean']],
  A5: [
    ['Hockliffe', 'Towcester'],
    ['Catthorpe', 'Gailey'],
    ['Wellington', 'Bethesda'],
  ],
  A7: [['Tweedbank', 'Canonbie']],
  A8: [
    ['Gogar', 'Newbridge'],
    ['Langbank', 'Greenock'],
  ],
  A9: [['Keir', 'Scrabster']],
  A11: [['Stump Cross', 'Thickthorn']],
  A12: [['Brook Street', 'Copdock']],
  A13: [['Lakeside', 'Orsett']],
  A14: 'all',
  A19: [['Thirsk', 'Seaton Burn']],
  A20: [['Folkestone', 'Dover']],
  A21: [['Sevenoaks West', 'Hastings']],
  A23: [['Pease Pottage', 'Patcham']],
  A26: [['Lewes', 'Newhaven']],
  A27: [['Cosham', 'Pevensey']],
  A30: [['Upottery', 'Penzance']],
  A31: [['Cadnam', 'Bere Regis']],
  A34: [['Winchester', 'Weston-on-the-Green']],
  A35: [['Bere Regis', 'Honiton']],
  A36: [['Ower', 'Bathampton']],
  A38: [
    ['Bodmin', 'Kennford'],
    ['Swinfen', 'South Normanton'],
  ],
  A40: [['Golden Valley', 'Fishguard']],
  A42: 'all',
  A43: [['Ardley', 'Northampton South']],
  A44: [['Aberystwyth', 'Walton']],
  A45: [
    ['Toll Bar', 'Dunchurch'],
    ['Wootton', 'Thrapston'],
  ],
  A46: [
    ['Bath', 'Cold Ashton'],
    ['Ashchurch', 'Ansty'],
    ['Leicester West', 'Halfway House'],
  ],
  A47: [
    ['Wansford', 'Castor'],
    ['Eye', 'Lowestoft'],
  ],
  A48: [['Pont Abraham', 'Carmarthen']],
  A49: [['Ross-on-Wye', 'Prees Heath']],
  A50: [['Stoke-on-Trent', 'Lockington']],
  A52: [['Derby', 'Bingham']],
  A55: 'all',
  A56: [['Ramsbottom', 'Accrington']],
  A63: [['North Cave', 'Hull East']],
  A64: [['Bramham', 'Seamer']],
  A66: [['Workington', 'Stockton-on-Tees']],
  A68: [['Carter Bar', 'Millerhill']],
  A69: 'all',
  A75: 'all',
  A76: 'all',
  A77: [['Fenwick', 'Stranraer']],
  A78: 'all',
  A82: [['Duntocher', 'Inverness']],
  A83: 'all',
  A84: [['Craigforth', 'Lochearnhead']],
  A85: [['Huntingtower', 'Oban']],
  A86: 'all',
  A87: 'all',
  A90: [['Perth', 'Peterhead']],
  A92: [['Dunfermline', 'Newport-on-Tay']],
  A95: [['Granish', 'Keith']],
  A96: [['Blackburn', 'Raigmore']],
  A99: [['Latheron', 'Wick']],
  A120: [['Stansted', 'Harwich']],
  A168: [['Dishforth', 'Thirsk']],
  A174: [['Stainton', 'Eston']],
  A180: [['Barnetby', 'Grimsby']],
  A249: [['Stockbury', 'Sheerness']],
  A259: [['Pevensey', 'Brookland']],
  A282: 'all',
  A303: 'all',
  A404: [['High Wycombe', 'Burchetts Green']],
  A417: [['Cirencester', 'Brockworth']],
  A419: [['Commonhead', 'Cirencester East']],
  A421: [['Brogborough', 'Black Cat']],
  A428: [['Black Cat', 'Girton']],
  A449: [
    ['Coldra', 'Raglan'],
    ['Coven', 'Gailey'],
  ],
  A453: [['Lockington', 'Clifton Bridge']],
  A458: [['Mallwyd', 'Ford']],
  A465: [['Pandy', 'Llandarcy']],
  A470: [['Coryton', 'Llandudno Junction']],
  A477: [['St Clears', 'Pembroke Dock']],
  A479: 'all',
  A483: [['Chester', 'Pont Abraham']],
  A487: 'all',
  A489: [
    ['Newtown', 'Caersws'],
    ['Cemmaes Road', 'Machynlleth'],
  ],
  A494: 'all',
  A500: [['Barthomley', 'Hanford']],
  A550: [['Hooton', 'Shotwick']],
  A556: [['Bowdon', 'Mere']],
  A585: 'all',
  A590: 'all',
  A595: [['Lillyhall', 'Egremont']],
  A616: [['Flouch', 'Westwood']],
  A628: [['Hollingworth', 'Flouch']],
  A696: [['Kenton Bar', 'Newcastle Airport']],
  A701: [['Beattock', 'Dumfries']],
  A702: [['Hillend', 'Abington']],
  A720: 'all',
  A725: 'all',
  A737: [['St James', 'Kilwinning']],
  A828: 'all',
  A830: 'all',
  A835: [['Tore', 'Ullapool']],
  A887: 'all',
  A889: 'all',
  A985: 'all',
  A1033: [['Hull', 'Saltend']],
  A2070: 'all',
  A4042: 'all',
  A4232: [['Capel Llanilltern', 'Culverhouse Cross']],
  A5036: [['Seaforth', 'Switch Island']],
  A9000: 'all',
};

/** Motorways of councils, and the one of a company. */
const OTHERS_MOTORWAYS: ReadonlySet<string> = new Set([
  'A38(M)',
  'A57(M)',
  'A58(M)',
  'A64(M)',
  'A167(M)',
  'A329(M)',
  'M275',
  'M6 Toll',
]);

const isMotorway = (road: string) => /^M\d|\(M\)$/.test(road);

/** Which parts of a road somebody reports on: all, none, or those from these waypoints to the next. */
export type CoveredPart = 'all' | 'none' | ReadonlySet<number>;

const found = new WeakMap<Chain, CoveredPart>();

export function coveredPartOf(chain: Chain): CoveredPart {
  let part = found.get(chain);
  if (!part) found.set(chain, (part = partOf(chain)));
  return part;
}

/** The same of a road that our table does not have. */
export const coveredByName = (road: string): CoveredPart =>
  isMotorway(road) && !OTHERS_MOTORWAYS.has(road) ? 'all' : 'none';

function partOf(chain: Chain): CoveredPart {
  // In Northern Ireland one department looks after every road.
  if (chain.waypoints.every(({ nation }) => nation === 'northern-ireland')) return 'all';
  const stretches = Object.hasOwn(TRUNK_ROADS, chain.id) ? TRUNK_ROADS[chain.id]! : [];
  if (stretches === 'all') return 'all';
  if (stretches.length === 0) return coveredByName(chain.id);
  return new Set(
    stretches.flatMap(([from, to]) => {
      const [first, last] = [waypointIndex(chain, from), waypointIndex(chain, to)];
      if (first < 0 || last <= first) throw new Error(`The ${chain.id} has no stretch ${from} to ${to}.`);
      return Array.from({ length: last - first }, (_, index) => first + index);
    }),
  );
}

/** The roads of the table above, to be checked. */
export const TRUNK_ROAD_IDS: readonly string[] = Object.keys(TRUNK_ROADS);
