/** The guide as a page, made from docs/api.md, which is its only text. It has no script, and only the tags that are
 *  made here. */
import { Marked } from 'marked';

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
  return PAGE.replace('{contents}', () => contents.join('\n')).replace('{body}', () => body);
}

const PAGE = `<!doctype html>
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
