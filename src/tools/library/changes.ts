import { countWithUnit, createFence, oneLine } from '#core/text/text.ts';
import * as z from 'zod';
import { formatCitation } from '#core/document/citation.ts';
import { TITLE_CHARS_MAX, DAY_MS } from '#core/limits.ts';
import { compareVersions, listChangesSince } from '#library/changes.ts';
import { trimUnchangedWords } from '#library/feed/change-feed.ts';
import type { CursorLines, ReportedBlock, ReportedChange } from '#library/changes.ts';
import { findFollow } from '#library/named.ts';
import { fail } from '#core/failures/failure.ts';
import { defineTool, shortenedSchemas } from '#tools/define-tool.ts';

const CHANGES_SINCE_MS_DEFAULT = 7 * DAY_MS;

const citable = z.strictObject({
  cursor: z.string(),
  L_start: z.int(),
  L_end: z.int(),
  citation: z.string(),
  text: z.string(),
});

const block = z.strictObject({
  kind: z.enum(['removed', 'added', 'changed', 'moved']),
  before: z.strictObject(citable.shape).register(shortenedSchemas, { description: 'As after.' }).optional(),
  after: citable.optional(),
  section: z.string().optional(),
  head: z.string().optional(),
  words: z.string().optional(),
});

const change = z.strictObject({
  kind: z.enum(['new', 'changed', 'moved', 'gone', 'closed']),
  url: z.string(),
  title: z.string().optional(),
  library: z.string().optional(),
  at: z.string(),
  moved_to: z.string().optional(),
  why: z.string().optional(),
  link: z.string().optional(),
  before: z.string().optional(),
  after: z.string().optional(),
  blocks: z.array(block),
  blocks_left: z.int(),
});

const CURSORS_MAX = 2;

export const changesTool = defineTool({
  name: 'changes',
  toolset: 'library',
  title: 'Changes',
  historyWords: ['Looked for changes in', 'look for changes in'],
  description:
    'Show what is new, updated or changed on followed (monitored) pages and sites, with citable lines of the old and the new version. With cursors, compare: show the difference (diff) between two versions of a page, or between one version and the current page.',
  hints: { readOnly: true, destructive: false, openWorld: true },
  input: z.strictObject({
    since: z.string().optional().describe('ISO date or time, such as 2026-11-01. Default: seven days ago.'),
    library: z.string().optional().describe('Only this followed page or site, by its address.'),
    cursors: z
      .array(z.string())
      .max(CURSORS_MAX)
      .default([])
      .describe('One cursor: compare it with the current page. Two: compare both.'),
  }),
  output: z.strictObject({
    changes: z.array(change),
    next_since: z.string().optional(),
    notes: z.array(z.string()),
  }),
  unused: [
    {
      options: ['since', 'library'],
      when: ({ cursors }) => cursors.length > 0,
      because: 'cursors determine what is compared',
    },
  ],
  check: ({ since }) => void (since === undefined || timeOf(since)),
  async run({ since, library, cursors }, { services, signal }) {
    if (cursors.length > 0) {
      const one = await compareVersions(cursors, signal, services);
      const isSame = one.blocks.length === 0 && one.movedTo === null;
      const areTwoPages = one.kind === 'changed' && one.movedTo !== null;
      const notes = [...(isSame ? [NO_DIFFERENCE] : []), ...(areTwoPages ? [TWO_PAGES] : [])];
      return answer(isSame ? [] : [one], null, notes);
    }
    const after = since === undefined ? services.now() - CHANGES_SINCE_MS_DEFAULT : timeOf(since);
    const named = library === undefined ? undefined : (await findFollow(library, services))?.id;
    const { changes: found, nextSince, isMore } = await listChangesSince(after, named, services);
    const notes = [
      ...(found.length === 0
        ? [`Nothing changed on followed pages since ${new Date(after).toISOString()}. ${COMPARE_ONE}`]
        : []),
      ...(isMore ? ['There is more: call changes with since set to next_since.'] : []),
    ];
    return answer(found, found.length === 0 ? services.now() : nextSince, notes);
  },
});

const NO_DIFFERENCE = 'The main parts of both versions are the same. Menus, counters and build dates are ignored.';

const TWO_PAGES = 'The cursors are of two different pages.';
const COMPARE_ONE = 'To compare another page with its current version, pass its cursor in cursors.';

function timeOf(since: string): number {
  const time = Date.parse(since);
  if (Number.isFinite(time)) return time;
  return fail({
    code: 'invalid_argument',
    field: 'since',
    problem: 'is not a date or time',
    hint: 'Pass a time such as 2026-11-24T08:00:00Z, or next_since of the last answer.',
  });
}

