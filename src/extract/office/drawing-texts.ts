import { firstNamedChild, namedChildren, descendantsOf, textOf } from '#extract/xml/tree.ts';
import type { XmlElement } from '#extract/xml/tree.ts';

/** Reads the texts of charts and diagrams. Office files store them separately from the text around them. */

const POINTS_MAX = 200;
const SERIES_MAX = 30;
const DIAGRAM_TEXTS_MAX = 300;

export type Chart = { title: string; rows: string[][] };

/**
 * Reads a chart (ECMA-376 part 1 §21.2): its title, and a table of its cached values with a row per category.
 * @param root the part of the file with the chart, parsed with local names
 */
export function readChart(root: XmlElement): Chart {
  const chart = descendantsOf(root, 'chart')[0];
  const title = wordsIn(firstNamedChild(chart, 'title'));
  const series = descendantsOf(firstNamedChild(chart, 'plotArea'), 'ser').slice(0, SERIES_MAX);
  const categories = pointsOf(firstNamedChild(series[0], 'cat', 'xVal'));
  const values = series.map((one) => pointsOf(firstNamedChild(one, 'val', 'yVal')));
  const count = Math.min(POINTS_MAX, Math.max(0, ...values.map(({ length }) => length), categories.length));
  if (series.length === 0 || count === 0) return { title, rows: [] };
  const heads = series.map((one) => wordsIn(firstNamedChild(one, 'tx')));
  const rows = Array.from({ length: count }, (_, index) => [
    categories[index] ?? '',
    ...values.map((points) => points[index] ?? ''),
  ]);
  return { title, rows: [['', ...heads], ...rows] };
}

function pointsOf(source: XmlElement | undefined): string[] {
  const points: string[] = [];
  for (const point of descendantsOf(source, 'pt')) {
    const index = Number(point.attributes['idx']);
    if (index >= 0 && index < POINTS_MAX) points[index] = shortened(textOf(firstNamedChild(point, 'v')).trim());
  }
  return Array.from(points, (point) => point ?? '');
}

/** Rounds a number to 15 digits, because programs store 4.3 as 4.2999999999999998. */
function shortened(value: string): string {
  if (!/^-?\d*\.\d{14,}$/.test(value)) return value;
  return String(Number(Number(value).toPrecision(15)));
}

function wordsIn(element: XmlElement | undefined): string {
  return descendantsOf(element, 't', 'v').map(textOf).join('').replace(/\s+/g, ' ').trim();
}

/** Reads the texts of a diagram (SmartArt, ECMA-376 part 1 §21.4), one per paragraph. */
export function diagramTexts(root: XmlElement): string[] {
  return descendantsOf(root, 'pt')
    .flatMap((point) => namedChildren(firstNamedChild(point, 't'), 'p'))
    .map((paragraph) => descendantsOf(paragraph, 't').map(textOf).join('').replace(/\s+/g, ' ').trim())
    .filter((text) => text !== '')
    .slice(0, DIAGRAM_TEXTS_MAX);
}
