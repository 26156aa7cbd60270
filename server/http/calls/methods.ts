/** Which methods an address takes: a wrong one is answered with 405 and names them, not as if nothing were there. */
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    /** The methods of the calls at this path; none where there is no call. */
    methodsAt(path: string): string[];
  }
}

/** Notes every call that is registered after this. */
export function noteMethods(app: FastifyInstance): void {
  const patterns = new Map<string, { matches: RegExp; methods: Set<string> }>();
  app.addHook('onRoute', ({ url, method }) => {
    if (url === '/*' || url === '*') return; // the built app
    const one = patterns.get(url) ?? { matches: toPattern(url), methods: new Set() };
    for (const name of [method].flat()) one.methods.add(name);
    patterns.set(url, one);
  });
  app.decorate('methodsAt', (path) => {
    const found = new Set<string>();
    for (const { matches, methods } of patterns.values())
      if (matches.test(path)) for (const name of methods) found.add(name);
    return [...found].toSorted();
  });
}

const toPattern = (url: string) =>
  new RegExp(
    `^${url
      .replace(/\/$/, '')
      .replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`)
      .replaceAll(/:\w+/g, '[^/]+')
      .replaceAll('*', '.+')}/?$`,
  );
