/** Numbers in words and figures, as people in Britain write them. */

/** `1,234` */
export const grouped = (count: number) => count.toLocaleString('en-GB');

/** `1 alert`, `1,234 alerts` */
export const counted = (count: number, noun: string) => `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
