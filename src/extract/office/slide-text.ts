import { runToEnd } from '#core/flow/turns.ts';
import { markdownCell, writeSheetTable } from '#extract/csv-extractor.ts';
import { escapeInline, escapeLineStart, LINK_CONTEXT, PLAIN_CONTEXT } from '#extract/escape.ts';
import { firstNamedChild, namedChildren, descendantsOf, textOf } from '#extract/xml/tree.ts';
import type { XmlElement } from '#extract/xml/tree.ts';
import { equationToTex } from './equations.ts';
import { formatListNumber } from './number-words.ts';

/** Writes the paragraphs and tables of slides (DrawingML, ECMA-376 part 1 §21.1) as Markdown. */

export type SlideLinks = { href: (relation: string) => string | null };

export type CellRepeatBudget = { left: number };

/** A paragraph of a slide. `bullet`: its mark; `''` if it declares to have none, `null` if it declares nothing. */
type Paragraph = { text: string; level: number; bullet: string | null };

const LEVEL_MAX = 8;

export function readParagraphs(shape: XmlElement, source: SlideLinks): Paragraph[] {
  const counts: number[] = [];
  return namedChildren(firstNamedChild(shape, 'txBody'), 'p').flatMap((paragraph) => {
    const text = runsOf(paragraph, source);
    if (text === '') return [];
    const properties = firstNamedChild(paragraph, 'pPr');
    const level = Math.min(LEVEL_MAX, Math.max(0, Math.trunc(Number(properties?.attributes['lvl'] ?? 0)) || 0));
    const numbering = firstNamedChild(properties, 'buAutoNum');
    counts.length = Math.min(counts.length, numbering === undefined ? level : level + 1);
    if (numbering !== undefined) {
      const start = Math.trunc(Number(numbering.attributes['startAt'] ?? 1)) || 1;
      const count = (counts[level] ?? start - 1) + 1;
      counts[level] = count;
      return [{ text, level, bullet: numberMark(numbering.attributes['type'] ?? '', count) }];
    }
    if (firstNamedChild(properties, 'buNone') !== undefined) return [{ text, level, bullet: '' }];
    return [{ text, level, bullet: firstNamedChild(properties, 'buChar', 'buBlip') === undefined ? null : '-' }];
  });
}

const FORMATS: Readonly<Record<string, string>> = {
  alphaLc: 'lowerLetter',
  alphaUc: 'upperLetter',
  romanLc: 'lowerRoman',
  romanUc: 'upperRoman',
};

/**
 * Returns the mark of a numbered item: `3.` if Markdown has such numbers. Otherwise, a bullet with the number, as in `-
 * iii)`.
 */
function numberMark(type: string, count: number): string {
  const [, kind = '', end = ''] = /^([a-z]+(?:Lc|Uc)?)(Period|ParenR|ParenBoth|Plain)?/.exec(type) ?? [];
  const number = formatListNumber(FORMATS[kind] ?? 'decimal', count);
  const shown = end === 'ParenBoth' ? `(${number})` : end === 'ParenR' ? `${number})` : `${number}.`;
  return /^\d+[.)]$/.test(shown) ? shown : `- ${shown}`;
}

function runsOf(paragraph: XmlElement, source: SlideLinks): string {
  return paragraph.children
    .map((run) => (typeof run === 'string' ? '' : runOf(run, source)))
    .join('')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Writes one run of text. The recursion is limited, because the XML reader limits the depth. */
function runOf(run: XmlElement, source: SlideLinks): string {
  switch (run.name) {
    case 'br':
      return ' ';
    case 'm':
    case 'oMath':
    case 'oMathPara': {
      const tex = equationToTex(run);
      return tex === '' ? '' : `$${tex}$`;
    }
    case 'AlternateContent': {
      const forms = [...namedChildren(run, 'Choice'), ...namedChildren(run, 'Fallback')];
      return forms.map((form) => runsOf(form, source)).find((text) => text !== '') ?? '';
    }
    case 'r':
    case 'fld':
      return textRun(run, source);
    default:
      return '';
  }
}

function textRun(run: XmlElement, { href }: SlideLinks): string {
  const text = textOf(firstNamedChild(run, 't'));
  const properties = firstNamedChild(run, 'rPr');
  const target = href(firstNamedChild(properties, 'hlinkClick')?.attributes['r:id'] ?? '');
  if (text.trim() === '') return text;
  const tag = scriptOf(properties);
  const isStruck = /^(?:sng|dbl)Strike$/.test(properties?.attributes['strike'] ?? '');
  const plain = escapeInline(text.trim(), target === null ? PLAIN_CONTEXT : LINK_CONTEXT);
  const marked = tag === null ? (isStruck ? `~~${plain}~~` : null) : `<${tag}>${plain}</${tag}>`;
  if (target !== null) return `[${marked ?? plain}](${target})`;
  if (marked === null) return escapeInline(text, PLAIN_CONTEXT);
  // Markdown marks must touch the text, as in `~~text~~`, so white space is moved out of them.
  const [before = ''] = /^\s*/.exec(text) ?? [];
  const [after = ''] = /(?<!\s)\s*$/.exec(text) ?? [];
  return `${before}${marked}${after}`;
}

function scriptOf(properties: XmlElement | undefined): 'sup' | 'sub' | null {
  const baseline = Number.parseInt(properties?.attributes['baseline'] ?? '0', 10);
  return baseline > 0 ? 'sup' : baseline < 0 ? 'sub' : null;
}

export function writeParagraphs(paragraphs: readonly Paragraph[], isBulleted: boolean): string[] {
  const out: string[] = [];
  for (const { text, level, bullet } of paragraphs) {
    const mark = bullet ?? (isBulleted ? '-' : '');
    if (mark === '' && out.length > 0) out.push('');
    out.push(mark === '' ? escapeLineStart(text) : `${'  '.repeat(level)}${mark} ${text}`);
  }
  return out;
}

/** Writes a table of a slide. A merged cell is repeated in each of its cells, up to the limit `repeats`. */
export function writeSlideTable(table: XmlElement, source: SlideLinks, repeats: CellRepeatBudget): string[] {
  const rows: string[][] = [];
  for (const row of namedChildren(table, 'tr')) {
    const cells: string[] = [];
    for (const cell of namedChildren(row, 'tc')) {
      const isOn = (name: string) => /^(?:1|true)$/.test(cell.attributes[name] ?? '');
      const above = isOn('vMerge') ? rows.at(-1)?.[cells.length] : undefined;
      const merged = isOn('hMerge') ? cells.at(-1) : above;
      repeats.left -= merged?.length ?? 0;
      if (merged === undefined) cells.push(cellText(cell, source));
      else cells.push(repeats.left < 0 ? '' : merged);
    }
    rows.push(cells);
  }
  return rows.length === 0 ? [] : runToEnd(writeSheetTable(rows, (text) => text));
}

function cellText(cell: XmlElement, source: SlideLinks): string {
  const lines = descendantsOf(cell, 'p').map((line) => runsOf(line, source).replaceAll('|', '\\|'));
  return lines.every((line) => line === '') ? markdownCell('') : lines.join('<br>');
}
