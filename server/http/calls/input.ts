/** The input of a call is checked by the call's schemas, and problems are explained in words. */
import type { FastifyInstance, FastifySchemaCompiler } from 'fastify';
import { z } from 'zod';
import { invalid } from '../../refusals.ts';
import { ISSUES_MAX } from './costs.ts';
import { isList } from './parameters.ts';

type Problem = Pick<z.core.$ZodIssue, 'path' | 'message'>;

/** The most characters that a refusal repeats of an unknown name. */
const NAME_SHOWN_MAX = 50;

/** Also refuses query parameters that are unknown, that are given twice where one is expected, or that hold control
 *  characters: a database would read these as the end of the text. */
export const checkInput: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart }) => {
  return (input: unknown) => read(schema, input, httpPart === 'querystring');
};

/** Reads parameters that did not come as a query, with the same rules. Throws when they are wrong. */
export function checked<T extends z.ZodObject>(schema: T, query: object): z.infer<T> {
  const { value, error } = read(schema, query, true);
  if (error) throw error;
  return value as z.infer<T>;
}

function read(schema: z.ZodType, input: unknown, isQuery: boolean) {
  const names = isQuery ? problemsWithNames(input as object, schema as z.ZodObject) : [];
  const { data: value, error } = schema.safeParse(input, { error: inWords });
  // One problem for each name is enough.
  const values = error?.issues.filter(({ path }) => !names.some((name) => name.path[0] === path[0])) ?? [];
  const problems = [...names, ...values].slice(0, ISSUES_MAX);
  return problems.length > 0 ? { error: invalid(problems.map(withName)) } : { value };
}

const NO_PARAMETERS = z.object({});

/** Makes every call registered after this strict about its query, even one without a query schema. */
export function refuseUnknownParameters(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    route.schema = { querystring: NO_PARAMETERS, ...route.schema };
  });
}

function problemsWithNames(query: object, { shape }: z.ZodObject): Problem[] {
  const known = Object.keys(shape);
  const takes = known.length > 0 ? known.join(', ') : 'no parameters';
  return Object.entries(query).flatMap(([name, value]) => {
    const shown = name.slice(0, NAME_SHOWN_MAX);
    const message = !Object.hasOwn(shape, name)
      ? `There is no parameter ${JSON.stringify(shown)} in this call, which takes ${takes}.`
      : Array.isArray(value) && !isList(shape[name]!)
        ? 'must be given only once'
        : /\p{Cc}/u.test(String(value)) && 'must not contain control characters';
    return message ? [{ path: [shown], message }] : [];
  });
}

/** A message of our schemas that begins with a capital is a whole sentence; the others need a subject. */
export function withName({ path, message }: Problem) {
  const name = path.join('.');
  return { path: name, message: /^[a-z]/.test(message) ? `${name || 'The body'} ${message}` : message };
}

/** Words for problems for which a schema has no words of its own. */
export const inWords: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type': {
      // The framework passes null for an absent body.
      const isMissing = issue.input === undefined || (issue.input === null && !issue.path?.length);
      if (isMissing) return 'is required';
      return `must be ${/^[aio]/.test(issue.expected) ? 'an' : 'a'} ${issue.expected}`;
    }
    case 'invalid_value':
      return `must be ${issue.values.join(' or ')}`;
    case 'too_small':
      if (issue.origin === 'string' && issue.minimum === 1) return 'must not be empty';
      return `must be at least ${issue.minimum}${unitOf(issue)}`;
    case 'too_big':
      return `must be at most ${issue.maximum}${unitOf(issue)}`;
    case 'unrecognized_keys':
      return `must not have ${issue.keys[0]!.slice(0, NAME_SHOWN_MAX)}`;
    default:
      return 'is not valid';
  }
};

const unitOf = ({ origin }: { origin: string }) => (origin === 'string' ? ' characters' : '');