async function answer(found: readonly ReportedChange[], nextSince: number | null, notes: readonly string[]) {
  const next = nextSince === null ? {} : { next_since: new Date(nextSince).toISOString() };
  const body = found.flatMap(changeLines);
  const fence = await createFence(body.join('\n'));
  const text = [
    ...(found.length === 0 ? [] : [`${countWithUnit(found.length, 'page')}. Cite lines with their 【mark】.`]),
    ...(nextSince === null ? [] : [`next_since: ${new Date(nextSince).toISOString()}`]),
    ...notes.map((note) => `Note: ${note}`),
    ...(body.length === 0 ? [] : [fence.open, ...body, fence.close]),
  ].join('\n');
  const read = found.map(({ url, movedTo, title, after, before, documentId }) => ({
    url: movedTo ?? url,
    title,
    cursor: after ?? before,
    documentId,
    lines: null,
  }));
  return { text, structured: { changes: found.map(changeShape), ...next, notes: [...notes] }, read };
}

const KIND_WORDS: Record<ReportedChange['kind'], string> = {
  new: 'New page',
  changed: 'Changed',
  moved: 'Moved',
  gone: 'Gone',
  closed: 'No longer followed',
};

function changeLines(one: ReportedChange, index: number): string[] {
  const { kind, url, title, movedTo, problem, at, link, blocks, left, before, after } = one;
  const cursors = [...(before === null ? [] : [`before ${before}`]), ...(after === null ? [] : [`after ${after}`])];
  return [
    `${index + 1}. ${KIND_WORDS[kind]}: ${url}${movedTo === null ? '' : ` → ${movedTo}`} (${new Date(at).toISOString()})`,
    ...(title === null ? [] : [`Title: ${oneLine(title, TITLE_CHARS_MAX)}`]),
    ...(problem === null ? [] : [`Why: ${problem}`]),
    ...(link === null ? [] : [`Link for the user: ${link}`]),
    ...(cursors.length === 0 ? [] : [`Cursors: ${cursors.join(', ')}`]),
    ...blocks.flatMap(blockLines),
    ...(left === 0 ? [] : [`${left} more blocks: changes with both cursors, or scroll.`]),
  ];
}

function blockLines({ kind, before, after, section, head, words }: ReportedBlock): string[] {
  const marks = [before, after].flatMap((side) => (side === null ? [] : [formatCitation(side.cursor, side.lines)]));
  const path = section === null ? '' : ` in ${oneLine(section, TITLE_CHARS_MAX)}`;
  return [
    `- ${kind}${path} ${marks.join(' → ')}`,
    ...(head === null ? [] : [`Table: ${oneLine(head, HEAD_CHARS_MAX)}`]),
    ...sideLines('-', before),
    ...sideLines('+', after),
    ...wordLines(kind, words).map((line) => `Words: ${line}`),
  ];
}

function sideLines(sign: string, side: CursorLines | null): string[] {
  if (side === null) return [];
  const shown = side.text.map((line, index) => `${sign}L${side.lines.start + index}: ${line}`);
  const left = side.lines.end - side.lines.start + 1 - side.text.length;
  return left > 0 ? [...shown, `${sign}(${left} more lines: scroll with cursor ${side.cursor})`] : shown;
}

const HEAD_CHARS_MAX = 300;

/**
 * Changed words with their context in the notation of `git diff --word-diff`. Empty for a block that was added, removed
 * or replaced as a whole, because its lines show the change.
 */
function wordLines(kind: ReportedBlock['kind'], words: ReportedBlock['words']): string[] {
  if (kind !== 'changed' || !words.some((part) => part.kind === 'same' && part.text.trim() !== '')) return [];
  const parts = trimUnchangedWords(words).map(({ kind: part, text }) => {
    if (part === 'same') return text;
    return part === 'gone' ? `[-${text}-]` : `{+${text}+}`;
  });
  return [oneLine(parts.join(''), WORDS_CHARS_MAX)];
}

const WORDS_CHARS_MAX = 600;

function changeShape(one: ReportedChange): z.output<typeof change> {
  const { kind, url, title, library, at, movedTo, problem, link, before, after, blocks, left } = one;
  return {
    kind,
    url,
    ...(title === null ? {} : { title }),
    ...(library === null ? {} : { library }),
    at: new Date(at).toISOString(),
    ...(movedTo === null ? {} : { moved_to: movedTo }),
    ...(problem === null ? {} : { why: problem }),
    ...(link === null ? {} : { link }),
    ...(before === null ? {} : { before }),
    ...(after === null ? {} : { after }),
    blocks: blocks.map(blockShape),
    blocks_left: left,
  };
}

function blockShape({ kind, before, after, section, head, words }: ReportedBlock): z.output<typeof block> {
  const [line] = wordLines(kind, words);
  return {
    kind,
    ...(before === null ? {} : { before: sideShape(before) }),
    ...(after === null ? {} : { after: sideShape(after) }),
    ...(section === null ? {} : { section }),
    ...(head === null ? {} : { head: oneLine(head, HEAD_CHARS_MAX) }),
    ...(line === undefined ? {} : { words: line }),
  };
}

function sideShape({ cursor, lines, text }: CursorLines): z.output<typeof citable> {
  return {
    cursor,
    L_start: lines.start,
    L_end: lines.end,
    citation: formatCitation(cursor, lines),
    text: text.join('\n'),
  };
}
