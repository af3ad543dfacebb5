import { REGEX_CHARS_MAX } from '#core/limits.ts';
import { openPage } from './open-page.ts';
import type { OpenResult, OpenPageDeps, OpenRequest, FragmentTarget } from '#reading/opened.ts';
import { compilePattern } from '#reading/find/compile-pattern.ts';
import { findMatches, inOneChunk } from '#reading/find/find-matches.ts';
import type { ReaderDeps } from '#reading/reader.ts';

type OpenedAtFragment = { opened: OpenResult; place: FragmentTarget | null };

type Deps = OpenPageDeps & Pick<ReaderDeps, 'documents' | 'inTurn'>;

const PAGE = /^page=(\d{1,6})\b/i;
const DIRECTIVE = ':~:';

/**
 * The fragment may name an anchor, a page of a file, or quote text (`#:~:text=…`). It stays in the address of the
 * result.
 */
export async function openAtFragment(request: OpenRequest, signal: AbortSignal, deps: Deps): Promise<OpenedAtFragment> {
  const fragment = fragmentOf(request.url);
  const opened = await openPage(request, signal, deps);
  if (fragment === '') return { opened, place: null };
  const page = Number(PAGE.exec(fragment)?.[1] ?? NaN);
  const { pages } = opened.snapshot.meta;
  const isElsewhere = pages !== undefined && page <= pages.total && (page < pages.first || page > pages.last);
  const shown = isElsewhere ? await openPage({ ...request, firstPage: page }, signal, deps) : opened;
  const place = await fragmentTarget(fragment, shown, signal, deps);
  return { opened: { ...shown, url: withFragment(shown.url, fragment) }, place };
}

function fragmentOf(url: string): string {
  const at = url.indexOf('#');
  return at < 0 ? '' : url.slice(at + 1).trim();
}

function withFragment(url: string, fragment: string): string {
  const whole = new URL(url);
  whole.hash = fragment;
  return whole.href;
}

async function fragmentTarget(
  fragment: string,
  opened: OpenResult,
  signal: AbortSignal,
  deps: Deps,
): Promise<FragmentTarget> {
  const [name = '', directives = ''] = fragment.split(DIRECTIVE);
  const quoted = await lineOfText(directives, opened, signal, deps);
  if (quoted !== null) return { line: quoted };
  const anchors = opened.anchors ?? (await deps.documents.anchors(opened.document.id));
  const line = name === '' ? undefined : lineOf(name, anchors);
  if (line !== undefined) return { line };
  // "top" needs no anchor (WHATWG HTML §7.4.6.3).
  if (/^top$/i.test(name)) return { line: 0 };
  return { problem: problemOf(name, opened, anchors.size) };
}

function problemOf(name: string, { snapshot, origin }: OpenResult, anchorCount: number): string {
  const { pages } = snapshot.meta;
  if (pages !== undefined) {
    return `The #fragment of this URL names a page that this file does not have: its pages are 1 to ${pages.total}, as in #page=2. It is shown from its beginning.`;
  }
  const find = 'It is shown from its beginning; find looks for words in it.';
  if (name === '') return `The text that the #fragment of this URL quotes is not in the page. ${find}`;
  const isOld = anchorCount === 0 && origin !== 'fetched';
  return isOld
    ? `This stored copy does not record where the #fragment of this URL leads; web_open with refresh fetches the page again. ${find}`
    : `The page has no anchor with the name in the #fragment of this URL. ${find}`;
}

/** Tries it as written, decoded, as GitHub renames it, and in another case, since some sites link so. */
function lineOf(name: string, anchors: ReadonlyMap<string, number>): number | undefined {
  const decoded = decode(name);
  for (const wanted of [name, decoded, `user-content-${decoded}`]) {
    const line = anchors.get(wanted);
    if (line !== undefined) return line;
  }
  const lower = decoded.toLowerCase();
  for (const [known, line] of anchors) if (decode(known).toLowerCase() === lower) return line;
  return undefined;
}

/** `text=[prefix-,]start[,end][,-suffix]`, percent-encoded (WICG, "URL Fragment Text Directives"). */
async function lineOfText(
  directives: string,
  opened: OpenResult,
  signal: AbortSignal,
  deps: Deps,
): Promise<number | null> {
  const text = directives.split('&').find((directive) => directive.startsWith('text='));
  const terms = (text ?? '').slice('text='.length).split(',');
  const start = terms.find((term) => !term.endsWith('-') && !term.startsWith('-')) ?? '';
  const pattern = decode(start).trim();
  if (pattern === '' || pattern.length > REGEX_CHARS_MAX) return null;
  const [matcher] = compilePattern(pattern, false);
  const chunks = opened.lines === null ? deps.documents.scan(opened.document.id) : inOneChunk(opened.lines);
  const searched = { chunks, isMarkdown: true, restStart: opened.document.restStart };
  const { matches } = await deps.inTurn(signal, (pause) => findMatches(searched, matcher, pause));
  return matches.length === 0 ? null : Math.min(...matches.map(({ loc }) => loc));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
