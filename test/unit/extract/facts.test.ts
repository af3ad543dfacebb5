import { describe, expect, it } from 'vitest';
import { mainLines } from '#core/document/document.ts';
import { BODIES } from './short-pages/bodies.ts';
import { CHROMES } from './short-pages/chrome.ts';
import { read } from './support.ts';

/** Texts that no rule keeps yet: a short first paragraph under the title, and a button. */
const NOT_KEPT = [
  'Add to basket',
  'Start free, pay when you grow.',
  'Short answers to what people ask us most.',
  'Serves 4, ready in 40 minutes.',
];
const PROSE = [
  'The harbour of Port Alder has grown in step with the town. Where three piers stood a hundred years ago there are now eleven, and the old customs house has become a museum that tells their story.',
  'Visitors come for the boats and stay for the light. In the evening the cranes throw long shadows over the water, and the ferry draws its white line from one shore to the other, as it has done since 1921.',
]
  .map((text) => `<p>${text}</p>`)
  .join('');

/** The parts that a page about a harbour may end with. */
const ENDS: Readonly<Record<string, (part: string) => string>> = {
  'under a heading': (part) => `<h2>At a glance</h2>${part}`,
  'in a block of its own': (part) =>
    `<div class="block block--data"><h2 class="block__title">At a glance</h2><div class="block__body">${part}</div></div>`,
  'in a tab': (part) =>
    `<div class="tabs"><div role="tablist"><button role="tab">At a glance</button></div><div role="tabpanel">${part}</div></div>`,
  'in a figure': (part) => `<figure class="wp-block-table">${part}</figure>`,
};

const PARTS = [
  'opening hours as terms after an address',
  'questions in details',
  'questions as terms',
  'settings as terms',
  'schedule of a day',
  'sizes of shirts',
  'price list in divs',
  'key figures in divs',
  'prices of three plans as cards',
  'prices of three plans in a table',
  'changes as terms',
  'status of services',
];

async function missingTexts(body: string, chrome: string, url: string): Promise<string[]> {
  const around = CHROMES[chrome];
  if (around === undefined) throw new Error(chrome);
  const html = around(body, /<h\d>(.*?)<\/h\d>/.exec(body)?.[1] ?? 'Codes');
  const lines = plain(mainLines(await read('html', html, 'readable', url)).join(' '));
  return textsIn(body).filter((text) => !lines.includes(plain(text)) && !NOT_KEPT.includes(text));
}

function textsIn(html: string): string[] {
  const texts = html.replace(/<\/?(?:code|kbd|sup)>/g, '').split(/<[^>]*>/);
  return texts.map((text) => text.replace(/\s+/g, ' ').trim()).filter((text) => text !== '');
}

function plain(markdown: string): string {
  return markdown.replace(/<\/?sup>|[\\*`_|#]/g, '').replace(/\s+/g, ' ');
}

describe('the main part of a short page', () => {
  for (const name of Object.keys(CHROMES)) {
    it(`has its tables, terms, questions and rows of facts (${name})`, async () => {
      const missing: Record<string, string[]> = {};
      for (const [title, body] of Object.entries(BODIES)) {
        const texts = await missingTexts(body, name, 'https://heron.example/page');
        if (texts.length > 0) missing[title] = texts;
      }
      expect(missing).toEqual({});
    });
  }
});

describe('the main part of an article', () => {
  for (const [name, end] of Object.entries(ENDS)) {
    it(`has the facts at its end (${name})`, async () => {
      const missing: Record<string, string[]> = {};
      for (const chrome of ['landmarks', 'blog', 'shop', 'bare divs']) {
        for (const part of PARTS) {
          const facts = (BODIES[part] ?? '').replace(/<h1>.*?<\/h1>/s, '').replace(/^\s*<p>.*?<\/p>/s, '');
          const body = `<h1>The harbour</h1>${PROSE}${end(facts)}`;
          const texts = await missingTexts(body, chrome, 'https://heron.example/news/2026/05/harbour');
          if (texts.length > 0) missing[`${part} (${chrome})`] = texts;
        }
      }
      expect(missing).toEqual({});
    });
  }

  it('does not have rows of links, related pages or the details of users', async () => {
    const rows = (name: string, text: (at: number) => string) =>
      `<div class="${name}">${[1, 2, 3, 4].map((at) => `<div class="row"><span>${text(at)}</span></div>`).join('')}</div>`;
    const outside = [
      rows('link-rows', (at) => `<a href="/${at}">Older note ${at}</a>`),
      rows('related-rows', (at) => `Another page ${at}`),
      rows('user-details', (at) => `Joined ${2010 + at}`),
    ];
    for (const part of outside) {
      const html = (CHROMES['blog'] ?? String)(`<h1>The harbour</h1>${PROSE}${part}`, 'The harbour');
      const lines = mainLines(await read('html', html, 'readable', 'https://heron.example/news/2026/05/harbour'));
      expect(lines.join('\n')).not.toMatch(/Older note|Another page|Joined/);
    }
  });
});
