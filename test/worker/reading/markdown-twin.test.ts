import { describe, expect, it } from 'vitest';
import { markdownTwinUrl } from '#reading/open/markdown-twin.ts';
import { callTool, structured, rpc } from '../../support/mcp-call.ts';

const URL_ = 'https://a.dev/guide/';
const NONE = { llmsTxt: null, markdownPages: [] };
const LINK = '<link rel="alternate" type="text/markdown" href="/evil.md">';
const twin = (html: string, xml = false) => markdownTwinUrl(URL_, html, NONE, xml);

/** Places of a link that are not in the page's head. */
const WRONG_PLACES = {
  'the content of a meta element': `<head><meta name="description" content='${LINK}'>`,
  'the content of a meta element that holds a bracket': `<head><meta name="description" content='> ${LINK}'>`,
  'the JSON of a script': `<head><script type="application/ld+json">{"text":"${LINK.replaceAll('"', "'")}"}</script>`,
  'a script in a script’s comment': `<head><script><!-- <script></script>${LINK}--></script>`,
  'a comment': `<head><!-- ${LINK} -->`,
  'a comment that holds a bracket': `<head><!-- > ${LINK} -->`,
  'a comment that never ends': `<head><!-- ${LINK}`,
  'a style': `<head><style>/* ${LINK} */</style>`,
  'the title': `<head><title>${LINK}</title>`,
  'a title attribute': `<head><title>x</title></head><body><p title='${LINK}'>x</p>`,
  'an attribute of html': `<html data-x='${LINK}'><head></head>`,
  'a quote that is never closed': `<head><meta content="x> ${LINK.replaceAll('"', '')}`,
  'a tag that never ends': '<head><link rel="alternate" type="text/markdown" href="/evil.md"',
  noscript: `<head><noscript>${LINK}</noscript>`,
  noframes: `<head><noframes>${LINK}</noframes>`,
  'a template': `<head><template>${LINK}</template>`,
  'a template in a template': `<head><template><template></template>${LINK}</template>`,
  'a drawing in a template': `<head><template><svg><![CDATA[ > </template>${LINK} ]]></svg></template>`,
  'a textarea': `<textarea>${LINK}</textarea>`,
  'a drawing': `<head><svg>${LINK}</svg>`,
  'the body': `<head></head><body>${LINK}`,
  'a body without tags of its own': `<title>x</title><p>text</p>${LINK}`,
  'text in the head, which begins the body': `<head>text ${LINK}</head>`,
  'what follows the head': `<head></head>${LINK}<body>`,
  'what follows the page': `<html><head></head><body></body></html>${LINK}`,
  'an element of the body in the head': `<head><div></div>${LINK}</head>`,
  CDATA: `<head><![CDATA[${LINK}]]>`,
  'a processing instruction': `<head><?x ${LINK}`,
  'text that is escaped': `<head><title>x</title>&lt;link rel="alternate" type="text/markdown" href="/evil.md"&gt;`,
  'a name with other white space in it': `<head><link\u00a0rel="alternate" type="text/markdown" href="/evil.md">`,
  'an element of another name': `<head><linking rel="alternate" type="text/markdown" href="/evil.md">`,
};

const XHTML = (head: string, before = '') =>
  `<?xml version="1.0"?>${before}<html xmlns="http://www.w3.org/1999/xhtml"><head>${head}</head><body/></html>`;
const WRONG_PLACES_OF_XHTML = {
  'CDATA of a script': XHTML(`<script><![CDATA[ </script>${LINK} ]]></script>`),
  'an element of the head': XHTML(`<metadata>${LINK.replace('>', '/>')}</metadata>`),
  'a script': XHTML(`<script>${LINK.replace('>', '/>')}</script>`),
  'a comment that HTML would end': XHTML(`<!--> ${LINK} -->`),
  'a processing instruction': XHTML(`<?x > ${LINK} ?>`),
  'an entity': XHTML('', `<!DOCTYPE html [<!ENTITY x "><html><head>${LINK}</head></html>"> ]>`),
};

