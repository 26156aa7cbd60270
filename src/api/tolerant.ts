/** How the app reads a server's answers. The contract describes the answers of our server; this describes what the
 *  app accepts. Only the field that identifies a record is required. An invalid value in any other field is dropped,
 *  but never the row. */
import { z } from 'zod/mini';

/** A record as read: each field may be missing or null, at every depth. */
type Tolerant<T> = T extends readonly (infer Item)[]
  ? Tolerant<Item>[]
  : T extends object
    ? { [Key in keyof T]?: Tolerant<T[Key]> | null }
    : T;

type Parts = Record<string, z.ZodMiniType>;
type Read<S extends z.ZodMiniObject, Id, P extends Parts> = Omit<
  Tolerant<z.output<S>>,
  keyof P | (Id & string)
> & {
  [Key in keyof P as undefined extends z.output<P[Key]> ? never : Key]: z.output<P[Key]>;
} & {
  [Key in keyof P as undefined extends z.output<P[Key]> ? Key : never]?: z.output<P[Key]>;
} & { [Key in Id & string]: string };

/**
 * The contract's schema, made tolerant at every depth. `idField` stays required (a number is read as text). `parts`
 * replaces the schemas of single fields. Times are returned as ISO 8601 in UTC; a time without a zone is read as UTC.
 */
export function tolerant<
  S extends z.ZodMiniObject,
  Id extends string | null = null,
  P extends Parts = Record<never, never>,
>(schema: S, idField?: Id, parts?: P): z.ZodMiniType<Read<S, Id, P>> {
  const shape: Record<string, z.ZodMiniType> = {};
  for (const [name, field] of Object.entries(schema.shape))
    shape[name] = maybe(forgiving(field as z.ZodMiniType));
  Object.assign(shape, parts);
  if (idField) shape[idField] = Identifier;
  // The shape was made field by field from the schema whose type it gets here.
  return z.looseObject(shape) as unknown as z.ZodMiniType<Read<S, Id, P>>;
}

/** A list without its unreadable items. A list in which every item is unreadable is refused, because "could not
 *  read" must never look like "nothing happening". */
export function items<Item extends z.ZodMiniType>(item: Item): z.ZodMiniType<z.output<Item>[]> {
  return z.pipe(
    z.array(z.unknown()),
    z.transform((found, { issues }) => {
      const read = found.flatMap((candidate) => {
        const result = item.safeParse(candidate);
        return result.success ? [result.data] : [];
      });
      if (found.length > 0 && read.length === 0) {
        const message = `None of ${found.length} items could be read`;
        issues.push({ code: 'custom', input: found, message });
        return z.NEVER;
      }
      return read;
    }),
  );
}

/** `{ [name]: [...], total }` or the bare array, because servers differ. `total`: the number that was sent, or the
 *  list's length. */
export function list<Item extends z.ZodMiniType>(
  item: Item,
  name: string,
): z.ZodMiniType<{ items: z.output<Item>[]; total: number }> {
  const named = z.looseObject({ [name]: items(item), total: maybe(z.number()) });
  return z.pipe(
    z.union([items(item), named]),
    z.transform((answer) => {
      if (Array.isArray(answer)) return { items: answer, total: answer.length };
      const found = answer[name] as z.output<Item>[];
      return { items: found, total: (answer['total'] as number | null | undefined) ?? found.length };
    }),
  );
}

/** An optional value; an invalid one counts as missing. */
export const maybe = <T extends z.ZodMiniType>(schema: T) => z.catch(z.nullish(schema), undefined);

/** An id; a number is read as text. */
export const Identifier = z.union([
  z.string().check(z.minLength(1)),
  z.pipe(z.number(), z.transform(String)),
]);

const HAS_ZONE = /(?:z|[+-]\d\d:?\d\d)$/i;

const Time = z.pipe(
  z.string(),
  z.transform((text, { issues }) => {
    const at = new Date(HAS_ZONE.test(text) || !text.includes('T') ? text : `${text}Z`);
    if (!Number.isNaN(at.getTime())) return at.toISOString();
    issues.push({ code: 'custom', input: text, message: `Not a time: ${text}` });
    return z.NEVER;
  }),
);

/** The same field with all its parts optional. */
function forgiving(field: z.ZodMiniType): z.ZodMiniType {
  const definition = field.def as z.core.$ZodTypes['_zod']['def'];
  switch (definition.type) {
    case 'optional':
    case 'nullable':
      return forgiving(definition.innerType as z.ZodMiniType);
    case 'object':
      return tolerant(field as z.ZodMiniObject);
    case 'array':
      return items(forgiving(definition.element as z.ZodMiniType));
    case 'string':
      return 'format' in definition && definition.format === 'datetime' ? Time : field;
    default:
      return field;
  }
}
