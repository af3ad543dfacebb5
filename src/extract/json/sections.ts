import { codeBlockOfLines, escapeInline, PLAIN_CONTEXT } from '#extract/escape.ts';
import type { WorkSteps } from '#core/flow/turns.ts';
import { parseJson } from '#core/text/json.ts';
import { oneLine } from '#core/text/text.ts';

/** Divides indented JSON into sections, so that a heading with the path of keys is above each group of lines. */

/** An object with more lines than this is divided into its members. */
const OBJECT_LINES_MAX = 12;
/** An array with more lines than this is divided into its items. Small adjacent items share blocks of this size. */
const BLOCK_LINES_MAX = 24;
/** A member with fewer lines than this, such as `"id": 7`, shares a code block with its neighbours. */
const MEMBER_LINES_MIN = 4;
const HEADING_LEVEL_MAX = 6;
/** Heading level of a member of the outermost object. */
const HEADING_LEVEL_MIN = 2;
const KEY_CHARS_MAX = 120;
const LINES_PER_STEP = 1_000;

export type JsonBlock = { path: readonly string[]; from: number; to: number };

type Container = { start: number; end: number; isArray: boolean; path: readonly string[] };
type Member = { start: number; end: number; name: string };
type Group = { first: Member; last: Member };
type Source = { lines: readonly string[]; ends: ReadonlyMap<number, number> };

/**
 * Divides a JSON document into blocks of lines, each with the path of its keys.
 * @param lines the output of `indentJson`: one member per line, two spaces per level
 */
export function* jsonBlocks(lines: readonly string[]): WorkSteps<JsonBlock[]> {
  const ends = yield* endsOf(lines);
  const blocks: JsonBlock[] = [];
  const root = { start: 0, end: ends.get(0) ?? 0, isArray: (lines[0] ?? '').endsWith('['), path: [] };
  yield* divide(root, { lines, ends }, blocks);
  return blocks;
}

/**
 * Maps the line that opens an object or array to the line that closes it. An unclosed object or array ends with the
 * file.
 */
function* endsOf(lines: readonly string[]): WorkSteps<Map<number, number>> {
  const ends = new Map<number, number>();
  const open: number[] = [];
  for (const [index, line] of lines.entries()) {
    if (/^ *[}\]]/.test(line)) {
      const start = open.pop();
      if (start !== undefined) ends.set(start, index);
    }
    if (line.endsWith('{') || line.endsWith('[')) open.push(index);
    if (index % LINES_PER_STEP === 0) yield LINES_PER_STEP;
  }
  for (const start of open) ends.set(start, lines.length);
  return ends;
}

/**
 * Divides an object or array into blocks. The recursion ends because deep levels (`JSON_INDENT_LEVELS_MAX`) are one
 * line.
 */
function* divide(container: Container, source: Source, blocks: JsonBlock[]): WorkSteps<void> {
  const open: { group: Group | null; isFirst: boolean } = { group: null, isFirst: true };
  const close = () => {
    if (open.group !== null) blocks.push(groupBlock(container, open.group, open.isFirst));
    Object.assign(open, { group: null, isFirst: false });
  };
  for (const member of membersOf(container, source)) {
    const size = member.end - member.start + 1;
    const line = source.lines[member.start] ?? '';
    const isDivided = source.ends.has(member.start) && size > (line.endsWith('[') ? BLOCK_LINES_MAX : OBJECT_LINES_MAX);
    if (!isDivided && (container.isArray || size < MEMBER_LINES_MIN)) {
      if (open.group !== null && member.end - open.group.first.start >= BLOCK_LINES_MAX) close();
      open.group = { first: open.group?.first ?? member, last: member };
      continue;
    }
    close();
    const { start, end } = member;
    const path = [...container.path, member.name];
    if (isDivided) yield* divide({ start, end, isArray: line.endsWith('['), path }, source, blocks);
    else blocks.push({ path, from: start, to: end });
    yield size;
  }
  close();
}

/** Makes a block of neighbouring members. The first block of an object comes directly after the object's heading. */
function groupBlock({ path, isArray }: Container, group: Group, isFirst: boolean): JsonBlock {
  const { first, last } = group;
  const names = first === last ? first.name : `${first.name} … ${last.name}`;
  return { path: isFirst && !isArray ? path : [...path, names], from: first.start, to: last.end };
}

function* membersOf({ start, end, isArray }: Container, { lines, ends }: Source): Generator<Member> {
  for (let at = start + 1, index = 0; at < Math.min(end, lines.length); index += 1) {
    const last = Math.min(ends.get(at) ?? at, lines.length - 1);
    const key = isArray ? null : keyOf(lines[at] ?? '');
    yield { start: at, end: last, name: key ?? `[${index}]` };
    at = last + 1;
  }
}

function keyOf(line: string): string | null {
  const from = line.indexOf('"');
  let to = from + 1;
  while (to < line.length && line.charAt(to) !== '"') to += line.charAt(to) === '\\' ? 2 : 1;
  if (from < 0 || line.charAt(to + 1) !== ':') return null;
  const key = parseJson(line.slice(from, to + 1));
  return typeof key === 'string' ? oneLine(key, KEY_CHARS_MAX) || '""' : null;
}

/** Writes blocks as Markdown below the headings of their paths. A heading shared with the block before is skipped. */
export function writeBlocks(blocks: readonly JsonBlock[], lines: readonly string[]): string[] {
  const out: string[] = [];
  let open: readonly string[] = [];
  for (const { path, from, to } of blocks) {
    const headings = headingsOf(path);
    const same = headings.findIndex((heading, index) => heading !== open[index]);
    for (const heading of same < 0 ? [] : headings.slice(same)) out.push(heading, '');
    open = headings;
    const indent = /^ */.exec(lines[from] ?? '')?.[0].length ?? 0;
    const code: string[] = [];
    for (let at = from; at <= to; at += 1) code.push((lines[at] ?? '').slice(indent));
    for (const line of codeBlockOfLines(code, 'json')) out.push(line);
    out.push('');
  }
  return out;
}

/** Returns the headings of a path. Keys below the deepest heading level share one heading, such as `a › b › c`. */
function headingsOf(path: readonly string[]): string[] {
  const own = HEADING_LEVEL_MAX - HEADING_LEVEL_MIN;
  const names = path.length <= own ? path : [...path.slice(0, own), path.slice(own).join(' › ')];
  return names.map((name, index) => `${'#'.repeat(index + HEADING_LEVEL_MIN)} ${escapeInline(name, PLAIN_CONTEXT)}`);
}
