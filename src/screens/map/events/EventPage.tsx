import { STATIONS_ATTRIBUTION } from '#contract/places/events.ts';
import { ArrowSquareOutIcon } from '@phosphor-icons/react/dist/csr/ArrowSquareOut';
import { Link } from 'wouter';
import { usePageId } from '../../../device/address/useAddress.ts';
import type { Point } from '../../../api/alerts/geometry.ts';
import type { EventRecord } from '../../../api/places/events.ts';
import { sinceText } from '../../../feeds/alerts/alerts.ts';
import { serverNow } from '../../../time/freshness.ts';
import { Badge } from '../../../ui/signs/StatusLine.tsx';
import { buttonLook } from '../../../ui/controls/Button.tsx';
import { grouped } from '#contract/numbers.ts';
import { Notice } from '../../../ui/signs/Notice.tsx';
import { OutsideLink, webAddress } from '../../../ui/signs/OutsideLink.tsx';
import { Facts } from '../../../ui/page/Facts.tsx';
import { Page, Panel } from '../../../ui/page/Page.tsx';
import { ProductSign } from '../../../ui/signs/ProductSign.tsx';
import { formatDateTime } from '../../../time/london.ts';
import { boundsNear } from '../../../maps/basemap.ts';
import { pointOf } from '../clusters.ts';
import styles from './EventPage.module.css';
import { endText, eventName, startText } from './eventWords.ts';
import { IncidentList } from '../incidents/IncidentList.tsx';
import { addressOf, useMapFilters } from '../mapFilters.ts';
import { type EventOnPage, useEvent } from './useEvent.ts';
import { useIncidents } from '../incidents/useIncidents.ts';

/** Disruptions farther from the venue than this do not affect it. */
export const NEAR_KM = 10;

/** `/events/{id}`: everything that is known about one event, and the disruptions near it. */
export function EventPage() {
  const id = usePageId();
  const answer = useEvent(id);

  if (answer.state === 'loading') return <Page heading="Event" about="Loading..." />;
  if (answer.state === 'failed') {
    return (
      <Page heading="Event">
        <div data-stack="4" data-align="start">
          <Notice>{answer.message}</Notice>
          <BackToMap />
        </div>
      </Page>
    );
  }

  const { event, saved } = answer;
  return (
    <Page
      heading={eventName(event)}
      about={[event.category, ...(event.sub_categories ?? [])].filter(Boolean).join(' · ')}
      aside={<BackToMap />}
    >
      <div className={styles.signs} data-stack>
        {event.is_sample && <ProductSign>Sample data: this event does not take place</ProductSign>}
        {saved && <ProductSign>{savedText(saved)}</ProductSign>}
      </div>
      <div className={styles.columns} data-break data-columns="60">
        <div data-stack="5">
          <Performances event={event} />
          {event.description && (
            <Panel heading="About">
              <p className={styles.text}>{event.description}</p>
            </Panel>
          )}
          <Pictures event={event} />
          <Prices event={event} />
          <Links event={event} />
          {(event.tags ?? []).length > 0 && (
            <p data-row aria-label="Tags">
              {event.tags?.map((tag) => (
                <Badge key={tag}>{tag}</Badge>
              ))}
            </p>
          )}
        </div>
        <div data-stack="5">
          <VenuePanel event={event} />
          <Stations event={event} />
          <Nearby at={event.venue ? pointOf(event.venue) : null} />
          <p data-text="small" data-tone="3">
            {[
              event.source && `Source: ${event.source}`,
              event.updated_at && `updated ${formatDateTime(event.updated_at)}`,
            ]
              .filter(Boolean)
              .join(', ')}
          </p>
        </div>
      </div>
    </Page>
  );
}

function savedText({ at, as }: NonNullable<Extract<EventOnPage, { state: 'ready' }>['saved']>): string {
  const time = sinceText(at, serverNow());
  return as === 'record'
    ? `Showing this event as saved at ${time}`
    : `Showing this event as saved from the map at ${time}. The full record needs a connection.`;
}

function BackToMap() {
  const address = useMapFilters(addressOf);
  return (
    <Link href={address} {...buttonLook()}>
      Back to the map
    </Link>
  );
}

