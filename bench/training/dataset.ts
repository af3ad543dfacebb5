import { runToEnd } from '#core/flow/turns.ts';
import { metadataOf } from '#extract/html/page-metadata.ts';
import { parsePage } from '#extract/html/parse-page.ts';
import { computeFeatures } from '#extract/html/main/model/features.ts';
import { buildKindRow } from '#extract/html/main/model/kind.ts';
import { divideIntoSegments } from '#extract/html/main/segments.ts';
import { readPageTraits } from '#extract/html/main/model/traits.ts';
import { sanitizeText } from '#core/text/plain.ts';
import { labelledPages } from '../labelled.ts';
import type { LabelledPage } from '../labelled.ts';
import { labelsOf, words } from './labels.ts';

/** Training rows of a labelled page. */
export type PageRows = {
  page: LabelledPage;
  /** Index of its first row, and the number of rows: one for each segment. */
  start: number;
  count: number;
  kindRow: Float32Array;
};

export type Dataset = {
  pages: PageRows[];
  /** Row after row. */
  matrix: Float32Array;
  width: number;
  labels: Float32Array;
  weights: Float32Array;
};

/** Assumed words of a page besides its content, for the weight of a segment. */
const WORDS_AROUND = 50;
const WEIGHT_MAX = 0.5;

export function loadDataset(folder: string): Dataset {
  const pages: PageRows[] = [];
  const rows: Float32Array[] = [];
  const labels: number[] = [];
  const weights: number[] = [];
  for (const page of labelledPages(folder)) {
    const { truth } = page;
    const prepared = parsePage(sanitizeText(page.html()), false);
    const document = prepared.document;
    const { segments } = divideIntoSegments(document.body);
    const features = runToEnd(
      computeFeatures(segments, readPageTraits(document, prepared.jsonLd, truth.url, metadataOf(document))),
    );
    const found = labelsOf(segments, truth.main_content);
    const truthWords = words(truth.main_content).length;
    const kindRow = buildKindRow(segments, features, truth.url);
    pages.push({ page, start: rows.length, count: segments.length, kindRow });
    for (const [index, row] of features.entries()) {
      rows.push(row);
      labels.push(found[index] ?? 0);
      weights.push(Math.min(WEIGHT_MAX, (segments[index]?.words ?? 1) / (truthWords + WORDS_AROUND)));
    }
  }
  const width = rows[0]?.length ?? 0;
  const matrix = new Float32Array(rows.length * width);
  for (const [index, row] of rows.entries()) matrix.set(row, index * width);
  const mean = weights.reduce((a, b) => a + b, 0) / weights.length;
  return {
    pages,
    matrix,
    width,
    labels: Float32Array.from(labels),
    weights: Float32Array.from(weights.map((weight) => weight / mean)),
  };
}
