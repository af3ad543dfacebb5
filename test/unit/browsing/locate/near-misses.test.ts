import { describe, expect, it } from 'vitest';
import { describeFailure } from '#core/failures/describe-failure.ts';
import { recordedPages } from '#support/recorded/recorded-pages.ts';

const PEOPLE = ['Park, David', 'Park, Dana', 'Stone, David', 'Moss, Ruth'].map(
  (name, at) => `<tr><td>${name}<td>Berth ${at + 1}<td><button>Open the record</button></tr>`,
);
const PAGE = `<h1>All the people</h1><label>Search the people <input type="search"></label>
  <table>${PEOPLE.join('')}</table><input name="contact-mail" aria-label="E-mail">
  ${Array.from({ length: 30 }, (_, at) => `<p>Note ${at} of the office</p>`).join('')}
  <p>${'Long before. '.repeat(30)}The harbour master is out.</p>`;

const pages = recordedPages('locate/near-misses', () => `<!doctype html><title>P</title>${PAGE}`);

async function missed(target: string) {
  const page = await pages.open('http://site.example/people');
  const failure = await page.failure(target);
  const { error, hint, extra } = describeFailure(failure);
  const lines = String(extra['near'] ?? '')
    .split('\n')
    .slice(1, -1)
    .map((line) => line.replaceAll(/@e\d+/gu, '@e'));
  return { error, hint, lines, extra };
}

describe('an element that does not exist', () => {
  it('is answered with the lines that have its words in any order, never with the page', async () => {
    const { error, lines, hint, extra } = await missed('text=David Park');
    expect(error).toBe('element_not_found');
    expect(lines).toEqual([
      '| Park, David | Berth 1 | [@e button "Open the record"]',
      '| Park, Dana | Berth 2 | [@e button "Open the record"]',
      '| Stone, David | Berth 3 | [@e button "Open the record"]',
    ]);
    expect(hint).toContain('browser_snapshot {"find":"david"}');
    expect(Object.keys(extra)).toEqual(['target', 'near']);
  });

  it('leaves out lines that only have very common words', async () => {
    expect((await missed('text=the harbour office master')).lines).toEqual([expect.stringContaining('harbour master')]);
  });

  it('shows the part of a long line around the word', async () => {
    const [line = ''] = (await missed('text=harbour mistress')).lines;
    expect(line).toMatch(/^… .*The harbour master is out\.$/u);
    expect(line.length).toBeLessThan(180);
  });

  it('looks for the words of the row, too', async () => {
    expect((await missed('button "Delete" in "Moss, Rudolf"')).lines).toEqual([
      '| Moss, Ruth | Berth 4 | [@e button "Open the record"]',
    ]);
  });

  it('lists no more than six lines', async () => {
    expect((await missed('text=a note of it')).lines).toHaveLength(6);
  });

  it('looks for the values of a CSS selector', async () => {
    const { lines } = await missed('input[type="text"][name="mail"]');
    expect(lines).toEqual(['@e textbox "E-mail"']);
  });

  it.each(['text=Zeppelin', '#zeppelin'])('is reported when the page has none of the words: %s', async (target) => {
    const { hint, extra } = await missed(target);
    expect(hint).toBe('The page shows none of these words. Call browser_snapshot and use a ref from it.');
    expect(Object.keys(extra)).toEqual(['target']);
  });
});
