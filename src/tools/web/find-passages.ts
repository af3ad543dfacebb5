import { countWithUnit, createFence, oneLine, utf8Bytes } from '#core/text/text.ts';
import * as z from 'zod';
import { formatCitation, cursorPath, lineRange } from '#core/document/citation.ts';
import { PAGE_RESULT_BYTES_MAX, TITLE_CHARS_MAX } from '#core/limits.ts';
import { sanitizeText } from '#core/text/plain.ts';
import { truncateText, toShownLines, shownLineText } from '#core/text/shown-lines.ts';
import type { ResultLine } from '#core/text/shown-lines.ts';
import { findBestPassages as findInPages } from '#reading/passages/find-passages.ts';
import type { FoundPassage, PageSearchReport } from '#reading/passages/find-passages.ts';
import { dropWeakerPassages } from '#reading/passages/rank-documents.ts';
import { describeFailure } from '#core/failures/describe-failure.ts';
import { findStoredPassages } from '#search/stored-passages.ts';
import { mintCursorForStored } from '#reading/open/open-whole.ts';
import { findLibraries } from '#library/named.ts';
import type { FollowedLibrary } from '#library/named.ts';
import { defineTool } from '#tools/define-tool.ts';
import type { ToolServices } from '#tools/define-tool.ts';
import { otherPhrasingsInput } from './shapes.ts';

const PASSAGE_PAGES_MAX = 10;
const PASSAGES_MAX = 10;
const PASSAGES_DEFAULT = 5;
const QUESTION_CHARS_MAX = 1_000;

const passage = z.strictObject({
  url: z.string(),
  title: z.string().optional(),
  headings: z.array(z.string()),
  cursor: z.string(),
  L_start: z.int(),
  L_end: z.int(),
  citation: z.string(),
  text: z.string(),
  belongs_to: z.strictObject({ line: z.int(), text: z.string() }).optional(),
  list_continues: z
    .strictObject({ items: z.int(), L_start: z.int(), L_end: z.int(), may_go_on: z.boolean() })
    .optional(),
});

const page = z.strictObject({
  asked: z.string(),
  url: z.string().optional(),
  passages: z.int(),
  fits: z.boolean(),
  cursor: z.string().optional(),
  nearest_headings: z.array(z.string()).optional(),
  error: z.string().optional(),
  message: z.string().optional(),
  hint: z.string().optional(),
  notes: z.array(z.string()),
});

export const findPassages = defineTool({
  name: 'find_passages',
  toolset: 'web',
  title: 'Find passages',
  historyWords: ['Asked', 'ask'],
  description:
    'Find the passages (sections, paragraphs, excerpts) that best answer a question or talk about a topic, in up to ten long pages, followed libraries or all pages opened before. Returns only the relevant parts, with lines, cursor and citation. In `also`, pass two to four rewordings, in the words and language of the page: names, terms, error texts.',
  hints: { readOnly: true, destructive: false, openWorld: true },
  input: z.strictObject({
    question: z.string().min(1).max(QUESTION_CHARS_MAX).describe('The question.'),
    also: otherPhrasingsInput,
    urls: z
      .array(z.string())
      .max(PASSAGE_PAGES_MAX)
      .default([])
      .describe('Pages to open and search. Their links are not followed.'),
    cursors: z.array(z.string()).max(PASSAGE_PAGES_MAX).default([]).describe('Opened pages to search.'),
    library: z.string().optional().describe('Address of a followed page or site, or "all".'),
    max_passages: z.int().min(1).max(PASSAGES_MAX).default(PASSAGES_DEFAULT).describe('Maximum passages.'),
  }),
  output: z.strictObject({ passages: z.array(passage), pages: z.array(page), notes: z.array(z.string()) }),
  unused: [
    {
      options: ['library'],
      when: ({ urls, cursors }) => urls.length + cursors.length > 0,
      because: 'urls and cursors determine what is searched',
    },
  ],
  async run({ question, also: phrasings, urls, cursors, library, max_passages: max }, { services, signal, progress }) {
    const onDone = (done: number) => progress(done, urls.length);
    const isStore = urls.length + cursors.length === 0;
    const searched = isStore && library !== undefined ? await findLibraries(library, services) : null;
    const found = isStore
      ? await fromStore({ question, also: phrasings, max }, searched, services)
      : await findInPages({ question, also: phrasings, urls, cursors, max }, signal, onDone, services);
    const passages = fitting(found.passages);
    const where = isStore
      ? (searched ?? 'store')
      : found.pages.some(({ failure }) => failure === null)
        ? 'pages'
        : 'none';
    const notes = notesOf(question, passages, found.passages.length, where);
    return {
      text: await textOf(passages, found.pages, notes, services.origin),
      structured: { passages: passages.map(passageShape), pages: found.pages.map(pageShape), notes },
      read: passages.filter(({ cursor }, index) => passages.findIndex((one) => one.cursor === cursor) === index),
    };
  },
});

