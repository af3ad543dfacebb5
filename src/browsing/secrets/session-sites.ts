import { MIB } from '#core/limits.ts';
import * as z from 'zod';
import type { Protocol } from 'devtools-protocol';
import { fromBase64 } from '#core/text/base64.ts';
import { registrableDomain } from '#net/site.ts';
import type { SecondRequestCheck } from '#browsing/gate/request-gate.ts';
import { isBlankUrl } from '#browsing/tabs/tab.ts';
import type { OpenTab } from '#browsing/tabs/open-tab.ts';
import type { OpenTabs } from '#browsing/tabs/open-tabs.ts';
import type { Frame } from '#browsing/tabs/tab.ts';
import type { SecretMask } from './mask.ts';

/** Maximum sites stored for a session in each of two lists. Beyond the limit, a list matches every site. */
const SESSION_SITES_MAX = 400;
/** Maximum length of a request body, in base64, that is searched for secrets. Forms are shorter. */
const CARRIED_CHARS_MAX = 2 * MIB;

const stored = z.object({ typed: z.array(z.string()), scripted: z.array(z.string()) });

const KEY = 'sites';
/** Entry that matches every site. */
const ANY = '*';

export type SessionSitesStorage = {
  get: (key: string) => Promise<unknown>;
  put: (key: string, value: unknown) => Promise<void>;
};

/**
 * Records the sites on which a person typed or a secret was filled in, and those on which a model's script has run. No
 * site may be in both lists, because a script may stay active, and a page may store typed text in storage, cookies or
 * another tab. Both lists last until the session ends (docs/decisions/0025). A document without a site, such as
 * `about:blank`, counts as any site.
 */
export class TypedAndScriptedSites {
  readonly #storage: SessionSitesStorage;
  readonly #typed = new Set<string>();
  readonly #scripted = new Set<string>();

  constructor(storage: SessionSitesStorage) {
    this.#storage = storage;
  }

  async restore(): Promise<void> {
    this.forget();
    const value = await this.#storage.get(KEY);
    if (value === undefined) return;
    const known = stored.parse(value);
    for (const site of known.typed) this.#typed.add(site);
    for (const site of known.scripted) this.#scripted.add(site);
  }

  forget(): void {
    this.#typed.clear();
    this.#scripted.clear();
  }

