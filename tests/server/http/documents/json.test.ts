import { describe, expect, it } from 'vitest';
import { readJson } from '../../../../server/http/documents/json.ts';
import { FIELD_MAX } from '../../../../server/http/documents/plainText.ts';

describe('readJson', () => {
  it('shortens only texts that are too long', () => {
    const long = 'x'.repeat(FIELD_MAX + 1);
    expect(readJson(JSON.stringify({ a: [long, 'short', 7, null], b: { c: long } }))).toEqual({
      a: [long.slice(1), 'short', 7, null],
      b: { c: long.slice(1) },
    });
    const honest = { quoted: 'say "[{,', slash: '\\', list: [[1, 2], { deep: '\\"' }] };
    expect(readJson(JSON.stringify(honest))).toEqual(honest);
  });

  it.each([
    [
      `[${'{},'.repeat(150_000)}{}]`,
      'The document has 300003 values. More than 300000 are treated as a fault.',
    ],
    [
      String.raw`["\\",${'0,'.repeat(300_000)}0]`,
      'The document has 300003 values. More than 300000 are treated as a fault.',
    ],
    [`${'['.repeat(20_000)}${']'.repeat(20_000)}`, 'The document is nested more than 10000 levels deep.'],
    ['[1,', 'The document is not JSON, or cut off.'],
    ['{"a":"half', 'The document is not JSON, or cut off.'],
  ])('refuses in words what no publisher would send (%#)', (document, message) => {
    expect(() => readJson(document)).toThrow(message);
  });
});