/** Searches the stored pages that the caller may see, and creates a cursor for each page shown. */
async function fromStore(
  { question, also: phrasings, max }: { question: string; also: readonly string[]; max: number },
  libraries: readonly FollowedLibrary[] | null,
  services: ToolServices,
): Promise<{ passages: FoundPassage[]; pages: PageSearchReport[] }> {
  const { pageIndex, mayShow } = services;
  const index = libraries === null ? pageIndex : pageIndex.within(libraries.map(({ id }) => id));
  const found = await findStoredPassages(question, phrasings, { pageIndex: index, mayShow });
  const cursors = new Map<string, string | null>();
  const texts = new Set<string>();
  const passages: FoundPassage[] = [];
  for (const { score: _, ...one } of dropWeakerPassages(found, question)) {
    if (passages.length >= max) break;
    const key = one.text.join('\n').trim();
    if (texts.has(key)) continue;
    const known = cursors.get(one.documentId);
    const cursor = known === undefined ? await mintCursorForStored(one.documentId, one.url, services) : known;
    cursors.set(one.documentId, cursor);
    if (cursor === null) continue;
    texts.add(key);
    passages.push({ ...one, cursor });
  }
  return { passages, pages: [] };
}

/**
 * The best passages whose lines fit into half a result. If none fits, the first, because a single line may have 32 KB.
 */
function fitting(passages: readonly FoundPassage[]): FoundPassage[] {
  let bytes = 0;
  return passages.filter(({ text }, index) => {
    const own = utf8Bytes(text.join('\n'));
    const fits = index === 0 || bytes + own <= PAGE_RESULT_BYTES_MAX / 2;
    if (fits) bytes += own;
    return fits;
  });
}

/** @param searched followed libraries, the whole store, the pages in the call, or `none` if all of these failed */
function notesOf(
  question: string,
  shown: readonly FoundPassage[],
  found: number,
  searched: readonly FollowedLibrary[] | 'store' | 'pages' | 'none',
): string[] {
  const hasWords = /[\p{L}\p{N}]/u.test(question);
  const nothing = typeof searched === 'string' ? NOTHING[searched] : NOTHING_FOLLOWED;
  const left = found - shown.length;
  return [
    ...(hasWords ? [] : ['The question has no words to search for.']),
    ...(searched === 'store' && found > 0 ? ['These are pages opened on this server before.'] : []),
    ...(typeof searched === 'string' ? [] : libraryNotes(searched)),
    ...(found === 0 && hasWords ? [nothing] : []),
    ...(left > 0
      ? [
          `${countWithUnit(left, 'passage')} did not fit, because the lines are very long. Search fewer pages at a time.`,
        ]
      : []),
  ];
}

/** Names the searched libraries. Versions of a library are followed separately, so each has its own URL prefix. */
function libraryNotes(searched: readonly FollowedLibrary[]): string[] {
  const behind = searched.filter(({ round, run }) => round <= 1 && run !== null);
  const names = searched.slice(0, LIBRARIES_NAMED_MAX).map(({ prefix }) => prefix);
  const more = searched.length > names.length ? ` and ${searched.length - names.length} more` : '';
  return [
    `Searched: ${names.join(', ')}${more}.`,
    ...(behind.length === 0
      ? []
      : [
          'Some pages are not read yet, so an answer may be missing. Call follow with the URL of the library to see progress.',
        ]),
  ];
}

const LIBRARIES_NAMED_MAX = 10;
const NOTHING_FOLLOWED = 'No followed page matches the question. Ask in the words of the pages.';
const NOTHING = {
  none: 'No page could be opened, so nothing was searched.',
  pages: 'Nothing in these pages matches the question. Ask in the words of the pages, or look at their headings.',
  store: 'No page opened on this server before matches the question. Pass addresses of pages as urls.',
};

function passageShape(one: FoundPassage): z.output<typeof passage> {
  const { url, title, headings, cursor, lines, rest } = one;
  const lead = leadOf(one);
  return {
    url,
    ...(title === null ? {} : { title }),
    headings: [...headings],
    cursor,
    L_start: lines.start,
    L_end: lines.end,
    citation: formatCitation(cursor, lines),
    text: shownOf(one)
      .map(({ text }) => text)
      .join('\n'),
    ...(lead === null ? {} : { belongs_to: { line: lead.line, text: shownLineText(lead.text) } }),
    ...(rest === null
      ? {}
      : {
          list_continues: {
            items: rest.items,
            L_start: rest.lines.start,
            L_end: rest.lines.end,
            may_go_on: rest.mayGoOn,
          },
        }),
  };
}

