import type { SiteFacts } from '#storage/pages/sites.ts';
import { HOUR_MS, KIB, SECOND_MS } from '#core/limits.ts';
import { PeriscopeError } from '#core/failures/failure.ts';
import type { OriginStore } from '#core/origin-store.ts';
import { hasSecretInUrl } from '#core/secrets/secret-addresses.ts';
import { withTimeout } from '#core/flow/abort.ts';
import { readHead } from '#extract/html/page-metadata.ts';
import type { NetDeps } from '#net/fetch/network.ts';
import { loadPage } from '#net/fetch/load.ts';
import type { LoadedPage, AbortableBodyMemory } from '#net/fetch/load.ts';
import { linksInProse } from '#core/text/links.ts';
import { trimEndMatching } from '#core/text/text.ts';
import { CodeFences } from '#core/text/plain.ts';

/** Maximum links listed with a page. The page's text contains all links. */
const PAGE_LINKS_MAX = 100;
/** Time in ms for which the facts from an origin's llms.txt are stored. */
const SITE_FACTS_TTL_MS = 24 * HOUR_MS;
const LLMS_TXT_DEADLINE_MS = 3 * SECOND_MS;
/** Maximum bytes read of an llms.txt, enough for more links than are stored (`LLMS_TXT_LINKS_MAX`). */
const LLMS_TXT_BYTES_MAX = 256 * KIB;
/** Maximum URLs stored from one llms.txt, far below D1's limit of 2 MB per row. */
const LLMS_TXT_LINKS_MAX = 2_000;

type Facts = Omit<SiteFacts, 'expiresAt'>;

export const NO_SITE_FACTS: Facts = { llmsTxt: null, markdownPages: [] };

export type MarkdownTwinDeps = {
  now: () => number;
  net: NetDeps;
  siteFacts: OriginStore<SiteFacts>;
};

/**
 * Returns the facts in an origin's llms.txt (llmstxt.org), which is requested once a day. If the request fails, the
 * page is opened without facts.
 */
export async function readSiteFacts(origin: string, signal: AbortSignal, deps: MarkdownTwinDeps): Promise<Facts> {
  const known = await deps.siteFacts.get(origin);
  if (known !== null && known.expiresAt > deps.now()) return known;
  const facts = await askLlmsTxt(origin, signal, deps);
  await deps.siteFacts.put(origin, { ...facts, expiresAt: deps.now() + SITE_FACTS_TTL_MS });
  return facts;
}

/**
 * Returns the URL of the page's Markdown version: declared by `<link rel="alternate" type="text/markdown">`, or listed
 * in llms.txt. It must have the page's origin, and is never guessed.
 */
export function markdownTwinUrl(url: string, html: string, facts: Facts, xml = false): string | null {
  const declared = declaredTwin(url, html, xml);
  return declared ?? twinCandidates(url).find((candidate) => facts.markdownPages.includes(candidate)) ?? null;
}

type FreshPage = Extract<LoadedPage, { notModified: false }>;

/**
 * Loads the page's Markdown version. Returns `null` if there is none, if it cannot be loaded, if the response is
 * neither Markdown nor plain text, or if a redirect leaves the page's origin.
 * @throws {PeriscopeError} if memory is short or the caller disconnects
 */
export async function loadMarkdownTwin(
  page: FreshPage,
  facts: Facts,
  memory: AbortableBodyMemory,
  signal: AbortSignal,
  deps: MarkdownTwinDeps,
): Promise<FreshPage | null> {
  const { finalUrl, text, kind } = page;
  const address = markdownTwinUrl(finalUrl, text ?? '', facts, kind === 'xhtml');
  if (address === null) return null;
  try {
    const twin = await loadPage({ requestedUrl: address, signal, memory }, deps.net);
    const isMarkdown = !twin.notModified && (twin.kind === 'markdown' || twin.kind === 'text');
    return isMarkdown && new URL(twin.finalUrl).origin === new URL(finalUrl).origin ? twin : null;
  } catch (error) {
    const isItsOwn = error instanceof PeriscopeError && error.failure.code !== 'overloaded';
    if (isItsOwn && !signal.aborted) return null;
    throw error;
  }
}

