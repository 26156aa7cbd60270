import { describe, expect, it } from 'vitest';
import { readParts } from '../../../../server/sources/parts/roadEvents.ts';
import { problems } from '../../../../server/http/documents/records.ts';

const parts = [{ name: 'incidents' }, { name: 'roadworks' }];

/** Answers with the part's own name, or fails with its error in `faults`. */
const read = async (faults: Record<string, Error>) => {
  const found = problems();
  const answer = await readParts(
    parts,
    async ({ name }) => {
      if (faults[name]) throw faults[name];
      return [name];
    },
    found,
  );
  return { ...answer, problems: found.list };
};

describe('a source in several documents', () => {
  it('is read whole, in order', async () => {
    expect(await read({})).toEqual({ all: ['incidents', 'roadworks'], complete: true, problems: [] });
  });

  it('is read in part when one fails, and says which', async () => {
    expect(await read({ incidents: new Error('503') })).toEqual({
      all: ['roadworks'],
      complete: false,
      problems: ['The incidents could not be read: 503'],
    });
  });

  it('fails when all do: with each reason, or the one that they share', async () => {
    const gone = new Error('gone');

    await expect(read({ incidents: gone, roadworks: new Error('gone') })).rejects.toBe(gone);
    await expect(read({ incidents: gone, roadworks: new Error('cut off') })).rejects.toThrow(
      'incidents: gone; roadworks: cut off',
    );
  });
});
