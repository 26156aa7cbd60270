/**
 * Sheets take gaps, type sizes, widths and colours from src/ui/tokens.css alone; what grows with its own text or with a
 * wall is in `em` or in `--u`. The exceptions at the end are all there are.
 */
const part = String.raw`(?:0|var\(--[\w-]+(?:, [\w.()-]+)?\)|[\d.]+em|calc\(.*var\(--u\).*\))`;
const GAP = new RegExp(`^${part}(?: ${part})?$`);
const SIZE = [/^var\(--t/, /^[\d.]+em$/, 'inherit', '0', /^[\d.]+pt$/, /var\(--u\)/];
const FONT = [
  /^var\(--f-/,
  /^(?:\d+|var\(--w-\w+\)) (?:var\(--.+\)|[\d.]+em|calc\(.*var\(--u\).*\)) ?\//,
  'inherit',
];
const FOUR = ['30rem', '40rem', '60rem', '80rem'];

export default {
  rules: {
    'declaration-property-value-allowed-list': {
      gap: GAP,
      'row-gap': GAP,
      'column-gap': GAP,
      'font-size': SIZE,
      font: FONT,
    },
    'media-feature-name-disallowed-list': ['min-width', 'max-width'], // `(width < 40rem)`
    'media-feature-name-value-allowed-list': { width: FOUR },
    'color-no-hex': true,
    'color-named': 'never',
    'function-disallowed-list': ['rgb', 'rgba', 'hsl', 'hsla', 'lab', 'oklch'],
    'block-no-empty': true,
    'declaration-block-no-duplicate-properties': true,
    'no-duplicate-selectors': true,
  },
  overrides: [
    {
      files: ['src/ui/tokens.css'],
      rules: { 'color-no-hex': null, 'function-disallowed-list': null },
    },
    {
      files: ['src/app/NavBar.module.css'], // an administrator has twelve links
      rules: { 'media-feature-name-value-allowed-list': { width: [...FOUR, '64rem', '96rem'] } },
    },
    {
      // fluid; in a drawing's own units; in a container's own unit
      files: [
        'src/screens/landing/LandingPage.module.css',
        'src/screens/wall/UkMap.module.css',
        'src/ui/page/Table.module.css',
      ],
      rules: { 'declaration-property-value-allowed-list': { gap: GAP, 'row-gap': GAP, 'column-gap': GAP } },
    },
  ],
};
