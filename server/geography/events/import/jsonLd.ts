/** Events in the format that web pages use for search engines: schema.org in JSON-LD. https://schema.org/Event */
import { hash } from 'node:crypto';
import { fields } from '../../../http/documents/json.ts';
import { plainText, webAddress } from '../../../http/documents/plainText.ts';

type Thing = Readonly<Record<string, unknown>>;

/** The category for each of schema.org's subtypes of Event. */
const CATEGORY: ReadonlyMap<string, string> = new Map(
  Object.entries({
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
  }),
);

export const isJsonLd = (value: unknown): boolean => {
  const { '@type': type, '@graph': graph } = fields(value);
  return type !== undefined || graph !== undefined;
};

/** All events in a document as rows in our format, before they are checked. */
export function rowsOfJsonLd(document: unknown, source: string): (Thing | { problem: string })[] {
  const things = thingsById(document);
  const inner: Inner = (value) => {
    const thing = fields(value);
    return (isReference(thing) && things.get(thing['@id'])) || thing;
  };
  return eventsIn(document).map((event) => rowOf(event, inner, source));
}

/** The value of a field, with one reference followed: `"location": { "@id": "#hall" }`. */
type Inner = (value: unknown) => Thing;

const isReference = (thing: Thing): thing is { '@id': string } =>
  typeof thing['@id'] === 'string' && Object.keys(thing).length === 1;

/** All objects with an `@id`, at any depth. If several have the same id, the first counts. */
function thingsById(document: unknown): Map<string, Thing> {
  const things = new Map<string, Thing>();
  const values = [document];
  // The list grows during the loop, so any depth of nesting is read.
  for (const value of values) {
    if (typeof value !== 'object' || value === null) continue;
    for (const part of Object.values(value)) values.push(part);
    const thing = fields(value);
    const id = thing['@id'];
    if (typeof id === 'string' && !isReference(thing) && !things.has(id)) things.set(id, thing);
  }
  return things;
}

/** The events in a document, also those within lists and graphs. */
function eventsIn(document: unknown): Thing[] {
  if (Array.isArray(document)) return document.flatMap(eventsIn);
  const thing = fields(document);
  if (thing['@graph'] !== undefined) return eventsIn(thing['@graph']);
  if (typeOf(thing) === 'ItemList') {
    return listed(thing['itemListElement']).flatMap((element) =>
      eventsIn(fields(element)['item'] ?? element),
    );
  }
  return CATEGORY.has(typeOf(thing)) ? [thing] : [];
}

function rowOf(thing: Thing, inner: Inner, source: string): Thing | { problem: string } {
  const status = words(thing['eventStatus']) ?? words(fields(thing['eventStatus'])['@id']) ?? '';
  if (status.endsWith('EventCancelled')) return { problem: 'is cancelled' };

  const place =
    listed(thing['location'])
      .map(inner)
      .find((one) => typeOf(one) !== 'VirtualLocation') ?? {};
  const position = inner(place['geo']);
  const offers = listed(thing['offers']).map(inner);
  const name = words(thing['name']);
  const own =
    words(thing['@id']) ??
    words(thing['identifier']) ??
    words(inner(thing['identifier'])['value']) ??
    words(thing['url']) ??
    `${name} ${String(literal(thing['startDate']))} ${words(place['name'])}`;
  return {
    // Web addresses are long, and awkward as ids within another address.
    event_id: `${source}:${own.length > 60 || own.includes('/') ? hash('sha256', own, 'base64url').slice(0, 22) : own}`,
    name,
    category: CATEGORY.get(typeOf(thing)),
    sub_categories: [words(thing['genre'])].filter(Boolean),
    tags: keywords(thing['keywords']),
    description: words(thing['description']),
    start_datetime: literal(thing['startDate']),
    end_datetime: literal(thing['endDate']),
    booking_url: link(offers.map((offer) => offer['url']).find(Boolean) ?? thing['url']),
    link_url: link(thing['url']),
    ...venueOf(place, inner),
    latitude: literal(position['latitude']),
    longitude: literal(position['longitude']),
    capacity: literal(place['maximumAttendeeCapacity'] ?? thing['maximumAttendeeCapacity']),
    prices: offers.flatMap(priceOf),
    images: listed(thing['image']).flatMap((image) => {
      const url = link(
        typeof image === 'string' ? image : (inner(image)['url'] ?? inner(image)['contentUrl']),
      );
      return url ? [{ url, alt: words(inner(image)['caption']) }] : [];
    }),
    trailers: listed(inner(thing['workPresented'])['trailer'] ?? thing['trailer']).flatMap((trailer) => {
      const url = link(inner(trailer)['contentUrl'] ?? inner(trailer)['url']);
      return url ? [{ url, title: words(inner(trailer)['name']) }] : [];
    }),
  };
}

function venueOf(place: Thing, inner: Inner): Thing {
  const address = inner(place['address']);
  const town = words(address['addressLocality']);
  const postcode = words(address['postalCode']);
  const whole = words(place['address']);
  return {
    venue_name: words(place['name']) ?? words(address['streetAddress']) ?? whole ?? town,
    address: words(address['streetAddress']) ?? whole,
    venue_town: town,
    postcode,
    region: words(address['addressRegion']),
    country: words(address['addressCountry']) ?? words(inner(address['addressCountry'])['name']),
    phone: words(place['telephone']),
    website: link(place['url']),
  };
}

function priceOf(offer: Thing): Thing[] {
  const low = literal(offer['lowPrice'] ?? offer['price']);
  const high = literal(offer['highPrice'] ?? offer['price']);
  if (low === undefined && high === undefined) return [];
  return [{ label: words(offer['name']), min: low, max: high, currency: words(offer['priceCurrency']) }];
}

const keywords = (value: unknown): unknown[] =>
  listed(value).flatMap(
    (entry) =>
      words(entry)
        ?.split(',')
        .map((word) => word.trim()) ?? [],
  );

/** A single value or a list, always as a list. */
const listed = (value: unknown): unknown[] => (Array.isArray(value) ? value : value == null ? [] : [value]);

/** `MusicEvent`, also when it is written with the vocabulary's address or as the first of several. */
function typeOf(thing: Thing): string {
  const types = listed(thing['@type']).map((type) =>
    String(type).replace(/^(?:https?:\/\/schema\.org\/|schema:)/, ''),
  );
  return types.find((type) => CATEGORY.has(type) && type !== 'Event') ?? types[0] ?? '';
}

/** The value itself, for values with a language or type: `{ "@value": "Eisteddfod", "@language": "cy" }`. */
const literal = (value: unknown): unknown => fields(value)['@value'] ?? value;

/** The text without HTML. */
function words(value: unknown): string | undefined {
  const text = literal(value);
  return typeof text === 'string' && text.trim() ? plainText(text) : undefined;
}

/** A wrong link is dropped; the event stays. */
function link(value: unknown): string | undefined {
  const address = literal(value);
  return typeof address === 'string' ? webAddress(address) : undefined;
}
