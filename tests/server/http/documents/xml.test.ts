import { describe, expect, it } from 'vitest';
import {
  all,
  attribute,
  readXml,
  readXmlList,
  splitXml,
  text,
} from '../../../../server/http/documents/xml.ts';

describe('readXml', () => {
  it('reads names without their prefixes, in document order', () => {
    const root = readXml(`\uFEFF<?xml version="1.0" encoding="utf-8"?>
      <!-- made by hand -->
      <a:feed xmlns:a="urn:a" xmlns:xsi="urn:xsi" xsi:type="big" quoted='a &quot;b&quot;'>
        <a:entry><title>One</title></a:entry><other/><entry><title>Two</title></entry>
      </a:feed>`);

    expect(root.name).toBe('feed');
    expect(root.children.map(({ name }) => name)).toEqual(['entry', 'other', 'entry']);
    expect(all(root, 'entry/title').map((title) => title.text)).toEqual(['One', 'Two']);
    expect(text(root, 'entry/title')).toBe('One');
    expect(text(root, 'entry/link')).toBeUndefined();
    expect(attribute(root, 'type')).toBe('big');
    expect(attribute(root, 'quoted')).toBe('a "b"');
    expect(attribute(root, 'toString')).toBeUndefined();
  });

  it('joins text and CDATA, decodes once, and keeps numbers and dates as they are written', () => {
    const root = readXml(
      '<a><b> x &amp;amp; &lt;y&gt; <![CDATA[ <p>&amp;</p> ]]>&#8217;&#x2019; </b><c>007.50</c><d>&nbsp;</d></a>',
    );

    expect(text(root, 'b')).toBe('x &amp; <y>  <p>&amp;</p> ’’');
    expect(text(root, 'c')).toBe('007.50');
    expect(text(root, 'd')).toBe('&nbsp;');
  });

  it('reads thousands of references', () => {
    expect(text(readXml(`<a><b>${'&amp;'.repeat(20_000)}</b></a>`), 'b')).toBe('&'.repeat(20_000));
  });

  it('skips an empty document type', () => {
    expect(
      readXml('<?xml version="1.0"?><!DOCTYPE feed SYSTEM "http://evil.example/x.dtd"><feed/>').name,
    ).toBe('feed');
  });

  it.each([
    ['', 'The document is empty.'],
    [' \n ', 'The document is empty.'],
    ['{"a":1}', 'The document is not XML.'],
    ['<!DOCTYPE html><html><p>Sorry</html>', 'The document is an HTML page, not the XML that was expected.'],
    ['<HTML><body>Sorry</body></HTML>', 'The document is an HTML page, not the XML that was expected.'],
    ['<feed><entry>', 'not well-formed XML, or cut off'],
    ['<feed><entry>half', 'not well-formed XML, or cut off'],
    ['<feed><entry></feed>', 'not well-formed XML, or cut off'],
    ['<feed a=></feed>', 'not well-formed XML, or cut off'],
    ['<?xml version="1.0"?>', 'not well-formed XML, or cut off'],
    ['<!DOCTYPE feed', 'not well-formed XML, or cut off'],
    [
      `${'<a>'.repeat(200)}${'</a>'.repeat(200)}`,
      'The document cannot be read as XML: Maximum nested tags exceeded',
    ],
  ])('refuses %j in words', (document, message) => {
    expect(() => readXml(document)).toThrow(message);
  });

  it('refuses every document type with declarations', () => {
    const laughs = '<!DOCTYPE a [<!ENTITY x "ha"><!ENTITY y "&x;&x;&x;">]><a>&y;</a>';
    const file =
      '<?xml version="1.0"?><!-- --><!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>';

    for (const document of [laughs, file]) {
      expect(() => readXml(document)).toThrow('declares a document type with entities of its own: refused');
    }
  });

  it('says what is wrong on one line', () => {
    const broken = '<feed>\n<entry>\n<title>half';
    expect(() => readXml(broken)).toThrow(/^The document[^\n]+$/);
  });
});

