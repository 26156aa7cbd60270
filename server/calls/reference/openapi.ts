/** The OpenAPI document, made from the schemas and examples of the calls. */
import { readFileSync } from 'node:fs';
import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { z } from 'zod';
import * as admin from '#contract/accounts/admin.ts';
import * as analytics from '#contract/accounts/analytics.ts';
import * as auth from '#contract/accounts/auth.ts';
import * as changes from '#contract/incidents/changes.ts';
import * as channels from '#contract/messages/channels.ts';
import * as disruptions from '#contract/incidents/disruptions.ts';
import * as displays from '#contract/displays/displays.ts';
import * as errors from '#contract/errors.ts';
import * as events from '#contract/places/events.ts';
import * as feeds from '#contract/feeds/feeds.ts';
import * as formats from '#contract/watches/formats.ts';
import * as geocode from '#contract/places/geocode.ts';
import * as keys from '#contract/accounts/keys.ts';
import * as responses from '#contract/shift/responses.ts';
import * as messages from '#contract/messages/messages.ts';
import * as runtimeConfig from '#contract/runtimeConfig.ts';
import * as sharing from '#contract/watches/sharing.ts';
import * as teams from '#contract/accounts/teams.ts';
import * as watches from '#contract/watches/watches.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import type { Who } from '../../accounts/guard.ts';
import type { Call } from '../../http/calls/declaredCalls.ts';
import { COSTS } from '../../http/calls/costs.ts';
import { type Answer, answer, answerOfBytes } from '../../http/answers/readyAnswers.ts';
import { example, exampleOf } from './examples.ts';
import said from './openapi.json' with { type: 'json' };

/** The parts of the document that we use; the rest is kept unchanged. */
export interface OpenApi {
  openapi: string;
  info: object;
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: { schemas: Record<string, JsonSchema>; [more: string]: unknown };
}

export interface Operation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  security: Record<string, []>[];
  parameters?: Parameter[];
  requestBody?: { required: boolean; content: Record<string, Media> };
  responses: Record<string, { description: string; content?: Record<string, Media> } | { $ref: string }>;
  /** Only in the draft. */
  'x-call'?: Call & { mayBeEmpty: boolean };
}

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description: string;
  schema: JsonSchema;
  example?: unknown;
}

interface Media {
  schema: JsonSchema;
  example?: unknown;
}

export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema | boolean;
  prefixItems?: JsonSchema[];
  required?: string[];
  anyOf?: JsonSchema[];
  enum?: unknown[];
  [keyword: string]: unknown;
}

const JSON_TYPE = 'application/json';
/** The name of a parameter that is the rest of the path. */
const REST = 'event_id';
const SCHEMAS = '#/components/schemas/';
/** The suffix in the names of input schemas. */
const INPUT = 'Input';

// The contract's schemas are shown by their export names.
for (const [id, schema] of [
  admin,
  analytics,
  auth,
  changes,
  channels,
  displays,
  disruptions,
  errors,
  events,
  feeds,
  formats,
  sharing,
  geocode,
  keys,
  responses,
  messages,
  runtimeConfig,
  teams,
  watches,
].flatMap((contract) => Object.entries<unknown>(contract))) {
  if (schema instanceof z.core.$ZodType) z.globalRegistry.add(schema, { id });
}

declare global {
  interface ImportMeta {
    /** The address of the built file; undefined when the source files run. */
    built?: string;
  }
}

declare module 'fastify' {
  interface FastifyInstance {
    /** The OpenAPI document. Making it would delay other requests too long, so the build has it. Without a build it is
     *  made at the first call and kept. */
    apiDocument(): Answer;
  }
}

/** Records the routes registered after this. */
export function noteCalls(app: FastifyInstance): void {
  let document: Answer | undefined;
  app.decorate('apiDocument', () => (document ??= builtDocument() ?? answer(openApi(app))));
  void app.register(swagger, {
    openapi: {
      openapi: '3.1.1',
      info: {
        title: 'Clearway API',
        version: packageJson.version,
        description: ABOUT,
        contact: { name: 'The operator of this server' },
      },
      servers: [{ url: '/' }],
    },
    transform: (route) => {
      const { schema, url } = jsonSchemaTransform(route);
      const call = route.route.config;
      // Routes without `who` are pages and files.
      if (!call?.who) return { schema: { ...schema, hide: true }, url };
      // The framework passes null for an absent body.
      const mayBeEmpty = (route.schema?.body as z.ZodType | undefined)?.safeParse(null).success;
      return { schema: { ...schema, 'x-call': { ...call, mayBeEmpty } }, url };
    },
    transformObject: jsonSchemaTransformObject,
  });
}

/** The file that `build/document.ts` wrote beside the build. */
function builtDocument(): Answer | undefined {
  const file = import.meta.built;
  return file === undefined ? undefined : answerOfBytes(readFileSync(new URL('openapi.json', file)));
}

