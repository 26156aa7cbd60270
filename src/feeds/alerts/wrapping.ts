/** Where a title or sentence on the board may not wrap. */

const BINDINGS: readonly RegExp[] = [
  /\bup (?=to \d)/g,
  /\d (?=(?:minutes?|hours?|miles?|metres?|knots|min|mph|km|m|lanes?)\b)/g, // number and unit
  /\d(?:\(M\))? (?=(?:north|south|east|west)bound\b|both ways\b|(?:anti-?)?clockwise\b)/g, // road and direction
  /\b(?:lanes?|platforms?|Terminals?|about|since|until|from|to) (?=J?\d)/g, // a number and its word
  /\bRiver (?=[A-Z])/g,
  /\bLeeds (?=Bradford\b)/g,
];

/** With no-break spaces inside what belongs together: "45 minutes", "M62 eastbound", "until 11:00", "River Aire". */
export const keptTogether = (text: string): string =>
  BINDINGS.reduce((kept, binding) => kept.replace(binding, (words) => words.replace(/ $/, '\u00a0')), text);
