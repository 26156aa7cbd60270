/** The parameters in the address of a call: one that it does not know, or that is given twice, is refused by its name. */
import type { FastifyInstance, FastifySchemaCompiler, FastifySchemaValidationError } from 'fastify';
import { validatorCompiler } from 'fastify-type-provider-zod';
import { z } from 'zod';

/** Of a name that nobody knows, so much is repeated. */
const NAME_SHOWN_MAX = 50;

/** Parameters that may be given several times. */
const LISTS = new WeakSet<object>();

/** Several of these words, in any case: separated by commas, in several parameters of the name, or both. Undefined where
 *  there are none. */
export function severalOf(words: readonly string[]) {
  const several = z.preprocess(
    (value) => {
      const given = [value ?? []].flat().flatMap((one) => String(one).toLowerCase().split(','));
      const said = [...new Set(given.map((word) => word.trim()))].filter(Boolean);
      return said.length > 0 ? said : undefined;
    },
    z
      .array(z.string())
      .refine((said) => said.every((word) => words.includes(word)), `must be one of ${words.join(', ')}`)
      .optional(),
  );
  LISTS.add(several);
  return several;
}

/** Every call that is registered from now on is strict about its query, also one that says nothing of it. */
export function refuseUnknownParameters(app: FastifyInstance): void {
  app.setValidatorCompiler(strictCompiler);
  app.addHook('onRoute', (route) => {
    route.schema = { querystring: z.object({}), ...route.schema };
  });
}

const strictCompiler: FastifySchemaCompiler<z.ZodType> = (route) => {
  const check = validatorCompiler(route);
  if (route.httpPart !== 'querystring') return check;

  const checkNames = validatorCompiler({ ...route, schema: namesOf(route.schema as z.ZodObject) });
  return (query: unknown) => {
    const [names, values] = [checkNames(query), check(query)];
    const problems = [names, values].flatMap((result) => problemsIn(result));
    // What is wrong with the name of one is enough.
    const first = problems.filter(
      ({ instancePath }, at) => problems.findIndex((one) => one.instancePath === instancePath) === at,
    );
    return problems.length > 0 ? { error: first } : values;
  };
};

/** As the library's compiler answers; its type allows more. */
const problemsIn = (result: unknown) => (result as { error?: FastifySchemaValidationError[] }).error ?? [];

/** What the names alone must be, whatever their values. */
function namesOf({ shape }: z.ZodObject) {
  const known = Object.keys(shape);
  const takes = known.length > 0 ? known.join(', ') : 'no parameters';
  // Not a record: that would pass over `__proto__`.
  return z.unknown().superRefine((query, context) => {
    for (const [name, value] of Object.entries(query as object)) {
      const refuse = (message: string) =>
        context.addIssue({ code: 'custom', path: [name.slice(0, NAME_SHOWN_MAX)], message });
      if (!Object.hasOwn(shape, name)) {
        const shown = JSON.stringify(name.slice(0, NAME_SHOWN_MAX));
        refuse(`There is no parameter ${shown} in this call, which takes ${takes}.`);
      } else if (Array.isArray(value) && !LISTS.has(shape[name]!)) refuse('must be given only once');
    }
  });
}