function Performances({ event: { performances } }: { event: EventRecord }) {
  const shown = performances ?? [];
  if (shown.length === 0) return null;

  return (
    <Panel heading={shown.length === 1 ? 'Time' : 'Times'}>
      <ul className={styles.times} data-ruled>
        {shown.map((performance, index) => {
          const { performance_id, booking_url } = performance;
          const booking = webAddress(booking_url);
          const end = endText(performance);
          return (
            <li key={performance_id ?? index} data-split="4" data-text="strong">
              <p>
                {startText(performance) || 'Date not known'}
                {end && <span> to {end}</span>}
              </p>
              {booking && (
                <a
                  href={booking}
                  target="_blank"
                  rel="noopener noreferrer"
                  {...buttonLook({ kind: 'primary', small: true })}
                >
                  Book tickets <ArrowSquareOutIcon weight="bold" aria-hidden />
                </a>
              )}
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}

/** Pictures as text links, because the app's content policy blocks pictures from other sites. */
function Pictures({ event: { images, trailers } }: { event: EventRecord }) {
  const links = [
    ...(images ?? []).map(({ url, alt }) => ({ url, words: alt?.trim() || 'Picture' })),
    ...(trailers ?? []).map(({ url, title }) => ({ url, words: title?.trim() || 'Trailer' })),
  ].filter(({ url }) => webAddress(url));
  return <LinkList heading="Pictures and trailers" links={links} />;
}

function Links({ event: { links } }: { event: EventRecord }) {
  const shown = (links ?? []).flatMap(({ url, label }) => {
    const address = webAddress(url);
    return address ? [{ url: address, words: label?.trim() || new URL(address).hostname }] : [];
  });
  return <LinkList heading="Links" links={shown} />;
}

function LinkList({
  heading,
  links,
}: {
  heading: string;
  links: { url: string | null | undefined; words: string }[];
}) {
  if (links.length === 0) return null;

  return (
    <Panel heading={heading}>
      <ul data-stack>
        {links.map(({ url, words }) => (
          <li key={url}>
            <OutsideLink url={url}>{words}</OutsideLink>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Prices({ event: { prices } }: { event: EventRecord }) {
  if ((prices ?? []).length === 0) return null;

  return (
    <Panel heading="Prices">
      <Facts
        facts={(prices ?? []).map(({ label, min, max, currency }) => [
          label?.trim() || 'Ticket',
          priceText(min, max, currency),
        ])}
      />
    </Panel>
  );
}

function priceText(min?: number | null, max?: number | null, currency?: string | null): string {
  const amounts = [...new Set([min, max].filter((amount) => amount != null))].map((amount) =>
    money(amount, currency),
  );
  return amounts.join(' to ') || 'Not known';
}

function money(amount: number, currency: string | null | undefined): string {
  if (amount === 0) return 'Free';
  try {
    return amount.toLocaleString('en-GB', { style: 'currency', currency: currency ?? 'GBP' });
  } catch {
    return `${grouped(amount)} ${currency}`; // it is not a known currency
  }
}

function VenuePanel({ event: { venue } }: { event: EventRecord }) {
  if (!venue) return null;
  const website = webAddress(venue.website);
  const siteLink = website && <OutsideLink url={website}>{new URL(website).hostname}</OutsideLink>;

  return (
    <Panel heading={venue.name?.trim() || 'Venue'}>
      <Facts
        facts={[
          ['Type', venue.venue_type],
          ['Address', addressText(venue)],
          ['Postcode', venue.postcode],
          ['Capacity', venue.capacity == null ? null : grouped(venue.capacity)],
          ['Telephone', venue.phone],
          ['Email', venue.email],
          ['Website', siteLink],
        ]}
      />
    </Panel>
  );
}

/** The address. A venue's town and region can be the same, such as London; that is shown once. */
const addressText = ({ address, town, region, country }: NonNullable<EventRecord['venue']>) =>
  [...new Set([address, town, region, country])].filter(Boolean).join(', ');

function Stations({ event: { nearby_stations: stations } }: { event: EventRecord }) {
  if ((stations ?? []).length === 0) return null;

  return (
    <Panel heading="Nearby stations">
      <Facts
        facts={(stations ?? []).map(({ name, crs, distance_km }) => [
          [name ?? 'Station', crs && `(${crs})`].filter(Boolean).join(' '),
          distance_km == null ? 'Distance not known' : `${distance_km.toFixed(1)} km`,
        ])}
      />
      <p data-top="3" data-size="caption" data-tone="3">
        {STATIONS_ATTRIBUTION}
      </p>
    </Panel>
  );
}

function Nearby({ at }: { at: Point | null }) {
  const found = useIncidents(at && boundsNear(at, NEAR_KM));
  if (found.state === 'off') return null;

  return (
    <Panel heading={`Disruptions within about ${NEAR_KM} km`}>
      <div className={styles.nearby}>
        <IncidentList found={found} />
      </div>
    </Panel>
  );
}
