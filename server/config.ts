/** Every setting of the server, read from environment variables and checked once, with defaults and units. */
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { createSecureContext } from 'node:tls';
import { z } from 'zod';
import { TIER_LIMITS } from '#contract/accounts/keyTiers.ts';
import { DEFAULT_RUNTIME_CONFIG } from '#contract/runtimeConfig.ts';
import { TeamList } from '#contract/accounts/teams.ts';
import { passwordProblem } from './accounts/passwords/passwords.ts';
import { SECOND_FACTOR_MODES } from './accounts/passwords/secondFactor.ts';
import { COLLECTORS } from './sources/allSources.ts';
import { LOG_LEVELS } from './log.ts';
import { GEOCODER_KINDS } from './geography/names/geocodingServer.ts';
import { SECRET_MIN_BYTES } from './accounts/secrets.ts';

export interface MailSettings {
  /** Such as `smtps://user:password@mail.example`. */
  url: string;
  /** Such as `Clearway <clearway@coaches.example>`. */
  from: string;
}

export interface SummarySettings {
  /** Base address of the OpenAI-compatible API, e.g. `https://api.openai.com/v1`. */
  url: string;
  /** Absent for a local model, which needs no key. */
  key?: string;
  model: string;
  /** Tokens allowed per day (UTC), prompts and replies together. */
  dailyTokens: number;
}

/** The message has one line for each problem, which names the variable and the remedy. */
export class ConfigError extends Error {}

const PROXY_RANGES = ['loopback', 'linklocal', 'uniquelocal'];

/** A variable whose text must satisfy `holds`. The message repeats the value. */
const text = (rule: string, holds: (value: string) => boolean) =>
  z.string().refine(holds, { error: (issue) => `${rule}, not "${String(issue.input)}"`, abort: true });

/** The same for a value that must not be printed. */
const hidden = (rule: string, holds: (value: string) => boolean) => z.string().refine(holds, { error: rule });

const listOf = (rule: string, holds: (entry: string) => boolean) =>
  z
    .string()
    .transform((value) => value.split(',').flatMap((entry) => entry.trim() || []))
    .pipe(z.array(text(rule, holds)));

/** Requests per day or minute; null: no limit. */
const requests = (span: 'day' | 'minute', standard: number | null) =>
  text(
    `must be a whole number of requests a ${span} from 1 to 1000000000, or unlimited`,
    (value) => value === 'unlimited' || (/^[1-9]\d{0,9}$/.test(value) && Number(value) <= 1e9),
  )
    .default(standard === null ? 'unlimited' : String(standard))
    .transform((value) => (value === 'unlimited' ? null : Number(value)));

const whole = (of: string, least: number, most: number) =>
  text(
    `must be a ${of} from ${least} to ${most}`,
    (value) =>
      /^\d+$/.test(value) &&
      value.length <= String(most).length &&
      Number(value) >= least &&
      Number(value) <= most,
  ).transform(Number);

const days = whole('whole number of days', 1, 3650).optional();

const oneOf = <const Word extends string>(words: readonly Word[]) => {
  const told = words.length === 2 ? `"${words[0]}" or "${words[1]}"` : `one of ${words.join(', ')}`;
  return z.enum(words, { error: (issue) => `must be ${told}, not "${String(issue.input)}"` });
};

/** Every setting by its variable. The defaults are values after reading; zod's own `.default()` would apply before
 *  the transforms. */
