/** /docs: the interactive reference. /openapi.json: its document. And the guide. All are public, because they
 *  describe calls and hold no data. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyPluginAsync } from 'fastify';
import { type Answer, answerOfBytes, send } from '../../http/answers/readyAnswers.ts';
import { requestOrigin } from '../../http/calls/requestOrigin.ts';
import { Marked } from 'marked';

const PAGE = readFileSync(new URL('./page.html', import.meta.url), 'utf8');

/** No inline style, and only one inline script, allowed by its hash: it must remove the token from the address
 *  before anything is loaded. */
const PAGE_POLICY = [
  "default-src 'none'",
  `script-src 'self' 'sha256-${createHash('sha256').update(scriptOf(PAGE)).digest('base64')}'`,
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The guide needs no script, so none may run. */
const GUIDE_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
const GUIDE = '../../../docs/api.md';
/** The address in the guide's examples. The page replaces it by this server's address, so that the examples run when
 *  pasted. */
const GUIDE_ORIGIN = 'http://localhost:8080';

const TOKENS = '../../../src/ui/tokens.css';

/** The page's files by their names under /docs/. Swagger UI comes with the plugin, because its own package reports
 *  each installation. */
const FILES: Readonly<Record<string, string>> = {
  'swagger-ui-bundle.js': '@fastify/swagger-ui/static/swagger-ui-bundle.js',
  'swagger-ui.css': '@fastify/swagger-ui/static/swagger-ui.css',
  'tokens.css': TOKENS,
  'docs.css': './docs.css',
  ...Object.fromEntries(fontsOf(readFileSync(pathTo(TOKENS), 'utf8')).map((font) => [font, font])),
};

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
};

export const docsCalls: FastifyPluginAsync = async (app) => {
  app.get('/docs', async (_request, reply) =>
    reply
      .headers({
        'cache-control': 'no-store',
        'content-security-policy': PAGE_POLICY,
        // The page's address can contain a token.
        'referrer-policy': 'no-referrer',
        'x-robots-tag': 'noindex, nofollow',
      })
      .type('text/html; charset=utf-8')
      .send(PAGE),
  );

  // Each file is read at its first use and kept: most servers never need them.
  for (const [name, file] of Object.entries(FILES)) {
    const bytes = once(async () => answerOfBytes(await readFile(pathTo(file))));
    app.get(`/docs/${name}`, async (request, reply) => {
      reply.header('cache-control', 'no-cache');
      return send(request, reply, await bytes(), TYPES[extname(name)]!);
    });
  }

  const guide = once(async () => guidePage(await readFile(pathTo(GUIDE), 'utf8')));
  /** The answer for the origin that was asked last: a server has one origin, or few. */
  let kept: { origin: string; answer: Answer } | undefined;
  const guideAt = async (origin: string): Promise<Answer> => {
    const page = await guide();
    if (kept?.origin !== origin)
      kept = { origin, answer: answerOfBytes(Buffer.from(page.replaceAll(GUIDE_ORIGIN, origin))) };
    return kept.answer;
  };
  app.get('/docs/guide', async (request, reply) => {
    reply.headers({
      'cache-control': 'no-cache',
      'content-security-policy': GUIDE_POLICY,
      'x-robots-tag': 'noindex, nofollow',
    });
    return send(request, reply, await guideAt(requestOrigin(request)), 'text/html; charset=utf-8');
  });

  app.get('/openapi.json', async (request, reply) => {
    reply.header('cache-control', 'no-cache');
    return send(request, reply, app.apiDocument());
  });
};

/** The path to a file of this folder or of a package. */
function pathTo(file: string): string {
  return fileURLToPath(file.startsWith('.') ? new URL(file, import.meta.url) : import.meta.resolve(file));
}

/** The style sheet names fonts by package path, which a browser reads as relative to the sheet. */
function fontsOf(sheet: string): string[] {
  return [...sheet.matchAll(/url\('(@fontsource[^']+)'\)/g)].map(([, font]) => font!);
}

/** Makes the value at the first call and returns it at every later call. A failure is not kept. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () =>
    (made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    }));
}

function scriptOf(page: string): string {
  const [, script] = /<script>([\s\S]*?)<\/script>/.exec(page) ?? [];
  if (script === undefined) throw new Error('server/calls/reference/page.html has no script');
  return script;
}

// The guide as a page, made from docs/api.md, which is its only text. It has no script, and only the tags that are
// made here.

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string) => text.replace(/[&<>"']/g, (letter) => ENTITIES[letter]!);

/** The anchor of a heading: "Filters and formats" becomes `filters-and-formats`. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

/** The whole page. */
export function guidePage(markdown: string): string {
  const headings: { name: string; anchor: string }[] = [];
  const body = new Marked({
    renderer: {
      html: ({ text }) => escaped(text),
      image: ({ text }) => escaped(text),
      heading({ tokens, depth, text }) {
        const anchor = anchorOf(text);
        if (depth === 2) headings.push({ name: escaped(text), anchor });
        return `<h${depth} id="${anchor}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      // Links to the other files of the folder are left out, because those files are not served.
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens);
        return /^(https:|#)/.test(href) ? `<a href="${escaped(href)}">${text}</a>` : text;
      },
      // A single command wraps, so that all of it is visible. Lines that stand below each other can be scrolled, also
      // by keyboard.
      code: ({ text, lang }) =>
        `<pre ${lang === 'sh' ? 'class="command"' : 'tabindex="0"'}><code>${escaped(text)}</code></pre>\n`,
    },
  }).parse(markdown, { async: false });
  const contents = headings.map(({ name, anchor }) => `<li><a href="#${anchor}">${name}</a></li>`);
  return GUIDE_PAGE.replace('{contents}', () => contents.join('\n')).replace('{body}', () => body);
}

const GUIDE_PAGE = `<!doctype html>
<html lang="en-GB">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="robots" content="noindex, nofollow" />
    <title>API guide · Clearway</title>
    <link rel="icon" href="/favicon.svg" />
    <link rel="stylesheet" href="/docs/tokens.css" />
    <link rel="stylesheet" href="/docs/docs.css" />
  </head>
  <body>
    <header class="bar">
      <a class="brand" href="/dashboard">Clearway</a>
      <p>Guide to the API. <a href="/docs">Every call, with examples</a></p>
    </header>
    <main id="guide">
      <nav aria-label="On this page">
        <ul>
          {contents}
        </ul>
      </nav>
      {body}
    </main>
  </body>
</html>
`;
