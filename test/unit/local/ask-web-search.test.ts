import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { askWebSearch, keepChoice, wasAsked } from '#scripts/local/ask-web-search.ts';
import type { WebSearchChoice } from '#scripts/local/ask-web-search.ts';

/** A person who types these lines, then nothing more. */
function person(...answers: string[]) {
  const prompts: string[] = [];
  const ask = async (prompt: string) => {
    prompts.push(prompt);
    return answers.shift() ?? null;
  };
  return { ask, prompts };
}

function varsFile(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'periscope-vars-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, '.dev.vars');
  writeFileSync(file, text, { mode: 0o600 });
  return file;
}

describe('the question of which web search to use', () => {
  it('names the receiver of the queries and a key for each choice', async () => {
    const { ask, prompts } = person('');
    expect(await askWebSearch(ask, true)).toBeNull();
    expect(prompts).toEqual([
      expect.stringMatching(
        /receives every search query: Keenable \(keenable\.ai\), Brave \(brave\.com\), or the SearXNG instance\.\nSearch the web\? \[1\] Keenable, no key \[2\] Brave key \[3\] SearXNG address \[Enter\] not now: $/,
      ),
    ]);
  });

  it.each<[string[], WebSearchChoice]>([
    [['1'], { name: 'SEARCH_PROVIDERS', value: 'keenable' }],
    [['2', 'BSAabc-123_x'], { name: 'BRAVE_API_KEY', value: 'BSAabc-123_x' }],
    [['3', ' https://s.acme.dev/ '], { name: 'SEARXNG_URL', value: 'https://s.acme.dev/' }],
    [['yes', '1'], { name: 'SEARCH_PROVIDERS', value: 'keenable' }],
    [['3', 'not an address', 'https://s.acme.dev'], { name: 'SEARXNG_URL', value: 'https://s.acme.dev' }],
    [['2', 'a key\nB=1', 'too short', 'x'], null],
    [['2', ''], null],
    [['y', 'n', 'maybe', '1'], null],
    [[], null],
  ])('reads the answer %j as %j', async (answers, choice) => {
    expect(await askWebSearch(person(...answers).ask, true)).toEqual(choice);
  });

  it('offers no search without a key to a deployment', async () => {
    const { ask, prompts } = person('1', '3', 'https://s.acme.dev');
    expect(await askWebSearch(ask, false)).toEqual({ name: 'SEARXNG_URL', value: 'https://s.acme.dev' });
    expect(prompts[0]).toContain('Search the web? [2] Brave key [3] SearXNG address [Enter] not now: ');
    expect(prompts[0]).toContain('Keenable needs no key, but works with npm start only.');
  });
});

describe('the answer about web search', () => {
  it('is saved in .dev.vars, readable only by its owner, without changing other settings', () => {
    const file = varsFile('A=1');
    keepChoice(file, { name: 'SEARXNG_URL', value: 'https://s.acme.dev/?a=b' });
    expect(parseEnv(readFileSync(file, 'utf8'))).toEqual({ A: '1', SEARXNG_URL: 'https://s.acme.dev/?a=b' });
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('is remembered when it is "not now", without a setting and with the lines that would change it', () => {
    const file = varsFile('A=1\n');
    expect(wasAsked(readFileSync(file, 'utf8'))).toBe(false);
    keepChoice(file, null);
    const text = readFileSync(file, 'utf8');
    expect(wasAsked(text)).toBe(true);
    expect(parseEnv(text)).toEqual({ A: '1' });
    expect(text).toContain('SEARCH_PROVIDERS=keenable');
  });
});
