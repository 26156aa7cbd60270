/** `csv-parse/browser/esm/sync` (tsconfig.json): the package's own types need Node's, which the app does not have. */
export function parse<Row>(
  text: string,
  options: {
    columns?: true;
    delimiter?: string;
    info?: true;
    relax_column_count?: true;
    relax_quotes?: true;
    trim: boolean;
    skip_empty_lines: boolean;
  },
): Row[];
