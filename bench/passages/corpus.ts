import { createHash } from 'node:crypto';
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { extract } from '#extract/extract.ts';
import { decodeText } from '#net/types/charset.ts';
import type { Asked } from './questions.ts';

export type CorpusPage = {
  name: string;
  title: string | null;
  lines: string[];
  restStart: number | null;
  tokens: number;
};

const FILE_BYTES_MIN = 4_000;
const FILE_BYTES_MAX = 1_500_000;
const PAGE = '**/*.html*';

/** For each question's page: that page, then others of its package, chosen by a hash of their names. */
export async function readCorpus(
  corpus: string,
  questions: readonly Asked[],
  pages: number,
): Promise<Map<string, CorpusPage[]>> {
  const read = new Map<string, Promise<CorpusPage>>();
  const page = (file: string) => {
    const known = read.get(file) ?? readPage(file);
    read.set(file, known);
    return known;
  };
  const found = new Map<string, CorpusPage[]>();
  for (const asked of questions) {
    const { package: name, page: wanted, others: named } = asked;
    const key = keyOf(asked);
    if (named !== undefined) {
      found.set(key, await Promise.all([wanted, ...named].map((one) => page(join(corpus, one)))));
      continue;
    }
    const [own] = globSync(join(corpus, name, '**', wanted)).toSorted((a, b) => a.length - b.length);
    if (own === undefined || found.has(key)) continue;
    const others = globSync(join(corpus, name, PAGE))
      .filter((file) => file !== own && isUsual(file) && folderOf(file) === folderOf(own))
      .toSorted((a, b) => (hashOf(key + a) < hashOf(key + b) ? -1 : 1));
    const chosen = [own, ...others.slice(0, pages - 1)];
    const all: CorpusPage[] = [];
    for (const file of chosen) all.push(await page(file));
    found.set(key, all);
  }
  return found;
}

/** Pages that are named belong to one question. */
export function keyOf({ package: name, page, others = [] }: Pick<Asked, 'package' | 'page' | 'others'>): string {
  return [name, page, ...others].join(' ');
}

function folderOf(file: string): string {
  return file.slice(0, file.lastIndexOf('/'));
}

function isUsual(file: string): boolean {
  const facts = statSync(file);
  return facts.isFile() && facts.size >= FILE_BYTES_MIN && facts.size <= FILE_BYTES_MAX;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

async function readPage(file: string): Promise<CorpusPage> {
  const name = file.slice(file.lastIndexOf('/') + 1);
  const url = `https://docs.example/${name}`;
  const { text } = decodeText({ bytes: readFileSync(file), headerLabel: null, markup: 'html' });
  const { title, lines, restStart } = await extract({
    kind: 'html',
    text,
    bytes: new Uint8Array(),
    url,
    mode: 'readable',
  });
  return { name, title, lines, restStart: restStart ?? null, tokens: countTokens(lines.join('\n')) };
}
