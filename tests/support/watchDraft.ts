/** A route, an area or feeds that a test stores: everything is let through, always, and the name was typed. */
import { WHICH } from '#contract/watches/whichIncidents.ts';

export const LETS_ALL = { made_name: '', named_by_hand: true, place: null, which: WHICH, when: null };
