/** The address of a feed's link, if a browser may follow it: only http or https. */
export function webAddress(address: string | null | undefined): string | undefined {
  const url = URL.parse(address?.trim() ?? '');
  return url && /^https?:$/.test(url.protocol) ? url.href : undefined;
}