describe('a link to the Markdown version', () => {
  it.each(Object.entries(WRONG_PLACES))('is ignored in %s', (_, html) => {
    expect(twin(html)).toBeNull();
  });

  it.each(Object.entries(WRONG_PLACES_OF_XHTML))('is ignored in %s of XHTML', (_, html) => {
    expect(twin(html, true)).toBeNull();
  });

  it.each([
    ['the head', `<!doctype html><html><head><title>x</title>${LINK}</head>`],
    ['a head without tags of its own', `<title>x</title>${LINK}<p>text`],
    [
      'a head behind all that is none',
      `<head><meta content="<link>"><!-- x --><script>"<link>"</script><noscript><b></noscript><template><p></p></template>${LINK}`,
    ],
    [
      'capitals and other quotes',
      `<HEAD><LINK REL='nofollow ALTERNATE' TYPE='Text/Markdown; charset=utf-8' HREF=/evil.md>`,
    ],
    [
      'a head with a base of the same site',
      `<head><base href="/docs/"><link rel=alternate type=text/markdown href="../evil.md">`,
    ],
    ['a head with references in the address', `<head><link rel=alternate type=text/markdown href="/evil&#46;md">`],
  ])('is followed in %s', (_, html) => {
    expect(twin(html)).toBe('https://a.dev/evil.md');
  });

  it('is followed in the head of XHTML, whose scripts may be self-closed', () => {
    expect(twin(XHTML(`<script src="x"/>${LINK.replace('>', '/>')}`), true)).toBe('https://a.dev/evil.md');
  });

  it('is followed only within the same site, whatever its base', () => {
    for (const head of [
      '<link rel=alternate type=text/markdown href="https://evil.dev/x.md">',
      '<link rel=alternate type=text/markdown href="//evil.dev/x.md">',
      '<link rel=alternate type=text/markdown href="http://a.dev/x.md">',
      '<link rel=alternate type=text/markdown href="https://a.dev:8443/x.md">',
      '<link rel=alternate type=text/markdown href="javascript:x">',
      '<base href="https://evil.dev/"><link rel=alternate type=text/markdown href="x.md">',
      '<link rel=alternate type=text/markdown href="#part">',
      '<link rel=stylesheet type=text/markdown href="x.md">',
      '<link rel=alternate type=text/html href="x.md">',
    ]) {
      expect(twin(`<head>${head}</head>`)).toBeNull();
    }
  });
});

describe('a Markdown version at another URL', () => {
  const open = async (path: string) =>
    structured(await callTool('modern', 'web_open', { url: `https://twins.acme.dev${path}`, explain: true }));

  it.each(['/other', '/port', '/scheme', '/hops'])('is not used for the page at %s', async (path) => {
    const page = await open(path);
    expect(page['markdown']).toContain('This is the page itself');
    expect(JSON.stringify(page)).not.toMatch(/markdown_twin|Markdown version/);
  });

  it('is used when it only moved within its site, and its URL is shown', async () => {
    const page = await open('/moved');
    const address = 'https://twins.acme.dev/good.md';
    expect(page['markdown']).toContain('This is the Markdown version.');
    expect(page['markdown']).toContain(`\nmarkdown_source: ${address}\n`);
    expect(page['notes']).toEqual([`This is the text of the page's Markdown version: ${address}`]);
    expect(page['explain']).toMatchObject({ markdown_twin: address });
    expect(page['url']).toBe('https://twins.acme.dev/moved');
    const read = structured(await callTool('modern', 'open_url', { url: 'https://twins.acme.dev/moved' }));
    expect(read['render']).toContain(`Note: This is the text of the page's Markdown version: ${address}`);
    const meta = await rpc('modern', 'resources/read', { uri: `resource://meta/${String(page['snapshot'])}` });
    expect(JSON.stringify(meta)).toContain(address);
  });
});
