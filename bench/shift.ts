/**
 * Measures how extraction travels: on pages of other sites, years and languages than those it was trained on.
 * Usage: node bench/shift.ts [FOLDER]. FOLDER holds truth.json (texts that belong to the main part, and texts that do not)
 * and pages/ID.html.gz (default: ../shared/bench/shift beside the project). It tells how well a choice made elsewhere
 * holds; nothing is chosen page by page to fit it.
 */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { mainLines } from '#core/document/document.ts';
import { PeriscopeError } from '#core/failures/failure.ts';
import { extract } from '#extract/extract.ts';
import { pageIn } from './labelled.ts';
import { plainText } from './plain-text.ts';
import { record } from './record.ts';

type Truth = { url: string; with: string[]; without: string[] };

const folder = resolve(process.argv[2] ?? join(import.meta.dirname, '../../shared/bench/shift'));
const truths: Record<string, Truth> = JSON.parse(readFileSync(join(folder, 'truth.json'), 'utf8'));
let right = 0;
let wrong = 0;
let missed = 0;
for (const [id, truth] of Object.entries(truths)) {
  const text = flat(plainText(await read(pageIn(folder, id), truth.url)));
  const found = truth.with.filter((part) => text.includes(flat(part))).length;
  right += found;
  missed += truth.with.length - found;
  wrong += truth.without.filter((part) => text.includes(flat(part))).length;
}
const precision = right / (right + wrong);
const recall = right / (right + missed);
const f1 = (2 * precision * recall) / (precision + recall);
console.log(
  `precision ${precision.toFixed(3)} recall ${recall.toFixed(3)} F1 ${f1.toFixed(4)} (${Object.keys(truths).length} pages)`,
);
record('shift', [
  {
    what: `F1 of ${Object.keys(truths).length} pages of sites that nothing was trained or tuned on`,
    ours: f1.toFixed(3),
  },
  { what: 'precision', ours: precision.toFixed(3) },
  { what: 'recall', ours: recall.toFixed(3) },
]);

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
