import { share } from './numbers.ts';
import { wordsOf } from './words-of.ts';
import { parseJson } from '#core/json.ts';

/** Runs of three words from the page's machine-readable description, divided into content and opinions about it. */
export type Described = { content: ReadonlySet<string>; opinion: ReadonlySet<string> };

/** Properties that hold text of the page (schema.org). */
const CONTENT: ReadonlySet<string> = new Set(['description', 'articleBody', 'text']);
const OPINION_TYPE = /Review|Rating|Organization|Person|WebSite|Breadcrumb/;
const RUN = 3;
/** Enough for a long article. Later text is not compared. */
const RUNS_MAX = 20_000;
/** How many JSON-LD values are read. */
const VALUES_MAX = 20_000;
const SEGMENT_CHARS_MAX = 2_000;

/** Reads JSON-LD texts. Text that is not JSON is ignored. */
export function describedBy(jsonLd: readonly string[]): Described {
  const content = new Set<string>();
  const opinion = new Set<string>();
  for (const source of jsonLd) {
    for (const { text, isOpinion } of textsOf(parseJson(source))) addRuns(isOpinion ? opinion : content, text);
  }
  return { content, opinion };
}

/** The shares of a segment's runs that occur in the described content and in opinions about it. */
export function sharesIn({ content, opinion }: Described, text: string): readonly [content: number, opinion: number] {
  if (content.size === 0 && opinion.size === 0) return [0, 0];
  const runs = runsOf(wordsOf(text.slice(0, SEGMENT_CHARS_MAX)));
  return [shareOf(content, runs), shareOf(opinion, runs)];
}

function shareOf(known: ReadonlySet<string>, runs: readonly string[]): number {
  let found = 0;
  if (known.size > 0) for (const run of runs) if (known.has(run)) found += 1;
  return share(found, runs.length);
}

type Text = { text: string; isOpinion: boolean };

/** Without recursion, because the page decides how deep it nests. */
function textsOf(root: unknown): Text[] {
  const found: Text[] = [];
  const waiting: { value: unknown; type: string }[] = [{ value: root, type: '' }];
  for (let at = 0; at < waiting.length && at < VALUES_MAX; at += 1) {
    const { value, type } = waiting[at] ?? { value: null, type: '' };
    if (typeof value !== 'object' || value === null) continue;
    const own = '@type' in value ? typeOf(value['@type']) : type;
    for (const [key, inner] of Object.entries(value)) {
      if (typeof inner === 'object') waiting.push({ value: inner, type: own });
      else if (typeof inner === 'string' && (key === 'reviewBody' || CONTENT.has(key))) {
        found.push({ text: inner, isOpinion: key === 'reviewBody' || OPINION_TYPE.test(own) });
      }
    }
  }
  return found;
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return value.filter((name) => typeof name === 'string').join(' ');
  return typeof value === 'string' ? value : '';
}

function addRuns(into: Set<string>, text: string): void {
  for (const run of runsOf(wordsOf(plain(text)))) {
    if (into.size >= RUNS_MAX) return;
    into.add(run);
  }
}

/** Descriptions are often HTML, sometimes escaped. */
function plain(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replace(/<[^<>]*>|&#?\w{1,8};/g, ' ');
}

function runsOf(words: readonly string[]): string[] {
  const runs: string[] = [];
  for (let at = 0; at + RUN <= words.length; at += 1) runs.push(`${words[at]} ${words[at + 1]} ${words[at + 2]}`);
  return runs;
}
