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

  const NOT_TEXT: Readonly<Record<string, string>> = {
    'an ad':
      '<div class="ad"><table><tr><td>Phone plan S</td><td>€ 9</td></tr><tr><td>Plan M</td><td>€ 14</td></tr></table></div>',
    'related pages in a table':
      '<h3>You may also like</h3><table><tr><td><a href="/1">Fares rise</a></td><td>12 March 2026</td></tr><tr><td><a href="/2">Snow</a></td><td>11 March 2026</td></tr></table>',
    'other goods': `<h2>Customers also bought</h2><div>${['Mug', 'Cup', 'Can'].map((name) => `<div class="item"><h3>${name}</h3><span>€ 9.00</span></div>`).join('')}</div>`,
    'figures of the board':
      '<div><h4>Board statistics</h4><dl><dt>Threads</dt><dd>2,012</dd><dt>Newest</dt><dd>cy</dd></dl></div>',
    'cookie choices':
      '<div class="consent"><p>We use cookies to improve this site.</p><ul><li>Necessary</li><li>Statistics</li><li>Marketing</li></ul></div>',
    'the author':
      '<div class="about-the-writer"><h3>Jane Doe</h3><dl><dt>Born</dt><dd>1980</dd><dt>Lives in</dt><dd>Haven</dd></dl></div>',
    'the newsroom': '<div class="contact"><h3>Contact the newsroom</h3><address>Quay 4, Port Alder</address></div>',
  };

  for (const [name, part] of Object.entries(NOT_TEXT)) {
    it(`does not have ${name}`, async () => {
      const lines = await linesOf(`<main><article><h1>The harbour</h1>${PROSE.repeat(3)}${part}</article></main>`);
      const kept = textsIn(part.replace(/<h\d>[^<]*<\/h\d>|<p>We use cookies to improve this site.<\/p>/g, '')).filter(
        (text) => lines.join('\n').includes(text),
      );
      expect(kept).toEqual([]);
    });
  }

  it('does not complete the cards of other pages', async () => {
    const card = (title: string, text: string, date: string) =>
      `<article class="story"><h4><a href="/${date}">${title}</a></h4><p>${text}</p><span>${date} March</span></article>`;
    const cards = [
      card('Fares rise', 'Tickets will cost more from January, and the yearly pass is sold in autumn only.', '12'),
      card('Library opens on Sundays', 'Readers can come between ten and four, and the café is open, too.', '11'),
      card('Snow expected', 'Drivers should be careful on the coast road, which is not cleared at night.', '10'),
    ];
    const article = `<h1>The harbour</h1>${PROSE.repeat(3)}<div class="stories">${cards.join('')}</div>`;
    expect((await linesOf(`<main><article>${article}</article></main>`)).join('\n')).not.toContain(' March');
  });

  it('does not have lists, tables and questions outside of it', async () => {
    const article = `<main><article><h1>The harbour</h1>${PROSE}</article></main>`;
    const list = '<h3>In town</h3><ul><li>Nurse, clinic, full time</li><li>Cook, hotel, nights</li></ul>';
    const question = (text: string) => `<details><summary>${text}</summary><p>In your account.</p></details>`;
    const questions = `<div>${question('Where is my order?')}${question('How do I pay?')}</div>`;
    const alone = await linesOf(article);
    expect(await linesOf(`<div>${article}<div class="right">${list}</div></div>`)).toEqual(alone);
    expect(await linesOf(`${article}${questions}`)).toEqual(alone);
    const content = `<div id="content"><h1>The harbour</h1>${PROSE}</div>`;
    expect(await linesOf(`<div>${content}<div class="right">${list}</div></div>`)).toEqual(await linesOf(content));
    expect(await linesOf(article.replace('</main>', `<section>${list}</section></main>`))).toEqual(alone);
  });

  it('has the ratings of its review', async () => {
    const facts = '<h2>The review in figures</h2><dl><dt>View</dt><dd>4 of 5</dd><dt>Walks</dt><dd>3 of 5</dd></dl>';
    const lines = await linesOf(`<main><article><h1>The harbour</h1>${PROSE}${facts}</article></main>`);
    expect(lines.join('\n')).toContain('3 of 5');
  });

  it('has facts whose heading names the topic of the page', async () => {
    const facts = '<h2>Weather by month</h2><dl><dt>May</dt><dd>12 degrees</dd><dt>June</dt><dd>16 degrees</dd></dl>';
    const lines = await linesOf(`<main><article><h1>Weather at the harbour</h1>${PROSE}${facts}</article></main>`);
    expect(lines.join('\n')).toContain('16 degrees');
  });
});

async function linesOf(body: string): Promise<readonly string[]> {
  const html = `<!doctype html><html lang="en"><head><title>The harbour</title></head><body><nav><a href="/">Home</a><a href="/news">News</a></nav>${body}<footer>Haven Times</footer></body></html>`;
  return mainLines(await read('html', html, 'readable', 'https://heron.example/news/2026/05/harbour'));
}