async function askLlmsTxt(origin: string, signal: AbortSignal, deps: MarkdownTwinDeps): Promise<Facts> {
  try {
    const url = `${origin}/llms.txt`;
    const loaded = await withTimeout(LLMS_TXT_DEADLINE_MS, (late) =>
      loadPage({ requestedUrl: url, signal: AbortSignal.any([signal, late]), cutAt: LLMS_TXT_BYTES_MAX }, deps.net),
    );
    const isList = !loaded.notModified && (loaded.kind === 'markdown' || loaded.kind === 'text');
    if (!isList || new URL(loaded.finalUrl).origin !== origin) return NO_SITE_FACTS;
    return { llmsTxt: url, markdownPages: markdownPages(loaded.text ?? '', url) };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof PeriscopeError || (error instanceof Error && error.name === 'TimeoutError'))
      return NO_SITE_FACTS;
    throw error;
  }
}

const COMMENT = /<!--[^]*?(?:-->|$)/g;

function markdownPages(text: string, base: string): string[] {
  const { origin } = new URL(base);
  const pages = new Set<string>();
  for (const { target } of linksIn(text.replace(COMMENT, '').split('\n'))) {
    const page = URL.parse(target, base);
    if (page === null || page.origin !== origin || !page.pathname.endsWith('.md')) continue;
    page.hash = '';
    // A URL with a secret is skipped, because the facts are shared with every user who opens a page of the site.
    if (hasSecretInUrl(page.href)) continue;
    pages.add(page.href);
    if (pages.size >= LLMS_TXT_LINKS_MAX) break;
  }
  return [...pages];
}

function declaredTwin(url: string, html: string, xml: boolean): string | null {
  const { links, base } = readHead(html, xml);
  for (const link of links) {
    const rel = wordsOf(link.getAttribute('rel'));
    // `rel="alternate stylesheet"` names a style sheet (HTML, "Link type alternate").
    if (!rel.includes('alternate') || rel.includes('stylesheet')) continue;
    if (wordsOf(link.getAttribute('type')?.split(';')[0])[0] !== 'text/markdown') continue;
    const target = URL.parse(link.getAttribute('href') ?? '', URL.parse(base ?? '', url)?.href ?? url);
    if (target === null || target.origin !== new URL(url).origin) continue;
    target.hash = '';
    if (target.href !== url) return target.href;
  }
  return null;
}

function wordsOf(value: string | null | undefined): string[] {
  return (value ?? '')
    .toLowerCase()
    .split(/[\t\n\f\r ]+/)
    .filter((word) => word !== '');
}

/**
 * Returns the URLs at which llms.txt may list the page's Markdown version. For `/guide/x.html`, among others:
 * `/guide/x.html.md` and `/guide/x.md`. For `/guide/`: `/guide.md`, `/guide/index.md` and `/guide/index.html.md`.
 */
function twinCandidates(url: string): string[] {
  const { origin, pathname } = new URL(url);
  const path = trimEndMatching(pathname, /\//);
  const stem = path.replace(/\.html?$/, '');
  const paths = [`${path}.md`, `${stem}.md`, `${path}/index.md`, `${path}/index.html.md`];
  return paths.filter((candidate) => candidate !== '.md').map((candidate) => origin + candidate);
}

export type PageLink = { url: string; text: string };

/** Lists the first {@link PAGE_LINKS_MAX} http and https links of the lines, each URL once, except links in code. */
export function listWebLinks(lines: readonly string[]): PageLink[] {
  const links = new Map<string, string>();
  for (const { text, target } of linksIn(lines)) {
    if (/^https?:/.test(target) && !links.has(target)) links.set(target, text.replace(/\\(.)/g, '$1').trim());
    if (links.size >= PAGE_LINKS_MAX) break;
  }
  return [...links].map(([url, text]) => ({ url, text }));
}

/** Yields the links in consecutive Markdown lines, except links in code. */
function* linksIn(lines: Iterable<string>): Generator<{ text: string; target: string }> {
  const fences = new CodeFences();
  for (const line of lines) if (!fences.take(line)) yield* linksInProse(line);
}
