import type { ReactNode } from 'react';

/** A link that came out of a feed or an event. Anything but http and https is not a link, only its words. */
export function OutsideLink({ url, children }: { url: string | null | undefined; children: ReactNode }) {
  const address = webAddress(url);
  if (!address) return null;

  return (
    <a href={address} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}

/** The address if it leads to a web page; null for `javascript:`, `data:`, `mailto:` and what is no address. */
export function webAddress(url: string | null | undefined): string | null {
  if (!url || !URL.canParse(url)) return null;
  const { protocol, href } = new URL(url);
  return protocol === 'http:' || protocol === 'https:' ? href : null;
}
