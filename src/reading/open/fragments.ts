import { percentDecode } from '#core/text/text.ts';
import { REGEX_CHARS_MAX } from '#core/limits.ts';
import { openPage } from './open-page.ts';
import type { DocumentAnchors } from '#storage/pages/documents.ts';
import type { OpenResult, OpenPageDeps, OpenRequest, FragmentLine } from '#reading/opened.ts';
import { compilePattern } from '#reading/find/matcher.ts';
import { toSearchableChunks } from '#core/text/seen-text.ts';
import { findMatches, splitIntoChunks } from '#reading/find/find-matches.ts';
import { composePagePartWords } from '#reading/part-words.ts';
import type { ReaderDeps } from '#reading/reader.ts';

type OpenedAtFragment = { opened: OpenResult; place: FragmentLine | null };

type Deps = OpenPageDeps & Pick<ReaderDeps, 'documents' | 'inTurn'>;

const PAGE = /^page=(\d{1,6})\b/i;
const DIRECTIVE = ':~:';

/** Opens the page at the place that the URL's fragment names: an anchor, a page of a file, or a text (`#:~:text=…`). */
export async function openAtFragment(request: OpenRequest, signal: AbortSignal, deps: Deps): Promise<OpenedAtFragment> {
  const fragment = fragmentOf(request.requestedUrl);
  const opened = await openPage(request, signal, deps);
  if (fragment === '') return { opened, place: null };
  const page = await pageElsewhere(fragment, opened, deps);
  const shown = page === null ? opened : await openPage({ ...request, firstPage: page }, signal, deps);
  const place = await fragmentTarget(fragment, shown, signal, deps);
  return { opened: { ...shown, shownUrl: withFragment(shown.shownUrl, fragment) }, place };
}

/**
 * Returns the number of the file's page that the fragment names, if that page is in another part of the file; otherwise
 * `null`.
 */
async function pageElsewhere(fragment: string, opened: OpenResult, deps: Deps): Promise<number | null> {
  const { pages } = opened.snapshot.meta;
  if (pages === undefined) return null;
  const page = Number(PAGE.exec(fragment)?.[1] ?? NaN);
  if (page > 0 && page <= pages.total) return page < pages.first || page > pages.last ? page : null;
  const name = nameOf(fragment);
  if (name === '') return null;
  const { lines, later } = await anchorsOf(opened, deps);
  return lookUp(name, lines) === undefined ? (lookUp(name, later.pages) ?? null) : null;
}

async function anchorsOf({ anchors, document }: OpenResult, { documents }: Deps): Promise<DocumentAnchors> {
  return anchors ?? documents.anchors(document.id);
}

function nameOf(fragment: string): string {
  return fragment.split(DIRECTIVE)[0] ?? '';
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
): Promise<FragmentLine> {
  const name = nameOf(fragment);
  const directives = fragment.slice(name.length + DIRECTIVE.length);
  const quoted = await lineOfText(directives, opened, signal, deps);
  if (quoted !== null) return { line: quoted };
  const anchors = await anchorsOf(opened, deps);
  const line = name === '' ? undefined : lookUp(name, anchors.lines);
  if (line !== undefined) return { line };
  // `#top` needs no anchor (WHATWG HTML §7.4.6.3). `#page=1` also opens the beginning of a page without parts.
  if (/^(?:top|page=1)$/i.test(name)) return { line: 0 };
  return { problem: problemOf(name, opened, anchors) };
}

function problemOf(name: string, { snapshot, document, shownUrl }: OpenResult, { later }: DocumentAnchors): string {
  const part = composePagePartWords(snapshot.meta.pages, shownUrl);
  const find = 'It is shown from its beginning; find looks for words in it.';
  if (PAGE.test(name)) {
    const total = snapshot.meta.pages?.total ?? 1;
    return total === 1
      ? 'The #fragment of this URL names a page of a long document, but this one is not divided. It is shown from its beginning.'
      : `The #fragment of this URL names a page that the document does not have. Its pages are 1 to ${total}, as in #page=2. ${find}`;
  }
  if (name === '') {
    const where = part === null ? 'the page' : `this part (${part.words})`;
    return `The text that the #fragment of this URL quotes is not in ${where}. ${find}`;
  }
  if (part !== null && snapshot.meta.pages?.first !== 1) {
    return `The #fragment of this URL leads into this part (${part.words}), but to no line of its own. ${find}`;
  }
  if (!later.isWhole || document.cuts.length > 0) {
    return `The place that the #fragment of this URL names was not stored: the page has too many such places, or was not read to its end. ${find}`;
  }
  const pages = part === null ? '' : ` #page=N opens one of its pages, 1 to ${snapshot.meta.pages?.total}.`;
  return `No line of the page has the name in the #fragment of this URL.${pages} ${find}`;
}

/**
 * Looks up the line of an anchor. Tries the name as written, decoded, with GitHub's prefix, and ignoring case, because
 * links differ from anchors in these ways on some sites.
 */
function lookUp(name: string, anchors: ReadonlyMap<string, number>): number | undefined {
  const decoded = percentDecode(name);
  for (const wanted of [name, decoded, `user-content-${decoded}`]) {
    const line = anchors.get(wanted);
    if (line !== undefined) return line;
  }
  const lower = decoded.toLowerCase();
  for (const [known, line] of anchors) if (percentDecode(known).toLowerCase() === lower) return line;
  return undefined;
}

/**
 * Finds the line of a percent-encoded text directive, `text=[prefix-,]start[,end][,-suffix]` (WICG, "URL Fragment Text
 * Directives"). Searches only for `start`.
 */
async function lineOfText(
  directives: string,
  opened: OpenResult,
  signal: AbortSignal,
  deps: Deps,
): Promise<number | null> {
  const text = directives.split('&').find((directive) => directive.startsWith('text='));
  const terms = (text ?? '').slice('text='.length).split(',');
  const start = terms.find((term) => !term.endsWith('-') && !term.startsWith('-')) ?? '';
  const pattern = percentDecode(start).trim();
  if (pattern === '' || pattern.length > REGEX_CHARS_MAX) return null;
  const [matcher] = compilePattern(pattern, false);
  const { document, lines } = opened;
  const chunks =
    lines === null ? deps.documents.scanSeen(document.id) : toSearchableChunks(splitIntoChunks(lines), true);
  const searched = { chunks, restStart: document.restStart };
  const { matches } = await deps.inTurn(signal, (pause) => findMatches(searched, matcher, pause));
  return matches.length === 0 ? null : Math.min(...matches.map(({ loc }) => loc));
}
