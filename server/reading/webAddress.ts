/** The address of a feed's link, if it is one that a browser may follow: http or https, and nothing else. */
export function webAddress(address: string | null | undefined): string | undefined {
  const url = URL.parse(address?.trim() ?? '');
  return url && /^https?:$/.test(url.protocol) ? url.href : undefined;
}
