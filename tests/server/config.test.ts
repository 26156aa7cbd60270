import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readConfig, tileOrigin } from '../../server/config.ts';

const tls = new URL('../fixtures/tls/', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'clearway-config-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('the configuration', () => {
  it('runs without any setting, by these defaults', () => {
    expect(readConfig({}, [])).toEqual({
      host: '0.0.0.0',
      port: 8080,
      dataDir: 'data',
      registration: 'invite',
      requireSecondFactor: 'none',
      trustProxy: [],
      replay: false,
      replayStepSeconds: 40,
      teams: 'one',
      settings: {},
      contactEmail: 'hello@clearway.example',
      tileUrl: 'https://tile.openstreetmap.org/{z}/{x}/{y}.png',
      tileAttribution: '© OpenStreetMap contributors',
      routerUrl: undefined,
      logLevel: 'info',
      backupKeep: 14,
      sessionRequestsAMinute: 1200,
      addressRequestsAMinute: 12_000,
      requestLimits: { perSession: 1200, perAddress: 12_000 },
      hstsSubdomains: false,
      freeDailyRequests: 1000,
      proDailyRequests: 50_000,
      enterpriseDailyRequests: null,
      keyLimits: { free: 1000, pro: 50_000, enterprise: null },
      summaryDailyTokens: 500_000,
      corsOrigins: [],
      outgoingAllow: [],
    });
  });

  it('takes its own settings, and hands all others to the collectors', () => {
    const config = readConfig(
      {
        PORT: ' 9000 ',
        HOST: '::1',
        DATA_DIR: '/var/lib/clearway',
        DATABASE_URL: 'postgres://clearway:pw@db/clearway',
        SECRET: 's'.repeat(32),
        ADMIN_EMAIL: 'Boss@Coaches.Example',
        ADMIN_PASSWORD: 'not-a-common-one',
        REGISTRATION: 'open',
        TEAMS: 'many',
        TRUST_PROXY: '10.0.0.0/8, ::1,loopback,',
        CORS_ORIGINS: 'https://app.example, http://localhost:5173',
        PUBLIC_URL: 'https://Clearway.example:8443/',
        TILE_URL: '/tiles/{z}/{x}/{y}.png',
        LOG_LEVEL: 'debug',
        FREE_DAILY_REQUESTS: '200',
        PRO_DAILY_REQUESTS: 'unlimited',
        ENTERPRISE_DAILY_REQUESTS: '1000000',
        RDM_NSI_KEY: 'k',
        TFL_URL: '',
      },
      [],
    );

    expect(config).toMatchObject({
      port: 9000,
      host: '::1',
      dataDir: '/var/lib/clearway',
      databaseUrl: 'postgres://clearway:pw@db/clearway',
      adminEmail: 'boss@coaches.example',
      adminPassword: 'not-a-common-one',
      registration: 'open',
      teams: 'many',
      trustProxy: ['10.0.0.0/8', '::1', 'loopback'],
      corsOrigins: ['https://app.example', 'http://localhost:5173'],
      publicUrl: 'https://clearway.example:8443',
      tileUrl: '/tiles/{z}/{x}/{y}.png',
      logLevel: 'debug',
      keyLimits: { free: 200, pro: null, enterprise: 1_000_000 },
    });
    expect(config.settings).toEqual({ RDM_NSI_KEY: 'k' });
  });

  it('counts an empty variable as unset', () => {
    expect(readConfig({ PORT: '', TRUST_PROXY: '  ', ADMIN_EMAIL: '' }, [])).toEqual(readConfig({}, []));
  });

  it('reads the certificate and its key', () => {
    const config = readConfig({ TLS_CERT: `${tls}localhost.crt`, TLS_KEY: `${tls}localhost.key` }, []);

    expect(config.tls).toEqual({
      cert: readFileSync(`${tls}localhost.crt`, 'utf8'),
      key: readFileSync(`${tls}localhost.key`, 'utf8'),
    });
  });

  it('knows --replay', () => {
    expect(readConfig({}, ['--replay']).replay).toBe(true);
  });

  it.each<[Record<string, string>, string]>([
    [{ PORT: 'abc' }, 'PORT must be a number from 0 to 65535, not "abc"'],
    [{ PORT: '65536' }, 'PORT must be a number from 0 to 65535, not "65536"'],
    [{ PORT: '-1' }, 'PORT must be a number from 0 to 65535, not "-1"'],
    [{ PORT: '80.5' }, 'PORT must be a number from 0 to 65535, not "80.5"'],
    [{ HOST: 'http://x' }, 'HOST must be an address or a host name, not "http://x"'],
    [{ TEAMS: 'two' }, 'TEAMS must be "one" or "many", not "two"'],
    [{ REGISTRATION: 'yes' }, 'REGISTRATION must be "invite" or "open", not "yes"'],
    [
      { LOG_LEVEL: 'loud' },
      'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent, not "loud"',
    ],
    [{ HISTORY_DAYS: '0' }, 'HISTORY_DAYS must be a whole number of days from 1 to 3650, not "0"'],
    [
      { FREE_DAILY_REQUESTS: '0' },
      'FREE_DAILY_REQUESTS must be a whole number of requests a day from 1 to 1000000000, or unlimited, not "0"',
    ],
    [
      { PRO_DAILY_REQUESTS: '1e4' },
      'PRO_DAILY_REQUESTS must be a whole number of requests a day from 1 to 1000000000, or unlimited, not "1e4"',
    ],
    [{ ADMIN_EMAIL: 'boss' }, 'ADMIN_EMAIL must be an email address, not "boss"'],
    [{ CONTACT_EMAIL: 'us' }, 'CONTACT_EMAIL must be an email address, not "us"'],
    [
      { ADMIN_EMAIL: 'a@b.example', ADMIN_PASSWORD: 'short' },
      'ADMIN_PASSWORD is refused: Password must have at least 8 characters',
    ],
    [
      { ADMIN_EMAIL: 'a@b.example', ADMIN_PASSWORD: 'Password123' },
      'ADMIN_PASSWORD is refused: Password is too common: choose one that nobody would guess',
    ],
    [
      { ADMIN_PASSWORD: 'not-a-common-one' },
      'ADMIN_PASSWORD is set without ADMIN_EMAIL: set both, or neither to have a sign-in created and printed.',
    ],
    [{ SECRET: 'too short' }, 'SECRET must have at least 32 bytes: make one with "openssl rand -base64 48"'],
    [
      { DATABASE_URL: 'postgres://db/clearway' },
      'SECRET must be set when DATABASE_URL is: all servers of one database share it. Make one with "openssl rand -base64 48".',
    ],
    [
      { DATABASE_URL: 'mysql://root:hunter22@db', SECRET: 's'.repeat(32) },
      'DATABASE_URL must be a PostgreSQL address such as postgres://user:password@host/database',
    ],
    [
      { TFL_URL: 'api.tfl.gov.uk/Line' },
      'TFL_URL must be an http or https address, without a user name or password in it',
    ],
    [
      { RDM_NSI_URL: 'https://me:hunter22@rdm.example/nsi' },
      'RDM_NSI_URL must be an http or https address, without a user name or password in it',
    ],
    [
      { OUTGOING_ALLOW: 'chat.intranet.example,10.0.0.0/33' },
      'OUTGOING_ALLOW must list hosts such as chat.intranet.example or 10.1.2.3:8443, without https:// and without a path, or ranges such as 10.1.0.0/16, not "10.0.0.0/33"',
    ],
    [
      { TRUST_PROXY: '10.0.0.0/33' },
      'TRUST_PROXY must list the proxies\' addresses or ranges, such as 10.0.0.0/8, or loopback, linklocal, uniquelocal, not "10.0.0.0/33"',
    ],
    [
      { TRUST_PROXY: '127.0.0.1,true' },
      'TRUST_PROXY must list the proxies\' addresses or ranges, such as 10.0.0.0/8, or loopback, linklocal, uniquelocal, not "true"',
    ],
    [
      { CORS_ORIGINS: 'https://app.example/' },
      'CORS_ORIGINS must list origins such as https://app.example, without a path, not "https://app.example/"',
    ],
    [
      { CORS_ORIGINS: '*' },
      'CORS_ORIGINS must list origins such as https://app.example, without a path, not "*"',
    ],
    ...['clearway.example', 'https://clearway.example/app', 'ftp://clearway.example', 'https://'].map(
      (PUBLIC_URL): [Record<string, string>, string] => [
        { PUBLIC_URL },
        `PUBLIC_URL must be the address that people open, such as https://clearway.example, without a path, not "${PUBLIC_URL}"`,
      ],
    ),
    [
      { TILE_URL: 'osm' },
      'TILE_URL is not a URL template: it needs {z}, {x} and {y}, and http(s) or a path of this server, not "osm"',
    ],
    [
      { TILE_URL: "https://tiles.example; script-src '*'/{z}/{x}/{y}" },
      'TILE_URL is not a URL template: it needs {z}, {x} and {y}, and http(s) or a path of this server',
    ],
    [
      { TLS_CERT: '/some.crt' },
      'TLS_CERT and TLS_KEY belong together: set both to PEM files, or neither for plain http.',
    ],
    [
      { TLS_CERT: `${tls}missing.crt`, TLS_KEY: `${tls}localhost.key` },
      `TLS_CERT names ${tls}missing.crt, which cannot be read (ENOENT).`,
    ],
    [
      { TLS_CERT: `${tls}localhost.crt`, TLS_KEY: `${tls}other.key` },
      'TLS_CERT and TLS_KEY are not a certificate and its own key, both as PEM.',
    ],
    [
      { GEOCODER_URL: 'https://rosa:hunter22@places.example' },
      'GEOCODER_URL must be an http or https address such as https://nominatim.example, without a user name or password in it',
    ],
    [
      { GEOCODER_URL: 'https://places.example', GEOCODER_KIND: 'pelias' },
      'GEOCODER_KIND must be "nominatim" or "photon", not "pelias"',
    ],
    [
      { GEOCODER_KIND: 'photon' },
      'GEOCODER_KIND is set without GEOCODER_URL: set both, or neither for the embedded gazetteer.',
    ],
    [
      { SUMMARY_API_URL: 'api.openai.com/v1', SUMMARY_MODEL: 'm' },
      'SUMMARY_API_URL must be an http or https address such as https://api.openai.com/v1, without a user name, password, query or fragment in it',
    ],
    [
      { SUMMARY_API_URL: 'https://llm.example/v1?key=hunter22', SUMMARY_MODEL: 'm' },
      'SUMMARY_API_URL must be an http or https address such as',
    ],
    [
      { SUMMARY_API_URL: 'https://llm.example/v1' },
      'SUMMARY_MODEL must be set when SUMMARY_API_URL is: the name of the model to ask.',
    ],
    [
      { SUMMARY_API_KEY: 'hunter22' },
      'SUMMARY_API_KEY is set without SUMMARY_API_URL: set it too, or neither for the built-in summaries.',
    ],
    [
      { SUMMARY_MODEL: 'm' },
      'SUMMARY_MODEL is set without SUMMARY_API_URL: set it too, or neither for the built-in summaries.',
    ],
    [{ SUMMARY_MODEL: 'a b' }, 'SUMMARY_MODEL must be the name of a model, at most 100 characters'],
    [
      { SUMMARY_DAILY_TOKENS: '10k' },
      'SUMMARY_DAILY_TOKENS must be a whole number of tokens from 1000 to 1000000000, not "10k"',
    ],
  ])('refuses %j and says the way out', (env, message) => {
    expect(() => readConfig(env, [])).toThrow(message);
  });

  it('names every problem at once', () => {
    expect(() => readConfig({ PORT: 'x', LOG_LEVEL: 'y' }, ['--fast'])).toThrow(
      [
        'Unknown option "--fast". The only one is --replay.',
        'PORT must be a number from 0 to 65535, not "x"',
        'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent, not "y"',
      ].join('\n'),
    );
  });

  it('knows the model that writes the summaries, with or without a key', () => {
    const local = { SUMMARY_API_URL: 'http://127.0.0.1:11434/v1', SUMMARY_MODEL: 'qwen3:8b' };

    expect(readConfig(local, []).summaries).toEqual({
      url: 'http://127.0.0.1:11434/v1',
      model: 'qwen3:8b',
      dailyTokens: 500_000,
    });
    const hosted = readConfig({ ...local, SUMMARY_API_KEY: 'sk-1', SUMMARY_DAILY_TOKENS: '20000' }, []);
    expect(hosted.summaries).toMatchObject({ key: 'sk-1', dailyTokens: 20_000 });
    expect(hosted.settings).toEqual({});
  });

  it('keeps recorded data out of a shared database', () => {
    const env = { DATABASE_URL: 'postgres://db/clearway', SECRET: 's'.repeat(32) };

    expect(() => readConfig(env, ['--replay'])).toThrow('DATABASE_URL cannot be used with --replay');
  });

  it('never repeats a secret in a message', () => {
    const env = {
      SECRET: 'hunter22',
      DATABASE_URL: 'mysql://root:hunter22@db',
      ADMIN_PASSWORD: 'hunter2',
      SUMMARY_API_KEY: 'hunter 2',
    };

    const message = String(failureOf(() => readConfig(env, [])));

    expect(message.split('\n')).toHaveLength(4);
    expect(message).not.toContain('hunter');
  });

  it.each([
    ['https://tile.openstreetmap.org/{z}/{x}/{y}.png', 'https://tile.openstreetmap.org'],
    ['https://{s}.tiles.example:8443/{z}/{x}/{y}@2x.png', 'https://*.tiles.example:8443'],
    ['/tiles/{z}/{x}/{y}.png', null],
  ])('knows where the tiles of %s come from', (template, origin) => {
    expect(readConfig({ TILE_URL: template }, []).tileUrl).toBe(template);
    expect(tileOrigin(template)).toBe(origin);
  });
});

function failureOf(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error('It did not fail');
}
