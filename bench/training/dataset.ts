import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parseDocument } from '#extract/html/dom.ts';
import { namesOf } from '#extract/html/page-facts.ts';
import { preparePage } from '#extract/html/prepare.ts';
import { featuresOf } from '#extract/html/main/features.ts';
import { PAGE_KINDS, kindRowOf, normalised, withKinds } from '#extract/html/main/kind.ts';
import type { KindChances } from '#extract/html/main/kind.ts';
import { segmentsOf } from '#extract/html/main/segments.ts';
import { traitsOf } from '#extract/html/main/traits.ts';
import { toPlain } from '#core/plain.ts';
import type { Frame, Segment } from '#extract/html/main/segments.ts';
import type { Truth } from '../scoring.ts';
import { bin, chanceOf, train } from './gbdt.ts';
import type { Forest, TrainOptions } from './gbdt.ts';
import { labelsOf, words } from './labels.ts';

export type PageRows = {
  id: string;
  type: string;
  half: 'a' | 'b';
  /** 0 to 4: which part of five the page belongs to. */
  fold: number;
  start: number;
  texts: string[];
  sizes: number[];
  /** Frames without their elements, as `contextOf` needs them. */
  segments: Segment[];
  truth: string;
  kindRow: Float32Array;
};

export type Dataset = {
  pages: PageRows[];
  matrix: Float32Array;
  width: number;
  labels: Float32Array;
  weights: Float32Array;
};

export function loadDataset(folder: string): Dataset {
  const truths: Record<string, Truth> = JSON.parse(readFileSync(join(folder, 'truth.json'), 'utf8'));
  const pages: PageRows[] = [];
  const rows: Float32Array[] = [];
  const labels: number[] = [];
  const weights: number[] = [];
  for (const [id, truth] of Object.entries(truths)) {
    const html = gunzipSync(readFileSync(join(folder, 'pages', `${id}.html.gz`))).toString('utf8');
    const prepared = preparePage(toPlain(html), false);
    const document = parseDocument(prepared.html);
    const { segments } = segmentsOf(document.body);
    const traits = traitsOf(document, prepared.jsonLd, truth.url, namesOf(document));
    const features = featuresOf(segments, traits);
    const found = labelsOf(segments, truth.main_content);
    const truthWords = words(truth.main_content).length;
    const hash = createHash('sha256').update(id).digest();
    const sizes = segments.map((segment) => Math.max(1, words(segment.text).length));
    pages.push({
      id,
      type: truth.type,
      half: (hash[0] ?? 0) % 2 === 0 ? 'a' : 'b',
      fold: (hash[1] ?? 0) % 5,
      start: rows.length,
      texts: segments.map((segment) => segment.text),
      sizes,
      segments: slim(segments),
      truth: truth.main_content,
      kindRow: kindRowOf(segments, features, truth.url),
    });
    for (const [index, row] of features.entries()) {
      rows.push(row);
      labels.push(found[index] ?? 0);
      weights.push(Math.min(0.5, (sizes[index] ?? 1) / (truthWords + 50)));
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

/** The segments without the DOM behind them, so that a dataset can be held and stored. */
function slim(segments: readonly Segment[]): Segment[] {
  const frames = new Map<Frame, Frame>();
  const slimFrame = (frame: Frame): Frame => {
    const known = frames.get(frame);
    if (known !== undefined) return known;
    const element = { localName: frame.element.localName } as Frame['element'];
    const made: Frame = {
      ...frame,
      element,
      parent: frame.parent === null ? null : slimFrame(frame.parent),
      near: new Uint8Array(0),
      link: null,
      block: null,
      place: null,
    };
    frames.set(frame, made);
    return made;
  };
  return segments.map((segment) => ({ ...segment, nodes: [], frame: slimFrame(segment.frame) }));
}

const KIND_OPTIONS: TrainOptions = {
  trees: 80,
  depth: 3,
  rate: 0.1,
  lambda: 3,
  minHessian: 1,
  columns: 0.3,
  rows: 0.8,
  seed: 5,
};
const FOLDS = 5;

/** One forest for each kind, trained on the pages that `use` lets through. */
export function trainKinds(pages: readonly PageRows[], use: (page: PageRows) => boolean): Forest[] {
  const width = pages[0]?.kindRow.length ?? 0;
  const matrix = new Float32Array(pages.length * width);
  for (const [index, page] of pages.entries()) matrix.set(page.kindRow, index * width);
  const binned = bin(matrix, width);
  const rows = Int32Array.from(pages.flatMap((page, index) => (use(page) ? [index] : [])));
  const weights = new Float32Array(pages.length).fill(1);
  return PAGE_KINDS.map((kind) => {
    const labels = Float32Array.from(pages, (page) => (page.type === kind ? 1 : 0));
    return train(binned, labels, weights, rows, KIND_OPTIONS);
  });
}

/** Each page's kind as forests see it that were trained without the page: what is seen on pages never met before. */
export function honestKinds(pages: readonly PageRows[], use: (page: PageRows) => boolean): KindChances[] {
  const kinds: KindChances[] = pages.map(() => []);
  for (let fold = 0; fold < FOLDS; fold += 1) {
    const forests = trainKinds(pages, (page) => use(page) && page.fold !== fold);
    for (const [index, page] of pages.entries()) {
      if (page.fold === fold) kinds[index] = normalised(forests.map((forest) => chanceOf(forest, page.kindRow)));
    }
  }
  return kinds;
}

/** The segments' rows with their page's kind behind each. */
export function withPageKinds(data: Dataset, kinds: readonly KindChances[]): { matrix: Float32Array; width: number } {
  const width = data.width + PAGE_KINDS.length;
  const matrix = new Float32Array(data.labels.length * width);
  for (const [index, page] of data.pages.entries()) {
    for (let at = 0; at < page.texts.length; at += 1) {
      const row = page.start + at;
      const own = data.matrix.subarray(row * data.width, (row + 1) * data.width);
      withKinds(own, kinds[index] ?? [], matrix.subarray(row * width, (row + 1) * width));
    }
  }
  return { matrix, width };
}
