import { FILE_MARKDOWN_CHARS_MAX, SPAN_REPEAT_CHARS_MAX } from '#extract/limits.ts';
import { runToEnd, runWithPauses, noPause } from '#core/flow/turns.ts';
import type { WorkSteps } from '#core/flow/turns.ts';
import { openArchive } from '#extract/archive.ts';
import type { Archive } from '#extract/archive.ts';
import { toExtracted, failUnreadableFile } from '#extract/extractor.ts';
import type { ExtractInput, ExtractedText, Extractor } from '#extract/extractor.ts';
import { LinkResolver } from '#extract/html/markdown/urls.ts';
import { appendLines } from '#extract/html-in-files.ts';
import { descendantsOf, firstNamedChild, namedChildren, textOf } from '#extract/xml/tree.ts';
import { diagramTexts, readChart } from './drawing-texts.ts';
import type { Chart } from './drawing-texts.ts';
import {
  readFileTitle,
  findMainPartName,
  readPackagePart,
  readRelations,
  writeCommentsAndHeaders,
  SidePartReader,
} from './package.ts';
import { readParagraphs, writeSlideTable, writeParagraphs } from './slide-text.ts';
import type { CellRepeatBudget, SlideLinks } from './slide-text.ts';
import { escapeInline, escapeLineStart, LINK_CONTEXT, PLAIN_CONTEXT } from '#extract/escape.ts';
import { writeSheetTable } from '#extract/csv-extractor.ts';
import type { XmlElement } from '#extract/xml/tree.ts';

/** CPU cost of a byte of a slide's XML, in units of `WorkSteps`. */
const XML_BYTE_COST = 0.3;
const PRESENTATION = 'ppt/presentation.xml';

/** Extracts PowerPoint slides: text, charts, diagrams and notes of each after a line `<!-- slide n -->`. */
export const pptxExtractor: Extractor = { id: 'pptx', version: '4', extract: extractPptx };

async function extractPptx(input: ExtractInput): Promise<ExtractedText> {
  const archive = openArchive(input);
  const main = findMainPartName(archive, PRESENTATION);
  const presentation = readPackagePart(archive, main);
  if (presentation === undefined) return failUnreadableFile(input, 'the presentation is broken');
  const relations = readRelations(archive, main);
  const targets = descendantsOf(presentation.root, 'sldId').map(
    ({ attributes }) => relations.get(attributes['r:id'] ?? '')?.target ?? '',
  );
  // Repeats are dropped, because a valid presentation lists each slide once, and a hostile one could list it any number
  // of times.
  const names = [...new Set(targets)];
  const { markdown, cuts, comments } = await runWithPauses(
    slidesOf(archive, names, new LinkResolver(input.url)),
    input.pause ?? noPause,
  );
  if (markdown.length === 0) return failUnreadableFile(input, 'the presentation shows no text');
  const { rest, notes } = writeCommentsAndHeaders(comments, []);
  return toExtracted(
    pptxExtractor,
    {
      title: readFileTitle(archive),
      markdown,
      rest,
      cuts: [...cuts, ...notes],
      strategy: 'slides',
    },
    input,
  );
}

type Slides = { markdown: string[]; cuts: Set<string>; comments: string[] };

function* slidesOf(archive: Archive, names: readonly string[], links: LinkResolver): WorkSteps<Slides> {
  const slides: Slides = { markdown: [], cuts: new Set(), comments: [] };
  const { markdown, cuts, comments } = slides;
  const parts = new SidePartReader(archive);
  const repeats = { left: SPAN_REPEAT_CHARS_MAX };
  let chars = 0;
  for (const [index, name] of names.entries()) {
    if (chars > FILE_MARKDOWN_CHARS_MAX) {
      cuts.add(`The presentation has ${names.length} slides: those after ${index} were left out.`);
      break;
    }
    const relations = readRelations(archive, name);
    const before = parts.spent;
    const blocks = slideOf({ archive, parts, repeats, name, relations, links, cuts });
    for (const line of blocks) chars += line.length + 1;
    if (blocks.length > 0) appendLines(markdown, [`<!-- slide ${index + 1} -->`, '', ...blocks, '']);
    if (blocks.length > 0) appendLines(comments, commentsOf(parts, relations, index + 1));
    yield (archive.size(name) + parts.spent - before) * XML_BYTE_COST;
  }
  for (const note of parts.notes) cuts.add(note);
  return slides;
}

