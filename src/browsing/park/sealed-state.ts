import * as z from 'zod';
import { openJson, sealJson } from '#core/secrets/sealed.ts';
import type { SealedAs } from '#core/secrets/sealed.ts';
import * as pageScripts from '#generated/page-scripts.js';
import { BrowserGone } from '#browsing/cdp/connection.ts';
import { callIn } from '#browsing/tabs/call-in-page.ts';
import type { Frame } from '#browsing/tabs/frame.ts';
import type { Tab } from '#browsing/tabs/tab.ts';
import { withTimeout } from '#core/flow/abort.ts';
import { PARK_READ_MS, PARKED_FRAMES_PER_TAB_MAX, PARKED_TYPED_MAX } from './limits.ts';

/** Seals a parked session: the bytes of one session cannot be opened as another. */
export async function sealState(secret: string, sessionId: string, state: ParkedState): Promise<Uint8Array> {
  return sealJson(secret, of(sessionId), state);
}

/** @returns `null` when it was sealed with another secret or for another session, was changed, or cannot be read */
export async function openState(secret: string, sessionId: string, sealed: Uint8Array): Promise<ParkedState | null> {
  return parkedState.safeParse(await openJson(secret, of(sessionId), sealed)).data ?? null;
}

/** Names of fields, which are the page's: sealed like the state, and opened by it alone. */
export async function sealTyped(secret: string, sessionId: string, names: readonly string[]): Promise<Uint8Array> {
  return sealJson(secret, of(`typed ${sessionId}`), names);
}

export async function openTyped(secret: string, sessionId: string, sealed: Uint8Array): Promise<string[]> {
  return z.array(z.string()).safeParse(await openJson(secret, of(`typed ${sessionId}`), sealed)).data ?? [];
}

function of(owner: string): SealedAs {
  return { what: 'parked session', owner };
}

/**
 * The names of fields with something in them that their pages did not come with, in the page's words.
 *
 * @param earlier the names when they were last read, which stay as long as a page cannot be read
 * @throws {BrowserGone} when the browser ends meanwhile
 */
export async function typedIn(tabs: readonly Tab[], earlier: readonly string[]): Promise<string[]> {
  const frames = tabs.flatMap((tab) =>
    tab
      .frames()
      .slice(0, PARKED_FRAMES_PER_TAB_MAX)
      .map((frame) => namesIn(tab, frame)),
  );
  const names = (await Promise.all(frames)).flatMap((read) => read ?? earlier);
  return [...new Set(names)].slice(0, PARKED_TYPED_MAX);
}

/** @returns `null` when the document is busy, or gone to another one */
async function namesIn(tab: Tab, frame: Frame): Promise<string[] | null> {
  try {
    return await withTimeout(PARK_READ_MS, (late) =>
      callIn(tab, frame, pageScripts.typedFields, [PARKED_TYPED_MAX], late),
    );
  } catch (error) {
    if (error instanceof BrowserGone) throw error;
    return null;
  }
}

/**
 * What is kept of a browser session that has no browser. It is plain data, comes from pages, and is secret to the
 * session's owner. Form fields are not kept, because they may hold passwords that nobody sent.
 */

const entries = z.array(z.tuple([z.string(), z.string()]));

const parkedTab = z.strictObject({
  id: z.string(),
  url: z.string(),
  title: z.string(),
  /** CSS pixels. */
  scroll: z.strictObject({ x: z.number(), y: z.number() }),
  /** The page could not be loaded when the session was restored, so its tab is empty until it can. */
  isMissing: z.literal(true).optional(),
});

/** In the form that `Storage.getCookies` of the DevTools protocol gives. */
const parkedCookie = z.strictObject({
  name: z.string(),
  value: z.string(),
  /** With a leading dot, it includes subdomains. */
  domain: z.string(),
  path: z.string(),
  /** Seconds since 1970; `null` for a session cookie. */
  expires: z.number().nullable(),
  httpOnly: z.boolean(),
  secure: z.boolean(),
  sameSite: z.enum(['Strict', 'Lax', 'None']).nullable(),
  priority: z.enum(['Low', 'Medium', 'High']),
  sourceScheme: z.enum(['Unset', 'NonSecure', 'Secure']),
  sourcePort: z.number(),
  partitionKey: z.strictObject({ topLevelSite: z.string(), hasCrossSiteAncestor: z.boolean() }).nullable(),
});

const storageArea = z.strictObject({
  /** The tab to which this `sessionStorage` belongs; `null` for `localStorage`. */
  tabId: z.string().nullable(),
  /** Chromium's name for the area: the origin and, if it is embedded in another site, that site. */
  key: z.string(),
  /** The origins of nested frames, from the tab's own down. The document of the last one sees this area. */
  origins: z.array(z.string()).min(1),
  entries,
});

const loss = z.strictObject({
  what: z.enum(['tab', 'cookie', 'local_storage', 'session_storage', 'indexed_db', 'cache_storage']),
  /** Where it belongs; `null` if unknown. It comes from a page. */
  origin: z.string().nullable(),
  count: z.number(),
});

const parkedState = z.strictObject({
  version: z.literal(1),
  tabs: z.array(parkedTab),
  cookies: z.array(parkedCookie),
  areas: z.array(storageArea),
  lost: z.array(loss),
});

export type ParkedState = z.output<typeof parkedState>;
export type ParkedTab = z.output<typeof parkedTab>;
export type ParkedCookie = z.output<typeof parkedCookie>;
export type StorageArea = z.output<typeof storageArea>;
/** Something that existed and was not kept. */
export type Loss = z.output<typeof loss>;
