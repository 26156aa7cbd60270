import type { Publisher } from '../../server/incidents/collector.ts';

/** Publisher of collectors that tests make. */
export const NOBODY: Publisher = {
  publisher: 'Nobody',
  licence: { name: 'None', url: null },
  attribution: 'Nobody.',
};
