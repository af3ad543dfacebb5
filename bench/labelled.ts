import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Truth } from './scoring.ts';

export const FOLDS = 5;

/** A page with labels by a person. */
export type LabelledPage = {
  id: string;
  truth: Truth;
  /** 0 to 4: the fifth of the sites to which its site belongs. */
  fold: number;
  html: () => string;
};

/** The folder's pages and those in its folder `more`, if there is one. */
export function labelledPages(folder: string): LabelledPage[] {
  const pages: LabelledPage[] = [];
  for (const part of ['', 'more']) {
    const file = join(folder, part, 'truth.json');
    if (!existsSync(file)) continue;
    const truths: Record<string, Truth> = JSON.parse(readFileSync(file, 'utf8'));
    for (const [id, truth] of Object.entries(truths)) {
      const html = () => pageIn(join(folder, part), id);
      pages.push({ id: part === '' ? id : `${part}/${id}`, truth, fold: foldOf(truth.url), html });
    }
  }
  return pages;
}

/** A page in a folder of compressed pages. */
export function pageIn(folder: string, id: string): string {
  return gunzipSync(readFileSync(join(folder, 'pages', `${id}.html.gz`))).toString('utf8');
}

/** All pages of a site are in one fold, so that nothing learned from a site is measured on the same site. */
function foldOf(url: string): number {
  const [, byte = 0] = createHash('sha256').update(siteOf(url)).digest();
  return byte % FOLDS;
}

/** Second-level names under which a country registers domains. */
const SECOND_LEVEL = /^(?:co|com|org|net|gov|ac|edu|or|ne|go|gob|gouv)$/;
const COUNTRY = /^[a-z]{2}$/;

/** The registered domain of a site. */
function siteOf(url: string): string {
  const labels = (URL.parse(url)?.hostname ?? url).replace(/^www\./, '').split('.');
  const isDeep = labels.length > 2 && COUNTRY.test(labels.at(-1) ?? '') && SECOND_LEVEL.test(labels.at(-2) ?? '');
  return labels.slice(isDeep ? -3 : -2).join('.');
}
