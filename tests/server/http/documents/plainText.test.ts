import { describe, expect, it } from 'vitest';
import { plainText, summaryLine } from '../../../../server/http/documents/plainText.ts';

describe('plainText', () => {
  it.each([
    ['Signal failure', 'Signal failure'],
    ['  two\u00a0words \r\n\t here ', 'two words here'],
    ['A &amp; B', 'A & B'],
    ['A &amp;amp; B', 'A & B'],
    ['before&amp;#160;after', 'before after'],
    ['&lt;p&gt;Trains&lt;/p&gt;&lt;p&gt;run&lt;/p&gt;', 'Trains run'],
    ['<p>One</p><p>Two<br/>Three</p><ul><li>Four</li></ul>', 'One Two Three Four'],
    ['No<b>r</b>th and Sou<strong class="x">th</strong>', 'North and South'],
    ['<a href="https://x.example/?a>b" title=\'c>d\'>More</a>', 'More'],
    ["<p title=don't>Stray</p> quote", 'Stray quote'],
    ['It&#8217;s 5&deg;C, &pound;3 &ndash; caf&eacute; &hellip;', 'It’s 5°C, £3 – café …'],
    ['windows&#146;s own &#x92;', 'windows’s own ’'],
    ['Llanrwst, T&ycirc; Croes', 'Llanrwst, Tŷ Croes'],
    ['5 < 6 and 7 > 3, x <y', '5 < 6 and 7 > 3, x <y'],
    ['R&D &unknown; &', 'R&D &unknown; &'],
    ['<script>alert("x")</script>Safe<style>p{}</style>', 'Safe'],
    ['&lt;img src=x onerror=alert(1)&gt;Safe', 'Safe'],
    ['cut off <a href="https://exam', 'cut off'],
    ['a <!-- hidden --> b <![CDATA[c]]>', 'a b c'],
    ['\u202eevil\u2066 \u0007bell\u200b zero\ufeff \u2028line', 'evil bell zero line'],
    // A browser shows the same for a number that is not a character.
    ['&#0;&#xD800;&#x110000;nothing', '\ufffd\ufffd\ufffdnothing'],
    ['&Zacaron; &Lstrok;&oacute;d&zacute; &frac58; mile', '&Zacaron; Łódź ⅝ mile'],
    ['half \ud83d pair', 'half \ufffd pair'],
    ['', ''],
  ])('reads %j as %j', (html, text) => {
    expect(plainText(html)).toBe(text);
  });

  it('takes time in proportion to its length, whatever the text', () => {
    const hostile = ['<a "', "<a '", '<!--', '<script ', '&amp;', '<a ', '<', '&lt;'];
    const begun = performance.now();
    for (const piece of hostile) plainText(piece.repeat(50_000));
    plainText(`<a ${'='.repeat(100_000)}<`);

    expect(performance.now() - begun).toBeLessThan(5000);
  });
});

describe('summaryLine', () => {
  it('leaves a short text as it is', () => {
    expect(summaryLine('x'.repeat(200))).toBe('x'.repeat(200));
  });

  it('cuts at the end of a word, with the ellipsis within the limit', () => {
    const line = summaryLine('Delays of up to an hour, and then some more', 26);

    expect(line).toBe('Delays of up to an hour…');
    expect(line.length).toBeLessThanOrEqual(26);
  });

  it('keeps a word that ends exactly at the limit', () => {
    expect(summaryLine('one two three', 8)).toBe('one two…');
  });

  it('cuts an endless word, but never within a character', () => {
    expect(summaryLine('x'.repeat(300))).toBe(`${'x'.repeat(199)}…`);
    expect(summaryLine(`${'x'.repeat(8)}😀😀😀`, 10)).toBe('xxxxxxxx…');
  });
});
