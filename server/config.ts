/** Every setting of the server, read from environment variables and checked once, with defaults and units. */
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { createSecureContext } from 'node:tls';
import { z } from 'zod';
import { TIER_LIMITS, type TierLimits } from '#contract/accounts/keys.ts';
import { DEFAULT_RUNTIME_CONFIG } from '#contract/runtimeConfig.ts';
import { TeamList, type TeamMode } from '#contract/accounts/teams.ts';
import { passwordProblem } from './accounts/passwords/passwords.ts';
import { SECOND_FACTOR_MODES, type SecondFactorMode } from './accounts/passwords/secondFactor.ts';
import { COLLECTORS } from './sources/allSources.ts';
import type { RequestLimits } from './http/limits/requestLimits.ts';
import { LOG_LEVELS, type LogLevel } from './log.ts';
import { GEOCODER_KINDS, type GeocoderKind } from './geography/names/geocodingServer.ts';
import { SECRET_MIN_BYTES } from './accounts/secrets.ts';

export interface Config {
  host: string;
  /** 0: the system chooses a free port. */
  port: number;
  dataDir: string;
  /** The address of PostgreSQL. Absent: SQLite in `dataDir`. */
  databaseUrl?: string;
  /** Absent: a secret is generated once and kept in `dataDir`. */
  secret?: string;
  adminEmail?: string;
  adminPassword?: string;
  registration: 'invite' | 'open';
  /** Who must sign in with a second factor. */
  requireSecondFactor: SecondFactorMode;
  teams: TeamMode;
  /** Proxies whose forwarding headers are trusted: addresses, CIDR ranges, or names from `PROXY_RANGES`. */
  trustProxy: string[];
  /** PEM texts. */
  tls?: { cert: string; key: string };
  /** The files of certificate and key. */
  tlsFiles?: { cert: string; key: string };
  /** Uses recorded sources instead of real ones, with a data folder of its own. */
  replay: boolean;
  /** How long each recorded scene of a source lasts. */
  replayStepSeconds: number;
  /** All other environment variables: collectors read their settings from here. */
  settings: Readonly<Record<string, string>>;
  contactEmail: string;
  /** A template with {z}, {x} and {y}. */
  tileUrl: string;
  tileAttribution: string;
  /** The address of the operator's OSRM server. */
  routerUrl?: string;
  logLevel: LogLevel;
  /** Incidents that have ended are kept for this many days. */
  historyDays: number;
  /** Logged calls and usage events are kept for this many days. */
  usageDays: number;
  /** Jobs are kept for this many days after the day that they belong to. */
  jobDays: number;
  /** The folder of the daily backups, and how many are kept. Absent: no backups. */
  backups?: { folder: string; keep: number };
  /** Figures for Prometheus: on a port of this machine, at /metrics with a token, or both. */
  metrics: { port?: number; token?: string };
  /** The sources whose silence is reported to monitors. Absent: all sources that are set up. */
  alarmSources?: string[];
  /** The most requests a minute to calls whose costs are limited. */
  requestLimits: RequestLimits;
  /** Whether https is also required for subdomains of our host. */
  hstsSubdomains: boolean;
  /** Daily limits of API keys, by tier. */
  keyLimits: TierLimits;
  /** Origins of other sites whose pages may call the API. */
  corsOrigins: string[];
  /** The origin that people open, shown on displays. Absent: the origin of each request. */
  publicUrl?: string;
  /** The hosted model that writes the summaries. Absent: the built-in summariser writes them. */
  summaries?: SummarySettings;
  /** The geocoding server. Absent: places come from the embedded gazetteer. */
  geocoder?: { url: string; kind?: GeocoderKind };
  /** The mail server. Absent: no e-mail. */
  mail?: MailSettings;
  /** Hosts of the operator's own network that users' webhooks may call. */
  outgoingAllow: string[];
}

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

const days = (standard: number) => whole('whole number of days', 1, 3650).default(standard);