describe('readXmlList', () => {
  const read = (document: string) => {
    const torn: string[] = [];
    return { root: readXmlList(document, 'p', (problem) => torn.push(problem)), torn };
  };

  it('loses only what is not well-formed', () => {
    const { root, torn } = read('<a><p>1</p><p>2 & <b></p><p>3</p></a>');
    expect(all(root, 'p').map((part) => part.text)).toEqual(['1', '3']);
    expect(torn).toEqual([expect.stringMatching(/^Record 2 left out: not well-formed, /)]);
    expect(read('<a><p>1</p></a>').torn).toEqual([]);
  });

  it.each([
    ['a name that the parser reserves', '<p>2<__proto__>x</__proto__></p>'],
    ['too many levels', `<p>${'<b>'.repeat(200)}${'</b>'.repeat(200)}</p>`],
  ])('loses only what the parser refuses: %s', (_, refused) => {
    const { root, torn } = read(`<a><p>1</p>${refused}<p>3</p></a>`);
    expect(all(root, 'p').map((part) => part.text)).toEqual(['1', '3']);
    expect(torn).toEqual([expect.stringMatching(/^Record 2 left out: /)]);
  });

  it('takes time in proportion to its length: 4 MB with 4,000 torn records', () => {
    const words = 'x'.repeat(480);
    const pairs = Array.from({ length: 4000 }, (_, at) => `<p>${words} ${at}</p><p>${words} ${at}<b></p>`);
    const before = process.threadCpuUsage();
    const { root, torn } = read(`<a>${pairs.join('')}<p>last</p></a>`);
    const { user, system } = process.threadCpuUsage(before);

    expect(all(root, 'p')).toHaveLength(4001);
    expect(torn).toHaveLength(4000);
    expect((user + system) / 1000).toBeLessThan(4000);
  });

  it.each(['<a><p>1</p><p>2 <b></p><p>3 <b></p></a>', '<a><p>1</p><p>2', '<a><p>1</p></b>'])(
    'refuses as a whole what is broken for the most part, cut off or broken elsewhere: %s',
    (document) => {
      expect(() => read(document)).toThrow('not well-formed XML, or cut off');
    },
  );
});

describe('splitXml', () => {
  it('splits a document at the elements of one name, and reads what is around them', () => {
    const { root, parts } = splitXml(
      '<?xml version="1.0"?><s:a><b>one</b><s:p n="1">x<q/></s:p><p/> <!-- <p>no</p> --><p>2<![CDATA[</p>]]></p><pp/></s:a>',
      'p',
    );

    expect(parts).toEqual(['<s:p n="1">x<q/></s:p>', '<p/>', '<p>2<![CDATA[</p>]]></p>']);
    expect(root.name).toBe('a');
    expect(root.children.map(({ name }) => name)).toEqual(['b', 'pp']);
    expect(readXml(parts[2]!).text).toBe('2</p>');
  });

  it('finds no part in a document without any', () => {
    expect(splitXml('<a><b/></a>', 'p').parts).toEqual([]);
  });

  it.each([
    ['<a><p>1</p><p>2', 'cut off'],
    ['<a><p>1</p><!-- <p>2</p></a>', 'cut off'],
    ['<a><p>1</p></b>', 'not well-formed'],
    ['<!DOCTYPE a [<!ENTITY x "y">]><a><p>&x;</p></a>', 'entities of its own'],
    ['<html><p>Sign in</p></html>', 'HTML page'],
    ['', 'empty'],
  ])('refuses %j in words', (document, message) => {
    expect(() => splitXml(document, 'p')).toThrow(message);
  });
});

it('refuses a document with more parts than any publisher would send', () => {
  expect(() => splitXml(`<list>${'<item/>'.repeat(10_001)}</list>`, 'item')).toThrow(
    'The document lists 10001 records. More than 10000 are treated as a fault.',
  );
});

it('refuses to build one tree of a document that is read in parts', () => {
  expect(() => readXml(`<list>${' '.repeat(9 * 1024 * 1024)}</list>`)).toThrow(
    'The document is too large to be read as XML.',
  );
});

it('refuses to build a tree of more tags than any publisher would send', () => {
  expect(() => readXml(`<list>${'<a/>'.repeat(400_000)}</list>`)).toThrow(
    'The document has 400002 tags. More than 400000 are treated as a fault.',
  );
});
