import { HOUR_MS, KIB, SECOND_MS } from '#core/limits.ts';
import { PeriscopeError } from '#core/failures/failure.ts';
import type { OriginStore } from '#core/origin-store.ts';
import { hasSecretInUrl } from '#core/secrets/secret-addresses.ts';
import { withTimeout } from '#core/flow/abort.ts';
import { readHead } from '#extract/html/page-facts.ts';
import type { NetDeps } from '#net/fetch/network.ts';
import { loadPage } from '#net/fetch/load.ts';
import type { LoadedPage, MemoryOfBody } from '#net/fetch/load.ts';
import { linksIn } from '#core/text/links.ts';
import { trimEndOf } from '#core/text/text.ts';

/** Links listed with a page. Its Markdown contains all of them. */
const PAGE_LINKS_MAX = 100;
/** The llms.txt of an origin is requested once a day, with a short timeout, because it is optional. */
const SITE_FACTS_TTL_MS = 24 * HOUR_MS;
const LLMS_TXT_DEADLINE_MS = 3 * SECOND_MS;
/** Fits more than the links up to the next limit. The remainder is cut. */
const LLMS_TXT_BYTES_MAX = 256 * KIB;
/** URLs stored from one llms.txt. The row stays far below D1's 2 MB. */
const LLMS_TXT_LINKS_MAX = 2_000;

export type SiteFacts = { llmsTxt: string | null; markdownPages: string[]; expiresAt: number };

type Facts = Omit<SiteFacts, 'expiresAt'>;

export const NO_SITE_FACTS: Facts = { llmsTxt: null, markdownPages: [] };

export type TwinDeps = {
  now: () => number;
  net: NetDeps;
  siteFacts: OriginStore<SiteFacts>;
};

/** Requests llms.txt (llmstxt.org) once a day. Without an answer, a site has no facts, and the page still opens. */
export async function readSiteFacts(origin: string, signal: AbortSignal, deps: TwinDeps): Promise<Facts> {
  const known = await deps.siteFacts.get(origin);
  if (known !== null && known.expiresAt > deps.now()) return known;
  const facts = await askLlmsTxt(origin, signal, deps);
  await deps.siteFacts.put(origin, { ...facts, expiresAt: deps.now() + SITE_FACTS_TTL_MS });
  return facts;
}

/**
 * Returns the URL that the page declares with `<link rel="alternate" type="text/markdown">`, or else the one that
 * llms.txt lists for the page. Same origin only; never guessed. Pure.
 */
export function markdownTwinUrl(url: string, html: string, facts: Facts, xml = false): string | null {
  const declared = declaredTwin(url, html, xml);
  return declared ?? twinCandidates(url).find((candidate) => facts.markdownPages.includes(candidate)) ?? null;
}

type FreshPage = Extract<LoadedPage, { notModified: false }>;

/**
 * Returns `null` if the response is not Markdown, or if a redirect leaves the page's origin.
 * @throws {PeriscopeError} if memory is short or the caller disconnects
 */
export async function loadMarkdownTwin(
  page: FreshPage,
  facts: Facts,
  memory: MemoryOfBody,
  signal: AbortSignal,
  deps: TwinDeps,
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

async function askLlmsTxt(origin: string, signal: AbortSignal, deps: TwinDeps): Promise<Facts> {
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
    // Secret URLs must not reach everyone who opens a page of the site.
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
    // An alternate style sheet is not another form of the page (HTML, "Link type alternate").
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
 * Returns the URLs under which llms.txt may list the page: `/guide/x.html` → `/guide/x.html.md`, `/guide/x.md`;
 * `/guide/` → `/guide.md`, `/guide/index.md`, `/guide/index.html.md`.
 */
function twinCandidates(url: string): string[] {
  const { origin, pathname } = new URL(url);
  const path = trimEndOf(pathname, /\//);
  const stem = path.replace(/\.html?$/, '');
  const paths = [`${path}.md`, `${stem}.md`, `${path}/index.md`, `${path}/index.html.md`];
  return paths.filter((candidate) => candidate !== '.md').map((candidate) => origin + candidate);
}

export type PageLink = { url: string; text: string };

/** Lists each URL once; links in code are ignored. Pure. */
export function linksOf(lines: readonly string[]): PageLink[] {
  const links = new Map<string, string>();
  for (const { text, target } of linksIn(lines)) {
    if (/^https?:/.test(target) && !links.has(target)) links.set(target, text.replace(/\\(.)/g, '$1').trim());
    if (links.size >= PAGE_LINKS_MAX) break;
  }
  return [...links].map(([url, text]) => ({ url, text }));
}
