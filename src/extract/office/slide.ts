import { atOnce } from '#core/turns.ts';
import { escapeInline, escapeLineStart } from '#extract/escape.ts';
import { append } from '#extract/read-html.ts';
import { sheetTable } from '#extract/sheet-table.ts';
import { allOf, childOf, childrenOf, textOf } from '#extract/xml/tree.ts';
import type { XmlElement } from '#extract/xml/tree.ts';

type Href = (relation: string) => string | null;

const PLAIN = { inLink: false, inCell: false };
const IN_LINK = { inLink: true, inCell: false };
const TITLES = new Set(['title', 'ctrTitle']);
/** What every slide repeats. */
const FURNITURE = new Set(['sldNum', 'dt', 'ftr', 'hdr']);
/** Placeholders whose paragraphs have bullets. */
const BULLETED = new Set(['', 'body', 'obj']);
const LEVEL_MAX = 8;

/** The shapes of a slide as Markdown, in order, with groups expanded and the title as a heading. */
export function slideBlocks(root: XmlElement, href: Href): string[] {
  const titles: string[] = [];
  const blocks: string[] = [];
  for (const shape of allOf(allOf(root, 'spTree')[0], 'sp', 'tbl')) {
    if (shape.name === 'tbl') {
      append(blocks, [...tableOf(shape), '']);
      continue;
    }
    const kind = placeholderOf(shape);
    if (FURNITURE.has(kind ?? '')) continue;
    const paragraphs = paragraphsOf(shape, href);
    if (paragraphs.length === 0) continue;
    if (TITLES.has(kind ?? '')) titles.push(`## ${paragraphs.map(({ text }) => text).join(' ')}`, '');
    else append(blocks, [...written(paragraphs, BULLETED.has(kind ?? 'none')), '']);
  }
  return [...titles, ...blocks];
}

/** The speaker's notes, as a quote. */
export function notesOf(root: XmlElement | undefined): string[] {
  const shapes = allOf(root, 'sp').filter((shape) => placeholderOf(shape) === 'body');
  const lines = shapes
    .flatMap((shape) => paragraphsOf(shape, () => null))
    .map(({ text }) => `> ${escapeLineStart(text)}`);
  return lines.length === 0 ? [] : ['> Notes:', '>', ...lines.flatMap((line) => [line, '>']).slice(0, -1)];
}

/** The type of the placeholder; `''` for one without a type; `null` for a free text box. */
function placeholderOf(shape: XmlElement): string | null {
  const placeholder = allOf(childOf(shape, 'nvSpPr'), 'ph')[0];
  return placeholder === undefined ? null : (placeholder.attributes['type'] ?? '');
}

type Paragraph = { text: string; level: number; bullet: boolean | null };

function paragraphsOf(shape: XmlElement, href: Href): Paragraph[] {
  return childrenOf(childOf(shape, 'txBody'), 'p').flatMap((paragraph) => {
    const text = runsOf(paragraph, href);
    if (text === '') return [];
    const properties = childOf(paragraph, 'pPr');
    const isMarked = childOf(properties, 'buChar', 'buAutoNum') !== undefined;
    const isBare = childOf(properties, 'buNone') !== undefined;
    const level = Math.min(LEVEL_MAX, Math.max(0, Math.trunc(Number(properties?.attributes['lvl'] ?? 0)) || 0));
    return [{ text, level, bullet: isMarked ? true : isBare ? false : null }];
  });
}

function runsOf(paragraph: XmlElement, href: Href): string {
  return childrenOf(paragraph, 'r', 'br', 'fld')
    .map((run) => {
      const text = run.name === 'br' ? ' ' : textOf(childOf(run, 't'));
      const target = href(childOf(childOf(run, 'rPr'), 'hlinkClick')?.attributes['r:id'] ?? '');
      if (target === null || text.trim() === '') return escapeInline(text, PLAIN);
      return `[${escapeInline(text.trim(), IN_LINK)}](${target})`;
    })
    .join('')
    .replace(/\s+/g, ' ')
    .trim();
}

function written(paragraphs: readonly Paragraph[], isBulleted: boolean): string[] {
  const out: string[] = [];
  for (const { text, level, bullet } of paragraphs) {
    const isItem = bullet ?? isBulleted;
    if (!isItem && out.length > 0) out.push('');
    out.push(isItem ? `${'  '.repeat(level)}- ${text}` : escapeLineStart(text));
  }
  return out;
}

function tableOf(table: XmlElement): string[] {
  const rows = childrenOf(table, 'tr').map((row) =>
    childrenOf(row, 'tc').map((cell) =>
      allOf(cell, 'p')
        .map((line) => allOf(line, 't').map(textOf).join(''))
        .join('\n'),
    ),
  );
  return rows.length === 0 ? [] : atOnce(sheetTable(rows));
}