/** The whole document. Throws when a call has a parameter without a description. */
function openApi(app: FastifyInstance): OpenApi {
  // The type of the draft also allows Swagger 2, and every field to be absent.
  const draft = app.swagger() as unknown as OpenApi;
  const paths: OpenApi['paths'] = {};
  for (const [path, operations] of Object.entries(draft.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      // The router reads an id with slashes as the rest of the path; callers send it as one segment.
      (paths[path.replace('{*}', `{${REST}}`)] ??= {})[method] = describeCall(path, operation);
    }
  }
  const { schemas } = draft.components;
  return tidied({
    ...draft,
    tags: said.tags.map(({ name, description }) => ({ name, description })),
    paths,
    webhooks: webhooksDocument(SCHEMAS),
    components: { schemas, securitySchemes: said.securitySchemes, responses: REFUSALS },
  });
}

function describeCall(path: string, { 'x-call': call, ...operation }: Operation): Operation {
  const { who, costs, mayBeEmpty, types = [], meanings = {}, refusals = {} } = call!;
  const { sent, answer } = exampleOf(operation.operationId);
  const parameters = operation.parameters?.map((parameter) => {
    if (!parameter.description) throw new Error(`${parameter.name} of ${path} has no description`);
    return { ...shown(parameter), name: parameter.name === '*' ? REST : parameter.name };
  });
  const [media] = Object.values(operation.requestBody?.content ?? {});
  // An answer that is not JSON has no schema, also with a status other than 200: a page can say that there is
  // nothing.
  const isOfTypes = (status: string) => types.length > 0 && (status.startsWith('2') || status in meanings);
  const unschemed = Object.keys(meanings).filter(isOfTypes);
  const answers: Operation['responses'] = {
    ...Object.fromEntries(unschemed.map((status) => [status, { description: '' }])),
    ...operation.responses,
  };
  const responses = Object.entries(answers).map(([status, response]) => {
    const content = 'content' in response && response.content?.[JSON_TYPE];
    const example = status.startsWith('2') ? answer : refusals[Number(status)];
    return [
      status,
      {
        description: meanings[Number(status)] ?? (content ? 'Done.' : 'Done; no content.'),
        ...(content && { content: { [JSON_TYPE]: { ...content, example } } }),
        ...(isOfTypes(status) && {
          content: Object.fromEntries(types.map((type) => [type, { schema: { type: 'string' } }])),
        }),
      },
    ] as const;
  });
  return {
    ...operation,
    // By the beginning of its path; the first that fits counts.
    tags: [said.tags.find(({ paths }) => paths.some((one) => path.startsWith(one)))!.name],
    description: [operation.description, WHO_MAY[who]].join('\n\n'),
    security: SECURITY[who],
    ...(parameters && { parameters }),
    ...(media && {
      requestBody: { required: !mayBeEmpty, content: { [JSON_TYPE]: { ...media, example: sent } } },
    }),
    responses: {
      // Every call of the API, and every shared address, refuses unknown parameters.
      ...refusalsOf(who, refusals, {
        isLimited: costs !== undefined && COSTS[costs].limited,
        hasBody: !!media,
        hasInput: /^\/(api|f|p)\//.test(path),
      }),
      ...Object.fromEntries(responses),
    },
  };
}

/** "Try it out" starts with the examples. Optional filters start empty, because all of them together would match
 *  nothing. */
function shown({ schema: { example, ...schema }, ...parameter }: Parameter): Parameter {
  if (example === undefined) return { ...parameter, schema };
  return parameter.required || parameter.name === 'limit'
    ? { ...parameter, schema, example }
    : { ...parameter, schema, description: `${parameter.description} For example \`${String(example)}\`.` };
}

/** Calls that count against a key's quota. */
const isForKeys = (who: Who) => ['board', 'data', 'jobs', 'manage', 'manageLead'].includes(who);

/** A call's possible refusals: from who may call it, from its input, and those of its own. */
function refusalsOf(
  who: Who,
  refusals: Call['refusals'],
  { isLimited, hasBody, hasInput }: { isLimited: boolean; hasBody: boolean; hasInput: boolean },
): Operation['responses'] {
  const usual = [
    ...(who === 'anyone' ? [] : [401]),
    ...(who === 'anyone' || who === 'board' ? [] : [403]),
    ...(isForKeys(who) || isLimited ? [429] : []),
    ...(hasBody ? [400, 413, 415] : []),
    ...(hasInput ? [422] : []),
  ];
  return Object.fromEntries([
    ...usual.map((status) => [status, { $ref: `#/components/responses/${USUAL[status]!.name}` }]),
    ...Object.entries(refusals).map(([status, one]) => [
      status,
      refusal(Number(status), typeof one === 'string' ? { detail: one } : one),
    ]),
  ]) as Operation['responses'];
}