  isTyped(urls: readonly string[]): boolean {
    return urls.some((url) => has(this.#typed, url));
  }

  isScripted(urls: readonly string[]): boolean {
    return urls.some((url) => has(this.#scripted, url));
  }

  /** Resolves after the sites are stored. Typing waits for this. */
  async noteTyped(urls: readonly string[]): Promise<void> {
    await this.#note(this.#typed, urls);
  }

  /** Resolves after the sites are stored. The script waits for this. */
  async noteScripted(urls: readonly string[]): Promise<void> {
    await this.#note(this.#scripted, urls);
  }

  async #note(sites: Set<string>, urls: readonly string[]): Promise<void> {
    const before = sites.size;
    for (const url of urls) sites.add(siteOrAny(url));
    if (sites.size === before) return;
    if (sites.size > SESSION_SITES_MAX) {
      sites.clear();
      sites.add(ANY);
    }
    await this.#storage.put(KEY, { typed: [...this.#typed], scripted: [...this.#scripted] });
  }
}

function siteOrAny(url: string): string {
  return registrableDomain(url) ?? ANY;
}

function has(sites: ReadonlySet<string>, url: string): boolean {
  const site = registrableDomain(url);
  return sites.has(ANY) || (site === null ? sites.size > 0 : sites.has(site));
}

/** True if a URL of each list has the same site, or if `others` contains a URL without a site, which may have any. */
export function haveSameSite(urls: readonly string[], others: readonly string[]): boolean {
  const sites = new Set(urls.map(registrableDomain));
  return others.map(registrableDomain).some((site) => site === null || sites.has(site));
}

/**
 * URLs of the documents of a tab. A frame that inherits its origin is omitted, because the origin is that of an
 * ancestor. The main document is never omitted: it may have inherited its origin from an opener.
 */
export function documentUrls(frames: readonly Frame[]): string[] {
  return frames
    .filter(({ url, parentId }) => parentId === null || registrableDomain(url) !== null)
    .map(({ url }) => url);
}

/**
 * URLs with a site that a tab shows or is loading, because a document may arrive while a script runs. With
 * `about:blank` if too many are loading.
 */
export function urlsShownOrLoading(tab: OpenTab): string[] {
  const shown = tab.frames().map(({ url }) => url);
  return [...shown.filter((url) => registrableDomain(url) !== null), ...tab.coming()];
}

/** URLs that contain a typed secret themselves. URLs without a site are skipped. */
export function urlsWithSecret(frames: readonly Frame[], mask: SecretMask | null): string[] {
  return frames
    .map(({ url }) => url)
    .filter((url) => registrableDomain(url) !== null && (mask?.places(url).length ?? 0) > 0);
}

/**
 * URLs of the documents in which a person may type: only the page knows which frame gets the input.
 * @param origin origin of the main document. A blank document may have inherited it; without one, a blank document has
 * no site
 */
export function urlsReceivingInput(frames: readonly Frame[], origin: string): string[] {
  const [main] = frames;
  const all = documentUrls(frames);
  if (main === undefined || !isBlankUrl(main.url)) return all;
  return [origin, ...all.slice(1)].filter((url) => registrableDomain(url) !== null);
}

export function urlsOfFrameAndAncestors(frame: Frame, byId: (id: string) => Frame | null): string[] {
  const around = frame.parentId === null ? null : byId(frame.parentId);
  return [frame.url, ...(around === null ? [] : urlsOfFrameAndAncestors(around, byId))];
}

/**
 * URLs of the sites that a script can reach. A document without a site has the site of its inherited origin, and may
 * reach the documents around it. Without such an origin, a script reaches no data.
 */
export function urlsInReachOfScript(frame: Frame, origin: string, byId: (id: string) => Frame | null): string[] {
  const own = registrableDomain(frame.url) === null ? urlsOfFrameAndAncestors(frame, byId) : [frame.url];
  return [origin, ...own].filter((url) => registrableDomain(url) !== null);
}

/**
 * Checks each request of a session. A site where a model's script has run may not receive a secret; any other site that
 * receives one counts as a site where a secret was typed. Such a site may not load where a script can reach it. Before
 * the first secret is typed, most checks are skipped.
 */
export function createSecretRequestCheck(
  secrets: { readonly mask: SecretMask | null; readonly sites: TypedAndScriptedSites },
  tabs: Pick<OpenTabs, 'all' | 'ofFrame'>,
): SecondRequestCheck {
  return async ({ url, frameId, resourceType }, request) => {
    const { mask, sites } = secrets;
    const tab = tabs.ofFrame(frameId);
    if (resourceType === 'Document' && sites.isTyped([url])) {
      // A request of an unknown frame may belong to any tab.
      const isInReach = tab === null ? tabs.all().some(isReachableByModelScript) : mayScriptReach(tab, frameId);
      if (isInReach) return { reason: IN_REACH };
      tab?.windows.noteTyped(tab.targetId);
    }
    if (mask === null || (sites.isTyped([url]) && !sites.isScripted([url]))) return null;
    const from = tab?.frame(frameId)?.url;
    if (!carries(request, mask, () => from === undefined || sites.isTyped([from]))) return null;
    if (sites.isScripted([url])) return { reason: 'it carries a secret to a site where browser_evaluate has run' };
    await sites.noteTyped([url]);
    return null;
  };
}

const IN_REACH = 'a secret was typed on this site, and a script of browser_evaluate may still reach this window';

export function isReachableByModelScript(tab: OpenTab): boolean {
  return tab.windows.mayReach(tab.main().loaderId);
}

/** True if a model's script may reach the frame. In a single window, a script ends with its document. */
function mayScriptReach(tab: OpenTab, frameId: string): boolean {
  return frameId === tab.main().id ? tab.windows.isScripted : isReachableByModelScript(tab);
}

/** @param mayHold true if the sender may know a secret; decides for a body that is hidden or too large to search */
function carries(request: Protocol.Network.Request, mask: SecretMask, mayHold: () => boolean): boolean {
  const { url, urlFragment = '', headers, hasPostData } = request;
  const head = [url + urlFragment, ...Object.values(headers)].join('\n');
  if (mask.whole.places(head).length > 0) return true;
  if (hasPostData !== true) return false;
  const body = bodyOf(request);
  return body === null ? mayHold() : mask.whole.places(body).length > 0;
}

/** @returns `null` for a body that the browser does not expose (files, streams), or that is too large to search */
function bodyOf({ postDataEntries = [], postData }: Protocol.Network.Request): string | null {
  const encoded = postDataEntries.map(({ bytes }) => bytes ?? null);
  if (encoded.length === 0) return postData ?? null;
  let body = '';
  for (const part of encoded) {
    if (part === null || body.length + part.length > CARRIED_CHARS_MAX) return null;
    const bytes = fromBase64(part);
    const text = UTF_8.decode(bytes);
    body += text.includes('\ufffd') ? `${text}\n${LATIN_1.decode(bytes)}` : text;
  }
  return body;
}

const UTF_8 = new TextDecoder();
const LATIN_1 = new TextDecoder('latin1');