type SlidePart = {
  archive: Archive;
  parts: SidePartReader;
  repeats: CellRepeatBudget;
  name: string;
  relations: ReturnType<typeof readRelations>;
  links: LinkResolver;
  cuts: Set<string>;
};

function slideOf({ archive, parts, repeats, name, relations, links, cuts }: SlidePart): string[] {
  const slide = readPackagePart(archive, name);
  if (slide === undefined) return [];
  if (/^(?:0|false)$/.test(descendantsOf(slide.root, 'sld')[0]?.attributes['show'] ?? '')) {
    cuts.add('Hidden slides were left out.');
    return [];
  }
  if (slide.cut) cuts.add('A slide has too many parts: the rest were left out.');
  const notes = [...relations.values()].find(({ type }) => type === 'notesSlide');
  const blocks = slideBlocks(slide.root, {
    href: (id) => {
      const relation = relations.get(id);
      return relation?.isExternal === true ? links.resolve(relation.target) : null;
    },
    repeats,
    part: (id) => parts.read(relations.get(id)?.target ?? ''),
  });
  return [
    ...(blocks.length > 0 ? blocks : drawnOnly(slide.root)),
    ...notesOf(notes === undefined ? undefined : parts.read(notes.target)),
  ];
}

function drawnOnly(root: XmlElement): string[] {
  const [shown] = descendantsOf(descendantsOf(root, 'spTree')[0], 'pic', 'graphicFrame', 'cxnSp');
  if (shown === undefined) return [];
  const kind = shown.name === 'pic' ? 'a picture' : shown.name === 'graphicFrame' ? 'a diagram' : 'a drawing';
  return [`*(This slide shows ${kind} without text.)*`, ''];
}

const COMMENTS_MAX = 300;

function commentsOf(parts: SidePartReader, relations: SlidePart['relations'], slide: number): string[] {
  return [...relations.values()]
    .filter(({ type }) => type === 'comments')
    .flatMap(({ target }) => descendantsOf(parts.read(target), 'cm'))
    .slice(0, COMMENTS_MAX)
    .map((comment) => descendantsOf(comment, 'text', 't').map(textOf).join(' ').replace(/\s+/g, ' ').trim())
    .filter((text) => text !== '')
    .map((text) => `- Slide ${slide}: ${escapeInline(text, PLAIN_CONTEXT)}`);
}

const TITLES = new Set(['title', 'ctrTitle']);
/** Types of placeholders that say the same on every slide, apart from numbers and dates, such as the footer. */
const FURNITURE = new Set(['sldNum', 'dt', 'ftr', 'hdr']);
const BULLETED = new Set(['', 'body', 'obj']);

type SlideSource = SlideLinks & { repeats: CellRepeatBudget; part: (id: string) => XmlElement | undefined };

/** Writes the shapes of a slide in order, those of a group one by one. The title comes first, as a heading. */
function slideBlocks(root: XmlElement, source: SlideSource) {
  const titles: string[] = [];
  const blocks: string[] = [];
  for (const shape of shapesOf(descendantsOf(root, 'spTree')[0])) {
    const described = descriptionOf(shape);
    if (shape.name !== 'sp') {
      const drawn = shape.name === 'graphicFrame' ? frameBlocks(shape, source) : [];
      // The description of a table is left out, because the table itself is written.
      if (described !== '' && descendantsOf(shape, 'tbl').length === 0)
        appendLines(blocks, [`![${escapeInline(described, LINK_CONTEXT)}]()`, '']);
      appendLines(blocks, drawn);
      continue;
    }
    const kind = placeholderOf(shape);
    if (FURNITURE.has(kind ?? '')) continue;
    const paragraphs = readParagraphs(shape, source);
    if (paragraphs.length === 0) continue;
    if (TITLES.has(kind ?? '')) titles.push(`## ${paragraphs.map(({ text }) => text).join(' ')}`, '');
    else appendLines(blocks, [...writeParagraphs(paragraphs, BULLETED.has(kind ?? 'none')), '']);
  }
  return [...titles, ...blocks];
}