/** Refusals that are the same for every call. */
const USUAL: Readonly<Record<number, { name: string; example: errors.Refusal }>> = {
  400: { name: 'NotJson', example: { detail: 'The body is not valid JSON.' } },
  401: { name: 'Unauthorised', example: { detail: 'Sign in to continue.' } },
  403: { name: 'Forbidden', example: { detail: 'This is for administrators only.' } },
  413: { name: 'TooLarge', example: { detail: 'The body is too large: at most 64 KiB are read.' } },
  415: {
    name: 'NotJsonType',
    example: { detail: 'The body must be JSON, with the content type application/json.' },
  },
  422: {
    name: 'Invalid',
    example: {
      detail: 'limit must be at most 200',
      errors: [{ path: 'limit', message: 'must be at most 200' }],
    },
  },
  429: {
    name: 'TooMany',
    example: {
      detail:
        'Your API keys of the free tier have used their 1,000 requests of today. The next day begins at midnight UTC.',
    },
  },
};

const RETRY_AFTER = {
  'Retry-After': { description: 'Seconds.', schema: { type: 'integer', minimum: 1 }, example: 42 },
};

const refusal = (status: number, example: object) => ({
  description: said.meanings[String(status) as keyof typeof said.meanings],
  ...(status === 429 && { headers: RETRY_AFTER }),
  content: {
    [JSON_TYPE]: {
      schema: { $ref: `${SCHEMAS}Refusal` },
      example: { ...example, request_id: 'req-9f2c41d07ab3-1k' },
    },
  },
});

const REFUSALS = Object.fromEntries(
  Object.entries(USUAL).map(([status, { name, example }]) => [name, refusal(Number(status), example)]),
);

const WHO_MAY: Readonly<Record<Who, string>> = {
  anyone: 'For anybody: no credential is needed.',
  user: 'For signed-in users. An API key or a display is refused.',
  lead: 'For leads of a team, and for administrators in their own. An API key or a display is refused.',
  admin: 'For administrators only.',
  manage: 'For signed-in users and API keys of the scope `manage`.',
  manageLead:
    'For leads of a team, administrators in their own, and API keys of the scope `manage` of either.',
  jobs: 'For signed-in users and API keys of the scope `jobs:read`.',
  data: 'For signed-in users and API keys.',
  board: 'For signed-in users, API keys and paired displays.',
  display: 'For paired displays only.',
};

const SECURITY: Readonly<Record<Who, Record<string, []>[]>> = {
  anyone: [],
  user: [{ session: [] }],
  lead: [{ session: [] }],
  admin: [{ session: [] }],
  manage: [{ apiKey: [] }, { session: [] }],
  manageLead: [{ apiKey: [] }, { session: [] }],
  jobs: [{ apiKey: [] }, { session: [] }],
  data: [{ apiKey: [] }, { session: [] }],
  board: [{ apiKey: [] }, { session: [] }, { display: [] }],
  display: [{ display: [] }],
};

const ABOUT = `Live travel disruption and events of the United Kingdom.

Send \`Authorization: Bearer\` with an API key or an access token; no call takes a credential in its address.
Bodies and answers are JSON. Times are ISO 8601 in UTC, positions WGS84 degrees.
A refusal is \`{"detail": "...", "request_id": "..."}\`: one sentence, and the request’s number in the log. Invalid input is 422 and lists every problem in \`errors\`. An unknown
parameter, or one given twice where one is expected, is invalid input.

Calls with an API key are counted, for all keys of one user and tier together: \`RateLimit\` and \`RateLimit-Policy\` say
what is left of the day (UTC); beyond it the answer is 429 with \`Retry-After\`. A 304 is free. New fields may be added at any time: ignore those that you do not know.`;

/** Removes what no reader needs: unused and duplicate schemas, and bounds that every number and time has. */
function tidied(document: OpenApi): OpenApi {
  const plain = JSON.parse(JSON.stringify(document), (_key, value: unknown) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const schema = value as JsonSchema;
    if (schema.format !== undefined) delete schema.pattern;
    if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
    if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
    // Every item of this list has a place, so none follows; but programs that check a document want a schema here.
    if (schema.items === false) schema.items = schema.prefixItems!.at(-1)!;
    if (schema.required && !schema.properties && schema.additionalProperties)
      schema.properties = Object.fromEntries(
        schema.required.map((name) => [name, schema.additionalProperties as JsonSchema]),
      );
    return schema;
  }) as OpenApi;
  const { paths, components } = plain;
  for (const { responses } of Object.values(paths).flatMap((path) => Object.values(path)))
    leaveOpen(responses);
  for (const [name, schema] of Object.entries(components.schemas)) {
    if (!name.endsWith(INPUT)) leaveOpen(schema);
  }

  // Input and output have separate schemas. One is enough when the other is unused, or when both are equal.
  const used = usedSchemas(plain);
  const shownAs = new Map(
    [...used].map((name) => {
      const bare = name.endsWith(INPUT) ? name.slice(0, -INPUT.length) : name;
      const isTwin = !used.has(bare) || sameSchema(components.schemas[bare], components.schemas[name]);
      return [name, isTwin ? bare : name] as const;
    }),
  );
  components.schemas = Object.fromEntries(
    [...shownAs]
      .map(([name, shown]) => [shown, components.schemas[name]!] as const)
      .toSorted(([a], [b]) => a.localeCompare(b)),
  );
  return JSON.parse(JSON.stringify(plain), (key, value: unknown) =>
    key === '$ref' && typeof value === 'string' && value.startsWith(SCHEMAS)
      ? SCHEMAS + shownAs.get(value.slice(SCHEMAS.length))
      : value,
  ) as OpenApi;
}

