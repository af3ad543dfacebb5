/**
 * Measures extraction on pages of other sites, years and languages than those it was trained on.
 *
 * Usage: node bench/shift.ts [FOLDER]
 *
 * FOLDER has truth.json (texts that belong to the main part, and texts that do not) and pages/ID.html.gz (default:
 * ../shared/bench/shift next to the project). The result shows how well a choice made elsewhere works; nothing is tuned
 * to these pages.
 */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { mainLines } from '#core/document/document.ts';
import { PeriscopeError } from '#core/failures/failure.ts';
import { extract } from '#extract/extract.ts';
import { pageIn } from './labelled.ts';
import { plainText } from './plain-text.ts';
import { resampled, formatShare } from './interval.ts';
import { record } from './record.ts';
import { rivals } from './rivals/rivals.ts';
import type { Rival } from './rivals/rivals.ts';

type Truth = { url: string; with: string[]; without: string[] };
/** Segments of one page: correctly found, wrongly found, and missed. */
type Counts = { right: number; wrong: number; missed: number };

const folder = resolve(process.argv[2] ?? join(import.meta.dirname, '../../shared/bench/shift'));
const truths: Record<string, Truth> = JSON.parse(readFileSync(join(folder, 'truth.json'), 'utf8'));
const own = await measure('ours', true, read);
const others: Record<string, string> = {};
for (const rival of await rivals((name) => name !== 'node-html-markdown')) {
  others[rival.name] = formatShare(f1Of(await measure(rival.name, rival.isMarkdown, readWith(rival))));
}
record({
  row: 'shift',
  n: own.length,
  value: formatShare(f1Of(own)),
  interval: resampled(own, f1Of),
  others,
});

async function measure(
  name: string,
  isMarkdown: boolean,
  reading: (html: string, url: string) => Promise<string>,
): Promise<Counts[]> {
  const counts: Counts[] = [];
  for (const [id, truth] of Object.entries(truths)) {
    const text = await reading(pageIn(folder, id), truth.url);
    counts.push(countsOf(flat(isMarkdown ? plainText(text) : text), truth));
  }
  const { precision, recall } = ratesOf(counts);
  console.log(
    `${name}: precision ${precision.toFixed(3)} recall ${recall.toFixed(3)} F1 ${f1Of(counts).toFixed(4)} (${counts.length} pages)`,
  );
  return counts;
}

function countsOf(text: string, truth: Truth): Counts {
  const right = truth.with.filter((part) => text.includes(flat(part))).length;
  const wrong = truth.without.filter((part) => text.includes(flat(part))).length;
  return { right, wrong, missed: truth.with.length - right };
}

function ratesOf(counts: readonly Counts[]): { precision: number; recall: number } {
  const sum = (key: keyof Counts) => counts.reduce((total, one) => total + one[key], 0);
  return {
    precision: sum('right') / (sum('right') + sum('wrong')),
    recall: sum('right') / (sum('right') + sum('missed')),
  };
}

function f1Of(counts: readonly Counts[]): number {
  const { precision, recall } = ratesOf(counts);
  return (2 * precision * recall) / (precision + recall);
}

/** A rival that fails on a page counts as having read nothing. */
function readWith(rival: Rival) {
  return async (html: string, url: string) => {
    try {
      return await rival.extract(html, url);
    } catch (error) {
      console.error(rival.name, url, String(error).slice(0, 200));
      return '';
    }
  };
}

async function read(html: string, url: string): Promise<string> {
  try {
    const input = { kind: 'html', text: html, bytes: new Uint8Array(), url, mode: 'readable' } as const;
    return mainLines(await extract(input)).join('\n');
  } catch (error) {
    if (error instanceof PeriscopeError) return '';
    throw error;
  }
}

function flat(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
