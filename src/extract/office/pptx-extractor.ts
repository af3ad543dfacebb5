import { FILE_CHARS_MAX } from '#extract/limits.ts';
import { inShares, noPause } from '#core/turns.ts';
import type { Steps } from '#core/turns.ts';
import { openArchive } from '#extract/archive.ts';
import type { Archive } from '#extract/archive.ts';
import { asExtracted, unreadable } from '#extract/as-extracted.ts';
import type { ExtractInput, Extracted, Extractor } from '#extract/extractor.ts';
import { Links } from '#extract/html/markdown/urls.ts';
import { append } from '#extract/read-html.ts';
import { allOf } from '#extract/xml/tree.ts';
import { coreTitle } from './core-title.ts';
import { partOf, relationsOf } from './package.ts';
import { notesOf, slideBlocks } from './slide.ts';

/** What a byte of a slide's XML costs, as a step. */
const XML_BYTE_COST = 0.3;
const PRESENTATION = 'ppt/presentation.xml';

/** PowerPoint presentations: the text and the notes of each slide, after a line `<!-- slide n -->`. */
export const pptxExtractor: Extractor = { id: 'pptx', version: '1', extract: extractPptx };

async function extractPptx(input: ExtractInput): Promise<Extracted> {
  const archive = openArchive(input);
  const presentation = partOf(archive, PRESENTATION);
  if (presentation === undefined) return unreadable(input, 'the presentation is broken');
  const relations = relationsOf(archive, PRESENTATION);
  const names = allOf(presentation.root, 'sldId').map(
    ({ attributes }) => relations.get(attributes['r:id'] ?? '')?.target ?? '',
  );
  const { markdown, cuts } = await inShares(slidesOf(archive, names, new Links(input.url)), input.pause ?? noPause);
  if (markdown.length === 0) return unreadable(input, 'the presentation shows no text');
  return asExtracted(
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
    if (blocks.length > 0) append(markdown, [`<!-- slide ${index + 1} -->`, '', ...blocks, '']);
    yield archive.size(name) * XML_BYTE_COST;
  }
  return { markdown, cuts };
}

function slideOf(archive: Archive, name: string, links: Links, cuts: Set<string>): string[] {
  const slide = partOf(archive, name);
  if (slide === undefined) return [];
  if (/^(?:0|false)$/.test(allOf(slide.root, 'sld')[0]?.attributes['show'] ?? '')) {
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
    ...notesOf(notes === undefined ? undefined : partOf(archive, notes.target)?.root),
  ];
}