const Environment = z.object({
  HOST: text(
    'must be an address or a host name',
    (value) => isIP(value) > 0 || /^[\w.-]+$/.test(value),
  ).default('0.0.0.0'),
  /** 0: the system chooses a free port. */
  PORT: whole('number', 0, 65_535).default(8080),
  DATA_DIR: z.string().default('data'),
  /** The address of PostgreSQL. Absent: SQLite in `dataDir`. */
  DATABASE_URL: hidden(
    'must be a PostgreSQL address such as postgres://user:password@host/database',
    (value) => /^postgres(ql)?:$/.test(urlOf(value)?.protocol ?? ''),
  ).optional(),
  /** Absent: a secret is generated once and kept in `dataDir`. */
  SECRET: hidden(
    `must have at least ${SECRET_MIN_BYTES} bytes: make one with "openssl rand -base64 48"`,
    (value) => Buffer.byteLength(value) >= SECRET_MIN_BYTES,
  ).optional(),
  ADMIN_EMAIL: text('must be an email address', (value) => z.email().safeParse(value).success)
    .transform((value) => value.toLowerCase())
    .optional(),
  ADMIN_PASSWORD: z
    .string()
    .superRefine((value, context) => {
      const problem = passwordProblem(value);
      if (problem) context.addIssue({ code: 'custom', message: `is refused: ${problem}` });
    })
    .optional(),
  REGISTRATION: oneOf(['invite', 'open']).default('invite'),
  /** Who must sign in with a second factor. */
  REQUIRE_SECOND_FACTOR: oneOf(SECOND_FACTOR_MODES).default('none'),
  TEAMS: oneOf(TeamList.shape.mode.options).default('one'),
  /** Proxies whose forwarding headers are trusted: addresses, CIDR ranges, or names from `PROXY_RANGES`. */
  TRUST_PROXY: listOf(
    `must list the proxies' addresses or ranges, such as 10.0.0.0/8, or ${PROXY_RANGES.join(', ')}`,
    isProxy,
  ).default([]),
  /** The PEM files of certificate and key. */
  TLS_CERT: z.string().optional(),
  TLS_KEY: z.string().optional(),
  CONTACT_EMAIL: text('must be an email address', (value) => z.email().safeParse(value).success).default(
    DEFAULT_RUNTIME_CONFIG.contact_email,
  ),
  /** A template with {z}, {x} and {y}. */
  TILE_URL: text(
    'is not a URL template: it needs {z}, {x} and {y}, and http(s) or a path of this server',
    isTileTemplate,
  ).default(DEFAULT_RUNTIME_CONFIG.tile_url),
  TILE_ATTRIBUTION: z.string().default(DEFAULT_RUNTIME_CONFIG.tile_attribution),
  LOG_LEVEL: oneOf(LOG_LEVELS).default('info'),
  /** How long housekeeping keeps incidents that have ended; logged calls and usage events; and jobs, after the day
   *  that they belong to. */
  HISTORY_DAYS: days,
  USAGE_DAYS: days,
  JOB_DAYS: days,
  /** How long each recorded scene of a source lasts. */
  REPLAY_STEP_SECONDS: whole('whole number of seconds', 1, 3600).default(40),
  /** The sources whose silence is reported to monitors. Absent: all sources that are set up. */
  ALARM_SOURCES: listOf(
    `must list sources out of ${COLLECTORS.map(({ source }) => source).join(', ')}`,
    (name) => COLLECTORS.some(({ source }) => source === name),
  ).optional(),
  /** The folder of the daily backups, and how many are kept. Absent: no backups. */
  BACKUP_DIR: z.string().optional(),
  BACKUP_KEEP: whole('whole number of backups', 1, 1000).default(14),
  /** Figures for Prometheus: on a port of this machine, at /metrics with a token, or both. */
  METRICS_PORT: whole('number', 0, 65_535).optional(),
  METRICS_TOKEN: hidden(
    'must have at least 16 characters, without spaces: make one with "openssl rand -hex 24"',
    (value) => /^[\x21-\x7e]{16,}$/.test(value),
  ).optional(),
  /** The origin that people open, shown on displays. Absent: the origin of each request. */
  PUBLIC_URL: text(
    'must be the address that people open, such as https://clearway.example, without a path',
    (value) => isAddress(value) && new URL(value).href === `${new URL(value).origin}/`,
  )
    .transform((value) => new URL(value).origin)
    .optional(),
  /** Origins of other sites whose pages may call the API. */
  CORS_ORIGINS: listOf('must list origins such as https://app.example, without a path', isOrigin).default([]),
  /** The geocoding server. Absent: places come from the embedded gazetteer. */
  GEOCODER_URL: hidden(
    'must be an http or https address such as https://nominatim.example, without a user name or password in it',
    isAddress,
  ).optional(),
  /** The address of the operator's OSRM server. */
  ROUTER_URL: hidden(
    'must be an http or https address such as http://osrm.example:5000, without a user name or password in it',
    isAddress,
  ).optional(),
  GEOCODER_KIND: oneOf(GEOCODER_KINDS).optional(),
  /** The mail server. Absent: no e-mail. */
  SMTP_URL: hidden(
    'must be a mail server such as smtps://user:password@mail.example or smtp://mail.example:587',
    (value) => /^smtps?:$/.test(urlOf(value)?.protocol ?? '') && urlOf(value)?.hostname !== '',
  ).optional(),
  SMTP_FROM: text(
    'must be an address such as clearway@coaches.example or "Clearway <clearway@coaches.example>"',
    isSender,
  ).optional(),
  /** Hosts of the operator's own network that users' webhooks may call. */
  OUTGOING_ALLOW: listOf(
    'must list hosts such as chat.intranet.example or 10.1.2.3:8443, without https:// and without a path, or ranges such as 10.1.0.0/16',
    (value) => isHost(value) || isRange(value),
  ).default([]),
  /** Daily limits of API keys, by tier. */
  FREE_DAILY_REQUESTS: requests('day', TIER_LIMITS.free),
  PRO_DAILY_REQUESTS: requests('day', TIER_LIMITS.pro),
  ENTERPRISE_DAILY_REQUESTS: requests('day', TIER_LIMITS.enterprise),
  /** The most requests a minute to calls whose costs are limited. */
  SESSION_REQUESTS_A_MINUTE: requests('minute', 1200),
  ADDRESS_REQUESTS_A_MINUTE: requests('minute', 12_000),
  /** Whether https is also required for subdomains of our host. */
  HSTS_SUBDOMAINS: oneOf(['yes', 'no'])
    .default('no')
    .transform((value) => value === 'yes'),
  /** The hosted model that writes the summaries. Absent: the built-in summariser writes them. */
  SUMMARY_API_URL: hidden(
    'must be an http or https address such as https://api.openai.com/v1, without a user name, password, query or fragment in it',
    (value) => isAddress(value) && !/[?#]/.test(value),
  ).optional(),
  SUMMARY_API_KEY: hidden('must be one word of plain ASCII, as the provider gave it', (value) =>
    /^[\x21-\x7e]+$/.test(value),
  ).optional(),
  SUMMARY_MODEL: text('must be the name of a model, at most 100 characters, without spaces', (value) =>
    /^[\x21-\x7e]{1,100}$/.test(value),
  ).optional(),
  SUMMARY_DAILY_TOKENS: whole('whole number of tokens', 1000, 1e9).default(500_000),
});

/** `DATA_DIR` is `dataDir` in the code. */
type InCode<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${Lowercase<First>}${Capitalize<InCode<Rest>>}`
  : Lowercase<Name>;
const inCode = (name: string) =>
  name.toLowerCase().replace(/_./g, (letter) => letter.charAt(1).toUpperCase());

type Values = z.output<typeof Environment>;
type Settings = { [Name in keyof Values as InCode<Name>]: Values[Name] };

export type Config = ReturnType<typeof readConfig>;

/** Reads the environment and the command line's options (`--replay`). An empty variable counts as unset.
 *  Throws ConfigError with all problems at once. */
export function readConfig(env: Readonly<Record<string, string | undefined>>, argv: readonly string[]) {
  const set = setIn(env);
  const problems = argv.flatMap((option) =>
    option === '--replay' ? [] : [`Unknown option "${option}". The only one is --replay.`],
  );
  const values = readSettings(Environment, set, problems);
  const replay = argv.includes('--replay');
  if (values.adminPassword && !values.adminEmail) {
    problems.push(
      'ADMIN_PASSWORD is set without ADMIN_EMAIL: set both, or neither to have a sign-in created and printed.',
    );
  }
  if (values.databaseUrl && !values.secret) {
    problems.push(
      'SECRET must be set when DATABASE_URL is: all servers of one database share it. Make one with "openssl rand -base64 48".',
    );
  }
  if (values.databaseUrl && replay) {
    problems.push(
      'DATABASE_URL cannot be used with --replay, which keeps its recorded data separate: unset it.',
    );
  }
  for (const { name } of COLLECTORS.flatMap(({ settings }) => settings)) {
    // The value is not printed, because an address can hold a key.
    if (name.endsWith('_URL') && set[name] !== undefined && !isAddress(set[name])) {
      problems.push(`${name} must be an http or https address, without a user name or password in it`);
    }
  }
  if (values.geocoderKind && !values.geocoderUrl) {
    problems.push(
      'GEOCODER_KIND is set without GEOCODER_URL: set both, or neither for the embedded gazetteer.',
    );
  }
  const model = readSummaries(values, problems);
  const mail = readMail(values, problems);
  if (values.backupDir && values.databaseUrl)
    problems.push('BACKUP_DIR is for the data folder: back up PostgreSQL by pg_dump, or leave it unset.');
  const tls = readTls(values, problems);
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));

  return {
    ...values,
    ...tls,
    /** Uses recorded sources instead of real ones, with a data folder of its own. */
    replay,
    /** All other environment variables: collectors read their settings from here. */
    settings: Object.fromEntries(
      Object.entries(set).filter(([name]) => !Object.hasOwn(Environment.shape, name)),
    ),
    backups: values.backupDir ? { folder: values.backupDir, keep: values.backupKeep } : undefined,
    requestLimits: { perSession: values.sessionRequestsAMinute, perAddress: values.addressRequestsAMinute },
    keyLimits: {
      free: values.freeDailyRequests,
      pro: values.proDailyRequests,
      enterprise: values.enterpriseDailyRequests,
    },
    summaries: model,
    geocoder: values.geocoderUrl ? { url: values.geocoderUrl, kind: values.geocoderKind } : undefined,
    mail,
  };
}

/** The place of the database, and whether it has only one team. For a command beside the server, which needs no
 *  other settings. Throws ConfigError. */
export function readDatabasePlace(
  env: Readonly<Record<string, string | undefined>>,
): Pick<Config, 'dataDir' | 'databaseUrl' | 'teams'> {
  return readSettings(Environment.pick({ DATA_DIR: true, DATABASE_URL: true, TEAMS: true }), setIn(env));
}

/** The variables that are not empty. */
const setIn = (env: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => {
      if (!value?.trim()) return [];
      // A password may end with a space.
      return [[name, name === 'ADMIN_PASSWORD' ? value : value.trim()] as const];
    }),
  );

/** Throws ConfigError with the problems that are known so far and those of these settings. */
function readSettings<Schema extends z.ZodObject>(
  schema: Schema,
  set: Readonly<Record<string, string>>,
  problems: readonly string[] = [],
) {
  const { data, error } = schema.safeParse(set);
  const found = (error?.issues ?? []).map(({ path, message }) => `${String(path[0])} ${message}`);
  if (!data) throw new ConfigError([...problems, ...found].join('\n'));
  const settings = Object.fromEntries(Object.entries(data).map(([name, value]) => [inCode(name), value]));
  return settings as Pick<Settings, InCode<keyof z.output<Schema> & string> & keyof Settings>;
}

function readSummaries(values: Settings, problems: string[]): SummarySettings | undefined {
  const { summaryApiUrl: url, summaryApiKey: key, summaryModel: model } = values;
  if (url && model) return { url, key, model, dailyTokens: values.summaryDailyTokens };
  if (url) problems.push('SUMMARY_MODEL must be set when SUMMARY_API_URL is: the name of the model to ask.');
  else if (key || model) {
    problems.push(
      `${key ? 'SUMMARY_API_KEY' : 'SUMMARY_MODEL'} is set without SUMMARY_API_URL: set it too, or neither for the built-in summaries.`,
    );
  }
  return undefined;
}

function readMail(
  { smtpUrl: url, smtpFrom: from, publicUrl }: Settings,
  problems: string[],
): MailSettings | undefined {
  if (url && from) {
    if (publicUrl) return { url, from };
    problems.push('PUBLIC_URL must be set when SMTP_URL is: the links in e-mails lead there.');
  } else if (url || from) {
    problems.push('SMTP_URL and SMTP_FROM belong together: set both, or neither for no e-mail.');
  }
  return undefined;
}

/** The PEM texts of certificate and key, and their files. */
function readTls({ tlsCert, tlsKey }: Settings, problems: string[]): { tls?: Pair; tlsFiles?: Pair } {
  if (!tlsCert && !tlsKey) return {};
  if (!tlsCert || !tlsKey) {
    problems.push('TLS_CERT and TLS_KEY belong together: set both to PEM files, or neither for plain http.');
    return {};
  }
  const cert = readPem('TLS_CERT', tlsCert, problems);
  const key = readPem('TLS_KEY', tlsKey, problems);
  if (cert === undefined || key === undefined) return {};
  try {
    createSecureContext({ cert, key });
  } catch {
    // Node's own message ("error:0480006C:PEM routines") does not help the operator.
    problems.push('TLS_CERT and TLS_KEY are not a certificate and its own key, both as PEM.');
  }
  return { tls: { cert, key }, tlsFiles: { cert: tlsCert, key: tlsKey } };
}

interface Pair {
  cert: string;
  key: string;
}

function readPem(name: string, path: string, problems: string[]): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    problems.push(`${name} names ${path}, which cannot be read (${(error as NodeJS.ErrnoException).code}).`);
    return undefined;
  }
}

function urlOf(value: string): URL | undefined {
  return URL.canParse(value) ? new URL(value) : undefined;
}

function isAddress(value: string): boolean {
  const url = urlOf(value);
  return url !== undefined && /^https?:$/.test(url.protocol) && !url.username && !url.password;
}

/** Whether the text is an e-mail address, alone or after a name. */
function isSender(value: string): boolean {
  const [, address = value] = /^[^<>\r\n]*<([^<>]+)>$/.exec(value) ?? [];
  return z.email().safeParse(address).success;
}

/** Whether the text is a host as in an address, with a port if it has one. */
function isHost(value: string): boolean {
  const url = urlOf(`https://${value}/`);
  return url !== undefined && (url.host === value.toLowerCase() || `${url.host}:443` === value.toLowerCase());
}

function isOrigin(value: string): boolean {
  const url = urlOf(value);
  return url !== undefined && /^https?:$/.test(url.protocol) && url.origin === value;
}

function isProxy(value: string): boolean {
  return PROXY_RANGES.includes(value) || isIP(value) !== 0 || isRange(value);
}

/** Whether the text is a range in CIDR form, such as 10.1.0.0/16. */
function isRange(value: string): boolean {
  const [address = '', bits = '', ...rest] = value.split('/');
  const version = isIP(address);
  return (
    version !== 0 && rest.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)
  );
}

/** Whether the text is a tile template. A placeholder in the host must be its whole first label, because the
 *  security policy can only express `*.example.org`. */
function isTileTemplate(value: string): boolean {
  if (!['{z}', '{x}', '{y}'].every((part) => value.includes(part))) return false;
  return /^\/(?!\/)/.test(value) || /^https?:\/\/(\{\w+\}\.)?[\w.-]+(:\d+)?\//.test(value);
}

/** The origin of the tiles for the security policy; null when it is our own. */
export function tileOrigin(tileUrl: string): string | null {
  const [origin] = /^https?:\/\/[^/]+/.exec(tileUrl) ?? [];
  return origin?.replace(/\{\w+\}/, '*') ?? null;
}
