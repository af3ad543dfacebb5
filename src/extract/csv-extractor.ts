import { CSV_SAMPLE_CHARS_MAX, SHEET_COLUMNS_MAX, SHEET_ROWS_MAX } from './limits.ts';
import { asExtracted } from './as-extracted.ts';
import type { ExtractInput, Extracted, Extractor } from './extractor.ts';
import { parseDelimited } from './delimited.ts';
import { toPlain } from '#core/plain.ts';
import { atOnce, inShares, noPause } from '#core/turns.ts';
import { sheetTable } from './sheet-table.ts';

const DELIMITERS = [',', ';', '\t', '|'];
/** How many rows are read to tell the delimiter from a character in a text. */
const SAMPLE_ROWS = 25;

/** CSV (RFC 4180, with any usual delimiter) and TSV become one Markdown table. The first row is its header. */
export const csvExtractor: Extractor = { id: 'csv', version: '1', extract: extractCsv };

async function extractCsv(input: ExtractInput): Promise<Extracted> {
  const { pause = noPause } = input;
  const source = toPlain(input.text).replace(/^\n+/, '');
  const declared = /^sep=(.)\n/.exec(source)?.[1];
  const body = declared === undefined ? source : source.slice(6);
  const delimiter = declared ?? (input.kind === 'tsv' ? '\t' : delimiterOf(body));
  const { rows, more } = await inShares(parseDelimited(body, delimiter, SHEET_ROWS_MAX + 1), pause);
  const cuts = more ? [`The table has more than ${SHEET_ROWS_MAX} rows: the rest were left out.`] : [];
  if (rows.some((row) => row.length > SHEET_COLUMNS_MAX)) {
    cuts.push(`The table has more than ${SHEET_COLUMNS_MAX} columns: the rest were left out.`);
  }
  const isEmpty = rows.every((row) => row.every((cell) => cell.trim() === ''));
  const markdown = isEmpty ? [] : await inShares(sheetTable(rows), pause);
  return asExtracted(csvExtractor, { title: null, markdown, cuts, strategy: 'table' }, input);
}

/**
 * The delimiter that most often splits the first rows into the same number of cells. If several do, the one with more
 * cells wins.
 */
function delimiterOf(source: string): string {
  let best = { delimiter: ',', score: 0 };
  const sample = source.slice(0, CSV_SAMPLE_CHARS_MAX);
  for (const delimiter of DELIMITERS) {
    const { rows } = atOnce(parseDelimited(sample, delimiter, SAMPLE_ROWS));
    const width = rows[0]?.length ?? 1;
    const alike = rows.filter((row) => row.length === width).length / Math.max(1, rows.length);
    const score = width < 2 ? 0 : alike * alike * Math.log2(width + 1);
    if (score > best.score) best = { delimiter, score };
  }
  return best.delimiter;
}