function pageShape(one: PageSearchReport): z.output<typeof page> {
  const { asked, url, passages, fits, cursor, headings, failure, notes } = one;
  const report = failure === null ? null : describeFailure(failure);
  return {
    asked,
    ...(url === null ? {} : { url }),
    passages,
    ...(cursor === null ? {} : { cursor }),
    fits,
    ...(failure === null && !fits ? { nearest_headings: [...headings] } : {}),
    ...(report === null ? {} : { error: report.error, message: report.message, hint: report.hint }),
    notes: [...notes],
  };
}

/** Text of the result. Page text, with headings and titles, is inside one fence that marks it as data. */
async function textOf(
  passages: readonly FoundPassage[],
  pages: readonly PageSearchReport[],
  notes: readonly string[],
  origin: string,
): Promise<string> {
  const ranked = passages.map((one, index) => ({ one, rank: index + 1 }));
  const bare = pages.filter(({ passages: count, failure, fits }) => count === 0 && failure === null && !fits);
  const body = [...Map.groupBy(ranked, ({ one }) => one.cursor).values()].flatMap(pageLines);
  const all = [...body, ...bare.map(bareLine)];
  const fence = await createFence(all.join('\n'));
  const cite = `Cite each with its 【mark】; a person opens 【CURSOR†LINES】 at ${origin}${cursorPath('CURSOR')}/LINES.`;
  return [
    ...(passages.length === 0 ? [] : [`${countWithUnit(passages.length, 'passage')}, 1 is best. ${cite}`]),
    ...notes.map((note) => `Note: ${note}`),
    ...pages.flatMap(ourLines),
    ...lesserLines(pages),
    ...(all.length === 0 ? [] : [fence.open, ...all, fence.close]),
  ].join('\n');
}

/** Shows the passages of one page under its URL. Omits headings that a passage shares with the previous one. */
function pageLines(passages: readonly { one: FoundPassage; rank: number }[]): string[] {
  return passages.flatMap(({ one, rank }, index) => {
    const before = passages[index - 1]?.one ?? null;
    const path = pathAfter(before === null ? [] : pathOf(before), pathOf(one));
    const lead = leadOf(one);
    return [
      ...(before === null ? [`URL: ${one.url}`] : []),
      `${rank}. ${path === '' ? '' : `${path} `}${formatCitation(one.cursor, one.lines)}`,
      ...(lead === null
        ? []
        : [`(L${lead.line}: ${truncateText(sanitizeText(shownLineText(lead.text)), TITLE_CHARS_MAX)})`]),
      ...shownOf(one).map(({ loc, text }) => `L${loc}: ${text}`),
      ...listLines(one),
    ];
  });
}

function listLines({ rest }: FoundPassage): string[] {
  if (rest === null) return [];
  const least = rest.mayGoOn ? 'at least ' : '';
  return [`(${least}${countWithUnit(rest.items, 'more item')} of this list: ${lineRange(rest.lines)})`];
}

function pathOf({ headings, title }: FoundPassage): readonly string[] {
  return headings.length === 0 ? [title ?? ''] : headings;
}

function pathAfter(before: readonly string[], path: readonly string[]): string {
  const differs = path.findIndex((one, n) => one !== before[n]);
  if (differs < 0 && path.length === before.length) return '';
  const own = path.slice(differs < 0 ? -1 : differs);
  return oneLine(own.length < path.length ? ['…', ...own].join(' › ') : own.join(' › '), TITLE_CHARS_MAX);
}

function leadOf({ lead, lines }: FoundPassage): FoundPassage['lead'] {
  return lead === null || (lead.line >= lines.start && lead.line <= lines.end) ? null : lead;
}

function shownOf({ lines, text, fence }: FoundPassage): ResultLine[] {
  return toShownLines(text, lines.start, fence);
}

function ourLines({ asked, failure, notes }: PageSearchReport): string[] {
  if (failure === null) return notes.map((note) => `Note: ${asked}: ${note}`);
  const { error, message, hint } = describeFailure(failure);
  return [`Not searched: ${asked}: Error ${error}: ${message} Hint: ${hint}`];
}

/** Names pages by their position in the call, because the caller sent their URLs. */
function lesserLines(pages: readonly PageSearchReport[]): string[] {
  const places = pages.flatMap(({ passages: count, fits }, n) => (count === 0 && fits ? [n + 1] : []));
  if (places.length === 0) return [];
  return [`${places.length === 1 ? 'Page' : 'Pages'} ${places.join(', ')} of this call: weaker matches only.`];
}

function bareLine({ asked, headings, cursor }: PageSearchReport): string {
  const near = headings.map((one) => oneLine(one, HEADING_CHARS_MAX)).join(' · ');
  return `Nothing matches in ${asked} (cursor ${cursor ?? 'none'}).${near === '' ? '' : ` Nearest headings: ${near}`}`;
}

const HEADING_CHARS_MAX = 80;
