import type { ReactNode } from 'react';

/** A link from a feed or an event. An address that is not http or https is shown as plain text. */
export function OutsideLink({ url, children }: { url: string | null | undefined; children: ReactNode }) {
  const address = webAddress(url);
  if (!address) return null;

  return (
    <a href={address} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}

/** The address if it leads to a web page; null for `javascript:`, `data:`, `mailto:` and texts that are not an
 *  address. */
export function webAddress(url: string | null | undefined): string | null {
  if (!url || !URL.canParse(url)) return null;
  const { protocol, href } = new URL(url);
  return protocol === 'http:' || protocol === 'https:' ? href : null;
}
