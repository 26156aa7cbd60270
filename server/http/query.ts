/** Query parameters: unknown and repeated ones are refused, with their name. */
import type { FastifyInstance, FastifySchemaCompiler, FastifySchemaValidationError } from 'fastify';
import { validatorCompiler } from 'fastify-type-provider-zod';
import { z } from 'zod';

/** The most characters of an unknown name that a refusal repeats. */
const NAME_SHOWN_MAX = 50;

/** Parameters that can be given several times. */
const LISTS = new WeakSet<object>();

/** One or more of these words, upper or lower case: separated by commas, in repeated parameters, or both. Undefined
 *  when there are none. */
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

/** Makes every call registered after this strict about its query, even one without a query schema. */
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
    // One problem with a name is enough.
    const first = problems.filter(
      ({ instancePath }, at) => problems.findIndex((one) => one.instancePath === instancePath) === at,
    );
    return problems.length > 0 ? { error: first } : values;
  };
};

/** The result of the library's compiler, whose type allows more. */
const problemsIn = (result: unknown) => (result as { error?: FastifySchemaValidationError[] }).error ?? [];

/** Checks only the names, not the values. */
function namesOf({ shape }: z.ZodObject) {
  const known = Object.keys(shape);
  const takes = known.length > 0 ? known.join(', ') : 'no parameters';
  // Not a record: that would ignore `__proto__`.
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