const oneOf = <const Word extends string>(words: readonly Word[]) => {
  const told = words.length === 2 ? `"${words[0]}" or "${words[1]}"` : `one of ${words.join(', ')}`;
  return z.enum(words, { error: (issue) => `must be ${told}, not "${String(issue.input)}"` });
};

/** The defaults are values after reading; zod's own `.default()` would apply before the transforms. */
const Environment = z.object({
  HOST: text(
    'must be an address or a host name',
    (value) => isIP(value) > 0 || /^[\w.-]+$/.test(value),
  ).default('0.0.0.0'),
  PORT: whole('number', 0, 65_535).default(8080),
  DATA_DIR: z.string().default('data'),
  DATABASE_URL: hidden(
    'must be a PostgreSQL address such as postgres://user:password@host/database',
    (value) => /^postgres(ql)?:$/.test(urlOf(value)?.protocol ?? ''),
  ).optional(),
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
  REQUIRE_SECOND_FACTOR: oneOf(SECOND_FACTOR_MODES).default('none'),
  TEAMS: oneOf(TeamList.shape.mode.options).default('one'),
  TRUST_PROXY: listOf(
    `must list the proxies' addresses or ranges, such as 10.0.0.0/8, or ${PROXY_RANGES.join(', ')}`,
    isProxy,
  ).default([]),
  TLS_CERT: z.string().optional(),
  TLS_KEY: z.string().optional(),
  CONTACT_EMAIL: text('must be an email address', (value) => z.email().safeParse(value).success).default(
    DEFAULT_RUNTIME_CONFIG.contact_email,
  ),
  TILE_URL: text(
    'is not a URL template: it needs {z}, {x} and {y}, and http(s) or a path of this server',
    isTileTemplate,
  ).default(DEFAULT_RUNTIME_CONFIG.tile_url),
  TILE_ATTRIBUTION: z.string().default(DEFAULT_RUNTIME_CONFIG.tile_attribution),
  LOG_LEVEL: oneOf(LOG_LEVELS).default('info'),
  HISTORY_DAYS: days(90),
  USAGE_DAYS: days(90),
  JOB_DAYS: days(7),
  REPLAY_STEP_SECONDS: whole('whole number of seconds', 1, 3600).default(40),
  ALARM_SOURCES: listOf(
    `must list sources out of ${COLLECTORS.map(({ source }) => source).join(', ')}`,
    (name) => COLLECTORS.some(({ source }) => source === name),
  ).optional(),
  BACKUP_DIR: z.string().optional(),
  BACKUP_KEEP: whole('whole number of backups', 1, 1000).default(14),
  METRICS_PORT: whole('number', 0, 65_535).optional(),
  METRICS_TOKEN: hidden(
    'must have at least 16 characters, without spaces: make one with "openssl rand -hex 24"',
    (value) => /^[\x21-\x7e]{16,}$/.test(value),
  ).optional(),
  PUBLIC_URL: text(
    'must be the address that people open, such as https://clearway.example, without a path',
    (value) => isAddress(value) && new URL(value).href === `${new URL(value).origin}/`,
  )
    .transform((value) => new URL(value).origin)
    .optional(),
  CORS_ORIGINS: listOf('must list origins such as https://app.example, without a path', isOrigin).default([]),
  GEOCODER_URL: hidden(
    'must be an http or https address such as https://nominatim.example, without a user name or password in it',
    isAddress,
  ).optional(),
  ROUTER_URL: hidden(
    'must be an http or https address such as http://osrm.example:5000, without a user name or password in it',
    isAddress,
  ).optional(),
  GEOCODER_KIND: oneOf(GEOCODER_KINDS).optional(),
  SMTP_URL: hidden(
    'must be a mail server such as smtps://user:password@mail.example or smtp://mail.example:587',
    (value) => /^smtps?:$/.test(urlOf(value)?.protocol ?? '') && urlOf(value)?.hostname !== '',
  ).optional(),
  SMTP_FROM: text(
    'must be an address such as clearway@coaches.example or "Clearway <clearway@coaches.example>"',
    isSender,
  ).optional(),
  OUTGOING_ALLOW: listOf(
    'must list hosts such as chat.intranet.example or 10.1.2.3:8443, without https:// and without a path, or ranges such as 10.1.0.0/16',
    (value) => isHost(value) || isRange(value),
  ).default([]),
  FREE_DAILY_REQUESTS: requests('day', TIER_LIMITS.free),
  PRO_DAILY_REQUESTS: requests('day', TIER_LIMITS.pro),
  ENTERPRISE_DAILY_REQUESTS: requests('day', TIER_LIMITS.enterprise),
  SESSION_REQUESTS_A_MINUTE: requests('minute', 1200),
  ADDRESS_REQUESTS_A_MINUTE: requests('minute', 12_000),
  HSTS_SUBDOMAINS: oneOf(['yes', 'no']).default('no'),
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

/** Reads the environment and the command line's options (`--replay`). An empty variable counts as unset.
 *  Throws ConfigError with all problems at once. */
export function readConfig(
  env: Readonly<Record<string, string | undefined>>,
  argv: readonly string[],
): Config {
  const set = Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => {
      if (!value?.trim()) return [];
      // A password may end with a space.
      return [[name, name === 'ADMIN_PASSWORD' ? value : value.trim()] as const];
    }),
  );
  const problems = argv.flatMap((option) =>
    option === '--replay' ? [] : [`Unknown option "${option}". The only one is --replay.`],
  );
  const read = Environment.safeParse(set);
  if (!read.success) {
    problems.push(...read.error.issues.map(({ path, message }) => `${String(path[0])} ${message}`));
    throw new ConfigError(problems.join('\n'));
  }

  const values = read.data;
  const replay = argv.includes('--replay');
  if (values.ADMIN_PASSWORD && !values.ADMIN_EMAIL) {
    problems.push(
      'ADMIN_PASSWORD is set without ADMIN_EMAIL: set both, or neither to have a sign-in created and printed.',
    );
  }
  if (values.DATABASE_URL && !values.SECRET) {
    problems.push(
      'SECRET must be set when DATABASE_URL is: all servers of one database share it. Make one with "openssl rand -base64 48".',
    );
  }
  if (values.DATABASE_URL && replay) {
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
  const { GEOCODER_URL: geocoderUrl, GEOCODER_KIND: geocoderKind } = values;
  if (geocoderKind && !geocoderUrl) {
    problems.push(
      'GEOCODER_KIND is set without GEOCODER_URL: set both, or neither for the embedded gazetteer.',
    );
  }
  const model = readSummaries(values, problems);
  const mail = readMail(values, problems);
  if (values.BACKUP_DIR && values.DATABASE_URL)
    problems.push('BACKUP_DIR is for the data folder: back up PostgreSQL by pg_dump, or leave it unset.');
  const tls = readTls(values.TLS_CERT, values.TLS_KEY, problems);
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));

  return {
    host: values.HOST,
    port: values.PORT,
    dataDir: values.DATA_DIR,
    databaseUrl: values.DATABASE_URL,
    secret: values.SECRET,
    adminEmail: values.ADMIN_EMAIL,
    adminPassword: values.ADMIN_PASSWORD,
    registration: values.REGISTRATION,
    requireSecondFactor: values.REQUIRE_SECOND_FACTOR,
    teams: values.TEAMS,
    trustProxy: values.TRUST_PROXY,
    tls,
    tlsFiles: values.TLS_CERT && values.TLS_KEY ? { cert: values.TLS_CERT, key: values.TLS_KEY } : undefined,
    replay,
    replayStepSeconds: values.REPLAY_STEP_SECONDS,
    settings: Object.fromEntries(
      Object.entries(set).filter(([name]) => !Object.hasOwn(Environment.shape, name)),
    ),
    contactEmail: values.CONTACT_EMAIL,
    tileUrl: values.TILE_URL,
    tileAttribution: values.TILE_ATTRIBUTION,
    routerUrl: values.ROUTER_URL,
    logLevel: values.LOG_LEVEL,
    historyDays: values.HISTORY_DAYS,
    usageDays: values.USAGE_DAYS,
    jobDays: values.JOB_DAYS,
    alarmSources: values.ALARM_SOURCES,
    backups: values.BACKUP_DIR ? { folder: values.BACKUP_DIR, keep: values.BACKUP_KEEP } : undefined,
    metrics: { port: values.METRICS_PORT, token: values.METRICS_TOKEN },
    requestLimits: {
      perSession: values.SESSION_REQUESTS_A_MINUTE,
      perAddress: values.ADDRESS_REQUESTS_A_MINUTE,
    },
    hstsSubdomains: values.HSTS_SUBDOMAINS === 'yes',
    keyLimits: {
      free: values.FREE_DAILY_REQUESTS,
      pro: values.PRO_DAILY_REQUESTS,
      enterprise: values.ENTERPRISE_DAILY_REQUESTS,
    },
    corsOrigins: values.CORS_ORIGINS,
    publicUrl: values.PUBLIC_URL,
    summaries: model,
    geocoder: geocoderUrl ? { url: geocoderUrl, kind: geocoderKind } : undefined,
    mail,
    outgoingAllow: values.OUTGOING_ALLOW,
  };
}

