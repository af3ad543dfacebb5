import { FILE_CHARS_MAX } from '#extract/limits.ts';
import { atOnce, inShares, noPause } from '#core/flow/turns.ts';
import type { Steps } from '#core/flow/turns.ts';
import { openArchive } from '#extract/archive.ts';
import type { Archive } from '#extract/archive.ts';
import { toExtracted, failUnreadable } from '#extract/extractor.ts';
import type { ExtractInput, Extracted, Extractor } from '#extract/extractor.ts';
import { Links } from '#extract/html/markdown/urls.ts';
import { appendLines } from '#extract/html-in-files.ts';
import { descendantsOf, childOf, childrenOf, textOf } from '#extract/xml/tree.ts';
import { coreTitle, readPart, relationsOf } from './package.ts';
import { escapeInline, escapeLineStart } from '#extract/escape.ts';
import { sheetTable } from '#extract/csv-extractor.ts';
import type { XmlElement } from '#extract/xml/tree.ts';

/** The cost of a byte of a slide's XML, as a step. */
const XML_BYTE_COST = 0.3;
const PRESENTATION = 'ppt/presentation.xml';

/** PowerPoint presentations: the text and the notes of each slide, after a line `<!-- slide n -->`. */
export const pptxExtractor: Extractor = { id: 'pptx', version: '1', extract: extractPptx };

async function extractPptx(input: ExtractInput): Promise<Extracted> {
  const archive = openArchive(input);
  const presentation = readPart(archive, PRESENTATION);
  if (presentation === undefined) return failUnreadable(input, 'the presentation is broken');
  const relations = relationsOf(archive, PRESENTATION);
  const names = descendantsOf(presentation.root, 'sldId').map(
    ({ attributes }) => relations.get(attributes['r:id'] ?? '')?.target ?? '',
  );
  const { markdown, cuts } = await inShares(slidesOf(archive, names, new Links(input.url)), input.pause ?? noPause);
  if (markdown.length === 0) return failUnreadable(input, 'the presentation shows no text');
  return toExtracted(
    pptxExtractor,
    { title: coreTitle(archive), markdown, cuts: [...cuts], strategy: 'slides' },
    input,
  );
}

type Slides = { markdown: string[]; cuts: Set<string> };

function* slidesOf(archive: Archive, names: readonly string[], links: Links): Steps<Slides> {
  const cuts = new Set<string>();
  const markdown: string[] = [];
  let chars = 0;
  for (const [index, name] of names.entries()) {
    if (chars > FILE_CHARS_MAX) {
      cuts.add(`The presentation has ${names.length} slides: those after ${index} were left out.`);
      break;
    }
    const blocks = slideOf(archive, name, links, cuts);
    for (const line of blocks) chars += line.length + 1;
    if (blocks.length > 0) appendLines(markdown, [`<!-- slide ${index + 1} -->`, '', ...blocks, '']);
    yield archive.size(name) * XML_BYTE_COST;
  }
  return { markdown, cuts };
}

function slideOf(archive: Archive, name: string, links: Links, cuts: Set<string>): string[] {
  const slide = readPart(archive, name);
  if (slide === undefined) return [];
  if (/^(?:0|false)$/.test(descendantsOf(slide.root, 'sld')[0]?.attributes['show'] ?? '')) {
    cuts.add('Hidden slides were left out.');
    return [];
  }
  if (slide.cut) cuts.add('A slide has too many parts: the rest were left out.');
  const relations = relationsOf(archive, name);
  const notes = [...relations.values()].find(({ type }) => type === 'notesSlide');
  const href = (id: string): string | null => {
    const relation = relations.get(id);
    return relation?.isExternal === true ? links.resolve(relation.target) : null;
  };
  return [
    ...slideBlocks(slide.root, href),
    ...notesOf(notes === undefined ? undefined : readPart(archive, notes.target)?.root),
  ];
}

type Href = (relation: string) => string | null;

const PLAIN = { inLink: false, inCell: false };
const IN_LINK = { inLink: true, inCell: false };
const TITLES = new Set(['title', 'ctrTitle']);
/** Placeholders that every slide repeats. */
const FURNITURE = new Set(['sldNum', 'dt', 'ftr', 'hdr']);
/** Placeholders whose paragraphs have bullets. */
const BULLETED = new Set(['', 'body', 'obj']);
const LEVEL_MAX = 8;

/** The shapes of a slide as Markdown, in order, with groups expanded and the title as a heading. */
function slideBlocks(root: XmlElement, href: Href): string[] {
  const titles: string[] = [];
  const blocks: string[] = [];
  for (const shape of descendantsOf(descendantsOf(root, 'spTree')[0], 'sp', 'tbl')) {
    if (shape.name === 'tbl') {
      appendLines(blocks, [...tableOf(shape), '']);
      continue;
    }
    const kind = placeholderOf(shape);
    if (FURNITURE.has(kind ?? '')) continue;
    const paragraphs = paragraphsOf(shape, href);
    if (paragraphs.length === 0) continue;
    if (TITLES.has(kind ?? '')) titles.push(`## ${paragraphs.map(({ text }) => text).join(' ')}`, '');
    else appendLines(blocks, [...written(paragraphs, BULLETED.has(kind ?? 'none')), '']);
  }
  return [...titles, ...blocks];
}

/** The speaker's notes, as a quote. */
function notesOf(root: XmlElement | undefined): string[] {
  const shapes = descendantsOf(root, 'sp').filter((shape) => placeholderOf(shape) === 'body');
  const lines = shapes
    .flatMap((shape) => paragraphsOf(shape, () => null))
    .map(({ text }) => `> ${escapeLineStart(text)}`);
  return lines.length === 0 ? [] : ['> Notes:', '>', ...lines.flatMap((line) => [line, '>']).slice(0, -1)];
}

/** The type of the placeholder; `''` for one without a type; `null` for a free text box. */
function placeholderOf(shape: XmlElement): string | null {
  const placeholder = descendantsOf(childOf(shape, 'nvSpPr'), 'ph')[0];
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
      descendantsOf(cell, 'p')
        .map((line) => descendantsOf(line, 't').map(textOf).join(''))
        .join('\n'),
    ),
  );
  return rows.length === 0 ? [] : atOnce(sheetTable(rows));
}
