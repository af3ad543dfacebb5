import {
  LLMS_TXT_BYTES_MAX,
  LLMS_TXT_DEADLINE_MS,
  LLMS_TXT_LINKS_MAX,
  PAGE_LINKS_MAX,
  SITE_FACTS_TTL_MS,
} from '#reading/limits.ts';
import { PeriscopeError } from '#core/failures/failure.ts';
import type { OriginStore } from '#core/origin-store.ts';
import { hasSecret } from '#core/secrets/secret-addresses.ts';
import { withTimeout } from '#core/flow/abort.ts';
import { readHead } from '#extract/html/head.ts';
import type { NetDeps } from '#net/fetch/deps.ts';
import { loadPage } from '#net/fetch/load.ts';
import type { LoadedPage, MemoryOfBody } from '#net/fetch/load.ts';
import { CodeFences } from '#core/text/plain.ts';

/** What an origin offers to language models: the address of its llms.txt, and the Markdown pages it lists. */
export type SiteFacts = { llmsTxt: string | null; markdownPages: string[]; expiresAt: number };

type Facts = Omit<SiteFacts, 'expiresAt'>;

export const NO_FACTS: Facts = { llmsTxt: null, markdownPages: [] };

export type TwinDeps = {
  now: () => number;
  net: NetDeps;
  siteFacts: OriginStore<SiteFacts>;
};

/**
 * llms.txt of an origin (llmstxt.org), asked for once a day. A site without one, or one that does not answer, has no
 * facts: reading a page never fails for it.
 */
export async function siteFacts(origin: string, signal: AbortSignal, deps: TwinDeps): Promise<Facts> {
  const known = await deps.siteFacts.get(origin);
  if (known !== null && known.expiresAt > deps.now()) return known;
  const facts = await askLlmsTxt(origin, signal, deps);
  await deps.siteFacts.put(origin, { ...facts, expiresAt: deps.now() + SITE_FACTS_TTL_MS });
  return facts;
}

/**
 * Where an HTML page's Markdown twin should be: what its head declares with `<link rel="alternate"
 * type="text/markdown">`, else what the site's llms.txt lists under the page's own address. Same origin only; never
 * guessed. Pure.
 */
export function twinOf(url: string, html: string, facts: Facts, xml = false): string | null {
  const declared = declaredTwin(url, html, xml);
  return declared ?? twinCandidates(url).find((candidate) => facts.markdownPages.includes(candidate)) ?? null;
}

type FreshPage = Extract<LoadedPage, { notModified: false }>;

/** The twin, if it really is Markdown and comes, whatever it redirects to, from the origin that the page came from. */
export async function loadTwin(
  page: FreshPage,
  facts: Facts,
  memory: MemoryOfBody,
  signal: AbortSignal,
  deps: TwinDeps,
): Promise<FreshPage | null> {
  const { finalUrl, text, kind } = page;
  const address = twinOf(finalUrl, text ?? '', facts, kind === 'xhtml');
  if (address === null) return null;
  try {
    const twin = await loadPage({ url: address, signal, memory }, deps.net);
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
      loadPage({ url, signal: AbortSignal.any([signal, late]), cutAt: LLMS_TXT_BYTES_MAX }, deps.net),
    );
    const isList = !loaded.notModified && (loaded.kind === 'markdown' || loaded.kind === 'text');
    if (!isList || new URL(loaded.finalUrl).origin !== origin) return NO_FACTS;
    return { llmsTxt: url, markdownPages: markdownPages(loaded.text ?? '', url) };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof PeriscopeError || (error instanceof Error && error.name === 'TimeoutError')) return NO_FACTS;
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
    // What is a secret is nothing to share with everybody who opens a page of the site.
    if (hasSecret(page.href)) continue;
    pages.add(page.href);
    if (pages.size >= LLMS_TXT_LINKS_MAX) break;
  }
  return [...pages];
}

function declaredTwin(url: string, html: string, xml: boolean): string | null {
  const { links, base } = readHead(html, xml);
  for (const link of links) {
    const rel = wordsOf(link.getAttribute('rel'));
    // An alternate style sheet is no other form of the page (HTML, "Link type alternate").
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

/** `/guide/x.html` → `/guide/x.html.md`, `/guide/x.md`; `/guide/` → `/guide.md`, `/guide/index.md`, `/guide/index.html.md`. */
function twinCandidates(url: string): string[] {
  const { origin, pathname } = new URL(url);
  const path = pathname.replace(/\/+$/, '');
  const stem = path.replace(/\.html?$/, '');
  const paths = [`${path}.md`, `${stem}.md`, `${path}/index.md`, `${path}/index.html.md`];
  return paths.filter((candidate) => candidate !== '.md').map((candidate) => origin + candidate);
}

export type PageLink = { url: string; text: string };

const LINK =
  /(?<!!)\[((?:[^[\]\\]|\\.|!\[[^\]]*\]\([^)]*\))*)\]\((<[^>]*>|[^\s()]+(?:\([^\s()]*\)[^\s()]*)*)(?:\s+"[^"]*")?\)/g;

const CODE = /(?<!`)(`+)(?!`)[^`]*(?<!`)\1(?!`)/g;

/** The links of Markdown lines in order, each address once; code is ignored. Pure. */
export function linksOf(lines: readonly string[]): PageLink[] {
  const links = new Map<string, string>();
  for (const { text, target } of linksIn(lines)) {
    if (/^https?:/.test(target) && !links.has(target)) links.set(target, text.replace(/\\(.)/g, '$1').trim());
    if (links.size >= PAGE_LINKS_MAX) break;
  }
  return [...links].map(([url, text]) => ({ url, text }));
}

/** Every link of Markdown lines as it is written, except in code. */
function* linksIn(lines: Iterable<string>): Generator<{ text: string; target: string }> {
  const fences = new CodeFences();
  for (const line of lines) {
    if (fences.take(line)) continue;
    const visible = line.replace(CODE, (code) => ' '.repeat(code.length));
    for (const { index, 1: text = '', 2: target = '' } of line.matchAll(LINK)) {
      if (visible.charAt(index) === '[') yield { text, target: target.replace(/^<|>$/g, '') };
    }
  }
}
