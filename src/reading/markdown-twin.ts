import { LLMS_TXT_DEADLINE_MS, LLMS_TXT_LINKS_MAX, SITE_FACTS_TTL_MS } from '#core/limits.ts';
import { PeriscopeError } from '#core/errors.ts';
import type { LoadedPage, LoadInput } from '#net/load.ts';

/** What an origin says of itself for language models: the address of its llms.txt, and the Markdown pages it lists. */
export type SiteFacts = { llmsTxt: string | null; markdownPages: string[] };

export type SiteFactsPort = {
  get: (origin: string, now: number) => Promise<SiteFacts | null>;
  put: (origin: string, facts: SiteFacts, expiresAt: number) => Promise<void>;
};

export type TwinDeps = {
  now: () => number;
  load: (input: LoadInput) => Promise<LoadedPage>;
  siteFacts: SiteFactsPort;
};

/**
 * llms.txt of an origin (llmstxt.org), asked for once a day. A site without one, or one that does not answer, has no
 * facts: reading a page never fails for it.
 */
export async function siteFacts(origin: string, signal: AbortSignal, deps: TwinDeps): Promise<SiteFacts> {
  const known = await deps.siteFacts.get(origin, deps.now());
  if (known !== null) return known;
  const facts = await askLlmsTxt(origin, signal, deps);
  await deps.siteFacts.put(origin, facts, deps.now() + SITE_FACTS_TTL_MS);
  return facts;
}

/**
 * The Markdown twin of an HTML page: what the page declares with `<link rel="alternate" type="text/markdown">`, else
 * what the site's llms.txt lists under the page's own address. Same origin only; never guessed. Pure.
 */
export function twinOf(url: string, html: string, facts: SiteFacts): string | null {
  const declared = declaredTwin(url, html);
  if (declared !== null) return declared;
  const listed = new Set(facts.markdownPages);
  return twinCandidates(url).find((candidate) => listed.has(candidate)) ?? null;
}

async function askLlmsTxt(origin: string, signal: AbortSignal, deps: TwinDeps): Promise<SiteFacts> {
  const none: SiteFacts = { llmsTxt: null, markdownPages: [] };
  try {
    const url = `${origin}/llms.txt`;
    const patience = AbortSignal.any([signal, AbortSignal.timeout(LLMS_TXT_DEADLINE_MS)]);
    const loaded = await deps.load({ url, signal: patience });
    const isList = !loaded.notModified && (loaded.kind === 'markdown' || loaded.kind === 'text');
    if (!isList || new URL(loaded.finalUrl).origin !== origin) return none;
    return { llmsTxt: url, markdownPages: markdownPages(loaded.text ?? '', url) };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof PeriscopeError || (error instanceof Error && error.name === 'TimeoutError')) return none;
    throw error;
  }
}

const LISTED_LINK = /\]\(\s*<?([^\s)>]+)>?/g;

function markdownPages(text: string, base: string): string[] {
  const { origin } = new URL(base);
  const pages = new Set<string>();
  for (const [, target = ''] of text.matchAll(LISTED_LINK)) {
    const page = URL.parse(target, base);
    if (page === null || page.origin !== origin || !page.pathname.endsWith('.md')) continue;
    page.hash = '';
    pages.add(page.href);
    if (pages.size >= LLMS_TXT_LINKS_MAX) break;
  }
  return [...pages];
}

/** Only the head of a page is looked at: a body can hold anything. */
const HEAD_CHARS_MAX = 200_000;
const LINK_TAG = /<link\b[^>]{1,2000}>/gi;

function declaredTwin(url: string, html: string): string | null {
  const start = html.slice(0, HEAD_CHARS_MAX);
  const bodyAt = start.search(/<body\b/i);
  const head = bodyAt < 0 ? start : start.slice(0, bodyAt);
  for (const [tag] of head.matchAll(LINK_TAG)) {
    if (attribute(tag, 'rel')?.toLowerCase() !== 'alternate') continue;
    if (attribute(tag, 'type')?.toLowerCase() !== 'text/markdown') continue;
    const target = URL.parse(attribute(tag, 'href') ?? '', url);
    if (target !== null && target.origin === new URL(url).origin && target.href !== url) return target.href;
  }
  return null;
}

function attribute(tag: string, name: string): string | null {
  const found = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s>]+))`, 'i').exec(tag);
  return found?.[1] ?? found?.[2] ?? found?.[3] ?? null;
}

/** `/guide/x.html` → `/guide/x.html.md`, `/guide/x.md`; `/guide/` → `/guide.md`, `/guide/index.md`, `/guide/index.html.md`. */
function twinCandidates(url: string): string[] {
  const { origin, pathname } = new URL(url);
  const path = pathname.replace(/\/+$/, '');
  const stem = path.replace(/\.html?$/, '');
  const paths = [`${path}.md`, `${stem}.md`, `${path}/index.md`, `${path}/index.html.md`];
  return paths.filter((candidate) => candidate !== '.md').map((candidate) => origin + candidate);
}