/** Lists the shapes of a slide. Of `AlternateContent`, only the first alternative with shapes is used. */
function shapesOf(tree: XmlElement | undefined): XmlElement[] {
  const shapes: XmlElement[] = [];
  for (const child of tree?.children ?? []) {
    if (typeof child === 'string' || isHidden(child)) continue;
    if (child.name === 'grpSp') appendShapes(shapes, shapesOf(child));
    else if (child.name === 'AlternateContent') {
      const forms = [...namedChildren(child, 'Choice'), ...namedChildren(child, 'Fallback')];
      appendShapes(shapes, forms.map(shapesOf).find((found) => found.length > 0) ?? []);
    } else if (/^(?:sp|pic|graphicFrame)$/.test(child.name)) shapes.push(child);
  }
  return shapes;
}

function appendShapes(target: XmlElement[], shapes: readonly XmlElement[]): void {
  for (const shape of shapes) target.push(shape);
}

function propertiesOf(shape: XmlElement): XmlElement | undefined {
  return firstNamedChild(firstNamedChild(shape, 'nvSpPr', 'nvPicPr', 'nvGraphicFramePr', 'nvGrpSpPr'), 'cNvPr');
}

function isHidden(shape: XmlElement): boolean {
  return /^(?:1|true)$/.test(propertiesOf(shape)?.attributes['hidden'] ?? '');
}

function descriptionOf(shape: XmlElement): string {
  const { descr, title } = propertiesOf(shape)?.attributes ?? {};
  return (descr?.trim() || title?.trim() || '').replace(/\s+/g, ' ');
}

function frameBlocks(frame: XmlElement, source: SlideSource): string[] {
  const [data] = descendantsOf(frame, 'graphicData');
  const [table] = descendantsOf(frame, 'tbl');
  if (table !== undefined) return [...writeSlideTable(table, source, source.repeats), ''];
  const chart = source.part(firstNamedChild(data, 'chart')?.attributes['r:id'] ?? '');
  if (chart !== undefined) return chartBlocks(readChart(chart));
  const diagram = source.part(firstNamedChild(data, 'relIds')?.attributes['r:dm'] ?? '');
  const texts = diagram === undefined ? [] : diagramTexts(diagram);
  return texts.length === 0 ? [] : [...texts.map((text) => `- ${escapeInline(text, PLAIN_CONTEXT)}`), ''];
}

function chartBlocks({ title, rows }: Chart): string[] {
  if (title === '' && rows.length === 0) return [];
  const head = title === '' ? 'Chart:' : `Chart: ${escapeInline(title, PLAIN_CONTEXT)}`;
  return [head, '', ...(rows.length === 0 ? [] : [...runToEnd(writeSheetTable(rows)), ''])];
}

function notesOf(root: XmlElement | undefined): string[] {
  const shapes = descendantsOf(root, 'sp').filter((shape) => placeholderOf(shape) === 'body');
  const lines = shapes
    .flatMap((shape) => readParagraphs(shape, { href: () => null }))
    .map(({ text }) => `> ${escapeLineStart(text)}`);
  return lines.length === 0 ? [] : ['> Notes:', '>', ...lines.flatMap((line) => [line, '>']).slice(0, -1)];
}

/** Returns the type of a placeholder, `''` if it declares none, or `null` for a free text box. */
function placeholderOf(shape: XmlElement): string | null {
  const placeholder = descendantsOf(firstNamedChild(shape, 'nvSpPr'), 'ph')[0];
  return placeholder === undefined ? null : (placeholder.attributes['type'] ?? '');
}