/** Answers can gain fields later, so their schemas are left open. Input schemas state where they are strict. */
function leaveOpen(part: unknown): void {
  if (typeof part !== 'object' || part === null) return;
  if ('additionalProperties' in part && part.additionalProperties === false) delete part.additionalProperties;
  for (const inner of Object.values(part)) leaveOpen(inner);
}

const sameSchema = (a: unknown, b: unknown) => {
  const text = (schema: unknown) => JSON.stringify(schema).replaceAll(`${INPUT}"`, '"');
  return text(a) === text(b);
};

/** The names of the schemas that the calls use, directly or through other schemas. */
function usedSchemas({ paths, webhooks, components }: OpenApi): Set<string> {
  const found = new Set<string>();
  const follow = (part: unknown) => {
    for (const [, name] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (found.has(name!)) continue;
      found.add(name!);
      follow(components.schemas[name!]);
    }
  };
  follow([paths, webhooks, components.responses]);
  return found;
}

// `webhooks` of the OpenAPI document: the bodies that are posted to the addresses of users.

interface Webhook {
  summary: string;
  description: string;
  tag: 'Messages';
  /** The schema's name in the contract. */
  body: 'ChangeDelivery' | 'SourceDelivery' | 'TestDelivery' | 'MessageDelivery';
}

const WEBHOOKS: Readonly<Record<string, Webhook>> = {
  incidentChanged: {
    summary: 'An incident began, changed or ended',
    description:
      'To a webhook that gets `changes`. `match.`: it touches a route or an area, and `data.watches` says which, where and ' +
      'why; `disruption.`: feeds alone let it through.',
    tag: 'Messages',
    body: 'ChangeDelivery',
  },
  sourceChanged: {
    summary: 'A source fell silent, or answers again',
    description: 'Silence of a source is no all-clear.',
    tag: 'Messages',
    body: 'SourceDelivery',
  },
  webhookTested: {
    summary: 'A test',
    description:
      'When a webhook is made, and asked for with `POST /api/v1/channels/{id}/test`. It works once this was taken.',
    tag: 'Messages',
    body: 'TestDelivery',
  },
  messageSent: {
    summary: 'A message about the team’s routes, areas and feeds',
    description: 'To a webhook that gets `alerts` or the `digest`, as devices and e-mail addresses do.',
    tag: 'Messages',
    body: 'MessageDelivery',
  },
};

/** Headers of a webhook. Slack and Teams get other bodies, in their own form. */
const HEADERS = [
  ['webhook-id', 'The same delivery can come twice, with the same id.', example.message.id],
  ['webhook-timestamp', 'When it was sent, in seconds since 1970.', '1795248720'],
  ['webhook-signature', 'One signature, or two separated by a space while two secrets sign.', 'v1,K5oZ…'],
].map(([name, description, shown]) => ({
  name: name!,
  in: 'header' as const,
  required: true,
  description: description!,
  schema: { type: 'string' },
  example: shown,
}));

const RESPONSES = {
  '2XX': { description: 'It has arrived, if this comes within 15 seconds.' },
  410: { description: 'Nothing more is wanted: the channel is turned off.' },
  429: { description: 'Tried again later, after `Retry-After` at the earliest. So are 502 and 504.' },
};

export const webhooksDocument = (schemas: string) =>
  Object.fromEntries(
    Object.entries(WEBHOOKS).map(([name, { summary, description, tag, body }]) => [
      name,
      {
        post: {
          operationId: name,
          summary,
          description: `${description}\n\nSigned by the rules of [Standard Webhooks](https://www.standardwebhooks.com).`,
          tags: [tag],
          security: [],
          parameters: HEADERS,
          requestBody: {
            required: true,
            content: {
              'application/json': { schema: { $ref: `${schemas}${body}` }, example: exampleOf(name).sent },
            },
          },
          responses: RESPONSES,
        },
      },
    ]),
  );
