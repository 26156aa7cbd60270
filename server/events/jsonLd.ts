/** Events as web pages describe them to search engines: schema.org in JSON-LD. https://schema.org/Event */
import { hash } from 'node:crypto';
import { fields } from '../collectors/json.ts';
import { plainText } from '../collectors/plainText.ts';
import { webAddress } from '../collectors/webAddress.ts';

type Thing = Readonly<Record<string, unknown>>;

/** Of each type that schema.org knows below Event. */
const CATEGORY: Readonly<Record<string, string>> = {
  Event: 'Community',
  BusinessEvent: 'Conferences',
  ChildrensEvent: 'Family',
  ComedyEvent: 'Comedy',
  ConferenceEvent: 'Conferences',
  CourseInstance: 'Community',
  DanceEvent: 'Theatre',
  DeliveryEvent: 'Community',
  EducationEvent: 'Community',
  EventSeries: 'Community',
  ExhibitionEvent: 'Exhibitions',
  Festival: 'Festivals',
  FoodEvent: 'Food and drink',
  Hackathon: 'Conferences',
  LiteraryEvent: 'Community',
  MusicEvent: 'Music',
  PerformingArtsEvent: 'Theatre',
  PublicationEvent: 'Community',
  SaleEvent: 'Community',
  ScreeningEvent: 'Film',
  SocialEvent: 'Community',
  SportsEvent: 'Sport',
  TheaterEvent: 'Theatre',
  VisualArtsEvent: 'Exhibitions',
};

export const isJsonLd = (value: unknown): boolean => {
  const { '@type': type, '@graph': graph } = fields(value);
  return type !== undefined || graph !== undefined;
};

/** All things in a document that are events, those within lists and graphs included. */
export function eventsIn(document: unknown): Thing[] {
  if (Array.isArray(document)) return document.flatMap(eventsIn);
  const thing = fields(document);
  if (thing['@graph'] !== undefined) return eventsIn(thing['@graph']);
  if (typeOf(thing) === 'ItemList') {
    return listed(thing['itemListElement']).flatMap((element) =>
      eventsIn(fields(element)['item'] ?? element),
    );
  }
  return typeOf(thing) in CATEGORY ? [thing] : [];
}

/** The same as a row in our shape, not yet checked. */
export function rowOf(thing: Thing, source: string): Thing | { problem: string } {
  const status = words(thing['eventStatus']) ?? '';
  if (status.endsWith('EventCancelled')) return { problem: 'is cancelled' };

  const place =
    listed(thing['location'])
      .map(fields)
      .find((one) => typeOf(one) !== 'VirtualLocation') ?? {};
  const position = fields(place['geo']);
  const offers = listed(thing['offers']).map(fields);
  const name = words(thing['name']);
  const own =
    words(thing['@id']) ??
    words(thing['identifier']) ??
    words(fields(thing['identifier'])['value']) ??
    words(thing['url']) ??
    `${name} ${String(thing['startDate'])} ${words(place['name'])}`;
  return {
    // Addresses are long, and make poor ids within an address.
    event_id: `${source}:${own.length > 60 || own.includes('/') ? hash('sha256', own, 'base64url').slice(0, 22) : own}`,
    name,
    category: CATEGORY[typeOf(thing)],
    sub_categories: [words(thing['genre'])].filter(Boolean),
    tags: keywords(thing['keywords']),
    description: words(thing['description']),
    start_datetime: thing['startDate'],
    end_datetime: thing['endDate'],
    booking_url: link(offers.map((offer) => offer['url']).find(Boolean) ?? thing['url']),
    link_url: link(thing['url']),
    ...venueOf(place),
    latitude: position['latitude'],
    longitude: position['longitude'],
    capacity: place['maximumAttendeeCapacity'] ?? thing['maximumAttendeeCapacity'],
    prices: offers.flatMap(priceOf),
    images: listed(thing['image']).flatMap((image) => {
      const url = link(
        typeof image === 'string' ? image : (fields(image)['url'] ?? fields(image)['contentUrl']),
      );
      return url ? [{ url, alt: words(fields(image)['caption']) }] : [];
    }),
    trailers: listed(fields(thing['workPresented'])['trailer'] ?? thing['trailer']).flatMap((trailer) => {
      const url = link(fields(trailer)['contentUrl'] ?? fields(trailer)['url']);
      return url ? [{ url, title: words(fields(trailer)['name']) }] : [];
    }),
  };
}

function venueOf(place: Thing): Thing {
  const address = fields(place['address']);
  const town = words(address['addressLocality']);
  const postcode = words(address['postalCode']);
  const whole = words(place['address']);
  return {
    venue_name: words(place['name']) ?? words(address['streetAddress']) ?? whole ?? town,
    address: words(address['streetAddress']) ?? whole,
    venue_town: town,
    postcode,
    region: words(address['addressRegion']),
    country: words(address['addressCountry']) ?? words(fields(address['addressCountry'])['name']),
    phone: words(place['telephone']),
    website: link(place['url']),
  };
}

function priceOf(offer: Thing): Thing[] {
  const low = offer['lowPrice'] ?? offer['price'];
  const high = offer['highPrice'] ?? offer['price'];
  if (low === undefined && high === undefined) return [];
  return [{ label: words(offer['name']), min: low, max: high, currency: words(offer['priceCurrency']) }];
}

const keywords = (value: unknown): unknown[] =>
  listed(value).flatMap((entry) => (typeof entry === 'string' ? plainText(entry).split(/\s*,\s*/) : []));

/** Written as one, or as a list of several. */
const listed = (value: unknown): unknown[] => (Array.isArray(value) ? value : value == null ? [] : [value]);

/** `MusicEvent`, however it is written: with the vocabulary's address, or first of several. */
function typeOf(thing: Thing): string {
  const types = listed(thing['@type']).map((type) =>
    String(type).replace(/^(?:https?:\/\/schema\.org\/|schema:)/, ''),
  );
  return types.find((type) => type in CATEGORY && type !== 'Event') ?? types[0] ?? '';
}

/** Texts may hold HTML. */
const words = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() ? plainText(value) : undefined;

/** A wrong link costs the link, not the event. */
const link = (value: unknown): string | undefined =>
  typeof value === 'string' ? webAddress(value) : undefined;