/** The place of the database, and whether it has only one team. For a command beside the server, which needs no
 *  other settings. Throws ConfigError. */
export function readDatabasePlace(
  env: Readonly<Record<string, string | undefined>>,
): Pick<Config, 'dataDir' | 'databaseUrl' | 'teams'> {
  const set = Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => Boolean(entry[1]?.trim())),
  );
  const read = Environment.pick({ DATA_DIR: true, DATABASE_URL: true, TEAMS: true }).safeParse(set);
  if (read.success) {
    const { DATA_DIR: dataDir, DATABASE_URL: databaseUrl, TEAMS: teams } = read.data;
    return { dataDir, databaseUrl, teams };
  }
  throw new ConfigError(
    read.error.issues.map(({ path, message }) => `${String(path[0])} ${message}`).join('\n'),
  );
}

function readSummaries(
  values: z.output<typeof Environment>,
  problems: string[],
): SummarySettings | undefined {
  const { SUMMARY_API_URL: url, SUMMARY_API_KEY: key, SUMMARY_MODEL: model } = values;
  if (url && model) return { url, key, model, dailyTokens: values.SUMMARY_DAILY_TOKENS };
  if (url) problems.push('SUMMARY_MODEL must be set when SUMMARY_API_URL is: the name of the model to ask.');
  else if (key || model) {
    problems.push(
      `${key ? 'SUMMARY_API_KEY' : 'SUMMARY_MODEL'} is set without SUMMARY_API_URL: set it too, or neither for the built-in summaries.`,
    );
  }
  return undefined;
}

function readMail(
  { SMTP_URL: url, SMTP_FROM: from, PUBLIC_URL: publicUrl }: z.output<typeof Environment>,
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

function readTls(
  certPath: string | undefined,
  keyPath: string | undefined,
  problems: string[],
): Config['tls'] {
  if (!certPath && !keyPath) return undefined;
  if (!certPath || !keyPath) {
    problems.push('TLS_CERT and TLS_KEY belong together: set both to PEM files, or neither for plain http.');
    return undefined;
  }
  const cert = readPem('TLS_CERT', certPath, problems);
  const key = readPem('TLS_KEY', keyPath, problems);
  if (cert === undefined || key === undefined) return undefined;
  try {
    createSecureContext({ cert, key });
  } catch {
    // Node's own message ("error:0480006C:PEM routines") does not help the operator.
    problems.push('TLS_CERT and TLS_KEY are not a certificate and its own key, both as PEM.');
  }
  return { cert, key };
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
