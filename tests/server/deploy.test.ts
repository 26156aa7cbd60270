/** Ways to run Clearway, as far as a machine without containers and proxies can try them: every name, path, command
 *  and setting in them exists. The images, Caddy and nginx are not started here. */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import packageJson from '../../package.json' with { type: 'json' };
import { readConfig } from '../../server/config.ts';
import { openTestApp } from './app/testApp.ts';

const root = new URL('../..', import.meta.url).pathname;
const read = (path: string) => readFileSync(join(root, path), 'utf8');

const scripts: Readonly<Record<string, string>> = packageJson.scripts;
const startCommand = scripts['start']!.split(' ');

/** Its instructions, joined over line ends, without comments. */
const instructions = (text: string): [name: string, rest: string][] =>
  text
    .replace(/^#.*$/gm, '')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim())
    .map((line) => [line.split(' ', 1)[0]!, line.slice(line.indexOf(' ') + 1).trim()]);

describe('the container file', () => {
  const all = instructions(read('deploy/Containerfile'));
  const of = (name: string) => all.filter(([own]) => own === name).map(([, rest]) => rest);
  const second = all.slice(all.findLastIndex(([name]) => name === 'FROM'));

  it('has two stages on the Node that the project asks for', () => {
    const images = of('FROM').map((image) => image.split(' ')[0]);
    expect(images).toHaveLength(2);
    expect(new Set(images).size).toBe(1);
    const major = /\d+/.exec(packageJson.engines.node)![0];
    expect(images[0]).toMatch(new RegExp(`^docker\\.io/library/node:${major}-`));
  });

  it('copies what exists, and all that the server imports', () => {
    const copied = of('COPY').flatMap((rest) => {
      const words = rest.split(' ').filter((word) => !word.startsWith('--'));
      return words.slice(0, -1).map((path) => path.replace(/^\/app\//, ''));
    });
    const made = new Set(['dist', 'dist-server', 'node_modules']); // by the first stage
    for (const path of copied) expect(made.has(path) || existsSync(join(root, path)), path).toBe(true);
    const kept = second.filter(([name]) => name === 'COPY').map(([, rest]) => rest.split(' ').at(-1));
    expect(kept.toSorted()).toEqual([
      './',
      './contract',
      './dist',
      './dist-server',
      './docs/api.md',
      './node_modules',
      './server',
      './src/ui/tokens.css',
    ]);
  });

  it('runs commands of the project, and starts it as npm start does', () => {
    const run = of('RUN').flatMap((line) => [...line.matchAll(/npm run ([\w-]+)/g)].map(([, name]) => name!));
    expect(run).not.toEqual([]);
    for (const name of run) expect(scripts).toHaveProperty(name);
    expect(JSON.parse(of('CMD')[0]!)).toEqual(startCommand);
  });

  it('is not root, has one volume, and asks for its health at the port on which it answers', async () => {
    expect(second.findLast(([name]) => name === 'USER')?.[1]).toBe('node');
    const env = Object.fromEntries(
      of('ENV').flatMap((line) => line.split(' ').map((pair) => pair.split('='))),
    );
    expect(of('VOLUME')).toEqual([env['DATA_DIR']]);
    expect(of('EXPOSE')).toEqual([env['PORT']]);
    expect(readConfig(env, []).port).toBe(Number(env['PORT']));

    expect(of('HEALTHCHECK')[0]).toMatch(/CMD \["node", "server\/operate\/commands\/health.ts"\]$/);
  });

  it('needs no package of development to run', () => {
    const files = readdirSync(join(root, 'server'), { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.ts'),
    );
    const packages = new Set(
      files.flatMap((file) =>
        [
          ...read(join('server', file)).matchAll(
            /^(?:import|export)\s[^'"]*?from '([^'.#][^']*)'|import\('([^'.#][^']*)'\)/gm,
          ),
        ]
          .filter(([line]) => !line.startsWith('import type'))
          .map(([, name, lazy]) => (name ?? lazy)!)
          .filter((name) => !name.startsWith('node:') && !builtinModules.includes(name))
          .map((name) =>
            name
              .split('/')
              .slice(0, name.startsWith('@') ? 2 : 1)
              .join('/'),
          ),
      ),
    );
    expect([...packages].filter((name) => !Object.hasOwn(packageJson.dependencies, name))).toEqual([]);
  });
});

describe('the compose file', () => {
  interface Service {
    image?: string;
    build?: { context: string; dockerfile: string };
    environment: Record<string, string>;
    depends_on?: string[] | Record<string, unknown>;
    volumes: string[];
  }
  const compose = parse(read('deploy/compose.yaml'), { merge: true }) as {
    services: Record<string, Service>;
    volumes: Record<string, unknown>;
  };
  const { services } = compose;
  const filled = (text: string) =>
    text.replace(/\$\{(\w+)(?::[?-]([^}]*))?\}/g, (_, name: string) => ENVIRONMENT[name] ?? '');
  const ENVIRONMENT: Readonly<Record<string, string>> = {
    POSTGRES_PASSWORD: 'a1b2c3',
    SECRET: 's'.repeat(48),
    CLEARWAY_HOST: 'clearway.example.org',
    CONTACT_EMAIL: 'you@example.org',
  };

  it('has PostgreSQL 18, Clearway and Caddy, and names only what it declares', () => {
    expect(Object.keys(services)).toEqual(['postgres', 'clearway', 'caddy']);
    expect(services['postgres']!.image).toBe('docker.io/library/postgres:18');
    for (const { depends_on = [], volumes } of Object.values(services)) {
      const names = Array.isArray(depends_on) ? depends_on : Object.keys(depends_on);
      for (const name of names) expect(services).toHaveProperty(name);
      for (const volume of volumes) {
        const [from] = volume.split(':');
        if (from!.startsWith('.')) expect(existsSync(join(root, 'deploy', from!)), from).toBe(true);
        else expect(compose.volumes).toHaveProperty(from!);
      }
    }
    const { context, dockerfile } = services['clearway']!.build!;
    expect(existsSync(join(root, 'deploy', context, dockerfile))).toBe(true);
  });

  it('gives Clearway settings that it accepts, and a database that the other service makes', () => {
    const env = Object.fromEntries(
      Object.entries(services['clearway']!.environment).map(([name, value]) => [name, filled(value)]),
    );
    const config = readConfig(env, []);
    expect(config.settings, 'unknown settings').toEqual({});
    expect(config).toMatchObject({
      publicUrl: 'https://clearway.example.org',
      trustProxy: ['uniquelocal'],
      contactEmail: 'you@example.org',
    });
    const { hostname, username, password, pathname } = new URL(config.databaseUrl!);
    const { POSTGRES_USER, POSTGRES_DB, POSTGRES_PASSWORD } = services['postgres']!.environment;
    expect(services).toHaveProperty(hostname);
    expect([username, pathname, password]).toEqual([
      POSTGRES_USER,
      `/${POSTGRES_DB}`,
      filled(POSTGRES_PASSWORD!),
    ]);
    expect(services['caddy']!.environment['CLEARWAY_UPSTREAM']).toBe(`clearway:${readConfig({}, []).port}`);
  });
});

describe('the proxies', () => {
  it.each(['deploy/Caddyfile', 'deploy/nginx.conf'])('%s: its braces are closed', (path) => {
    // Comments and Caddy's placeholders are taken out.
    const text = read(path)
      .replace(/^\s*#.*$/gm, '')
      .replace(/\{\$[^}]*\}/g, '');
    let depth = 0;
    for (const letter of text) {
      depth += letter === '{' ? 1 : letter === '}' ? -1 : 0;
      expect(depth).toBeGreaterThanOrEqual(0);
    }
    expect(depth).toBe(0);
  });

  it('nginx passes on the caller’s address alone, which counts if Clearway trusts it', async () => {
    const sent = Object.fromEntries(
      [...read('deploy/nginx.conf').matchAll(/proxy_set_header (\S+) (\S+);/g)].map(([, name, value]) => [
        name,
        value,
      ]),
    );
    expect(sent).toMatchObject({
      'X-Forwarded-For': '$remote_addr',
      'X-Forwarded-Proto': '$scheme',
      Host: '$http_host',
    });
    const test = await openTestApp({ config: { trustProxy: ['loopback'] } });
    await test.app.inject({
      url: '/api/v1/feeds/',
      headers: {
        'x-forwarded-for': '203.0.113.9',
        'x-forwarded-proto': 'https',
        host: 'clearway.example.org',
      },
    });
    expect(test.logged()).toContain('"address":"203.0.113.9"');
    await test.close();
  });
});

describe('the systemd unit', () => {
  const unit = read('deploy/clearway.service');

  it('starts it as npm start does, and reads the certificate again on reload', () => {
    const [, command] = /^ExecStart=\S+\/(node .*)$/m.exec(unit)!;
    expect(command!.split(' ')).toEqual(startCommand);
    expect(unit).toMatch(/^ExecReload=\/bin\/kill -HUP \$MAINPID$/m);
    const [, environment] = /^Environment=(.*)$/m.exec(unit)!;
    const env = Object.fromEntries(environment!.split(' ').map((pair) => pair.split('=')));
    expect(`${env['DATA_DIR']}`).toBe(`/var/lib/${/^StateDirectory=(.*)$/m.exec(unit)![1]}`);
  });

  it('is sound to systemd where it is installed, and leaves little open', () => {
    for (const line of ['NoNewPrivileges=yes', 'ProtectSystem=strict', 'CapabilityBoundingSet='])
      expect(unit).toContain(`\n${line}\n`);
    if (spawnSync('systemd-analyze', ['--version']).status !== 0) return;
    const folder = mkdtempSync(join(tmpdir(), 'clearway-unit-'));
    const file = join(folder, 'clearway.service');
    // The program is elsewhere here.
    const here = unit
      .replace('/opt/clearway/node_modules/.bin/node', realpathSync(process.execPath))
      .replaceAll('/opt/clearway', root);
    writeFileSync(file, here);
    const verified = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' });
    expect([verified.status, verified.stderr]).toEqual([0, '']);
    const judged = spawnSync('systemd-analyze', ['security', '--offline=true', '--threshold=20', file], {
      encoding: 'utf8',
    });
    expect(judged.status, judged.stdout.slice(-200)).toBe(0);
    rmSync(folder, { recursive: true });
  });
});
