import * as z from 'zod';
import { unsealJson, sealJson } from '#core/secrets/sealed.ts';
import type { SealContext } from '#core/secrets/sealed.ts';
import * as pageScripts from '#generated/page-scripts.js';
import { nullUnlessBrowserGone } from '#browsing/cdp/connection.ts';
import { callIn } from '#browsing/tabs/call-in-page.ts';
import type { Frame, Tab } from '#browsing/tabs/tab.ts';
import { withTimeout } from '#core/flow/abort.ts';
import { SECOND_MS } from '#core/limits.ts';

/**
 * Maximum storage of all sites of a session, as JSON. A database row of a Durable Object holds 2 MB, and some states
 * hardly shrink when they are compressed and sealed.
 */
export const PARKED_STORAGE_BYTES_MAX = 1_000_000;
/** Maximum storage of one site and kind (local or session storage). Sign-in data is far smaller. */
export const PARKED_STORAGE_AREA_BYTES_MAX = 500_000;
/** Maximum frames per tab whose storage is read. Further frames are usually advertisements. */
export const PARKED_FRAMES_PER_TAB_MAX = 30;
/** Time limit for reading a page. If a page is busy for longer, its earlier saved data is kept. */
export const PARK_READ_MS_MAX = 2 * SECOND_MS;

/** Maximum reported names of fields whose typed text is lost. Forms rarely have more fields. */
const PARKED_TYPED_MAX = 20;

/** Encrypts the state for one session. The bytes cannot be decrypted for another session. */
export async function sealState(secret: string, sessionId: string, state: ParkedState): Promise<Uint8Array> {
  return sealJson(secret, of(sessionId), state);
}

/** @returns `null` if encrypted with another secret or for another session, changed, or unreadable */
export async function unsealState(secret: string, sessionId: string, sealed: Uint8Array): Promise<ParkedState | null> {
  return parkedState.safeParse(await unsealJson(secret, of(sessionId), sealed)).data ?? null;
}

/** Encrypts the names of fields, because they are page texts like the state. */
export async function sealFieldNames(secret: string, sessionId: string, names: readonly string[]): Promise<Uint8Array> {
  return sealJson(secret, of(`typed ${sessionId}`), names);
}

export async function unsealFieldNames(secret: string, sessionId: string, sealed: Uint8Array): Promise<string[]> {
  return z.array(z.string()).safeParse(await unsealJson(secret, of(`typed ${sessionId}`), sealed)).data ?? [];
}

function of(owner: string): SealContext {
  return { what: 'parked session', owner };
}

/**
 * Names of fields whose content was changed since the page loaded. The names are page text.
 * @param earlier the last known names, used for pages that cannot be read
 * @throws {BrowserGone} if the browser ends meanwhile
 */
export async function readTypedFieldNames(tabs: readonly Tab[], earlier: readonly string[]): Promise<string[]> {
  const frames = tabs.flatMap((tab) =>
    tab
      .frames()
      .slice(0, PARKED_FRAMES_PER_TAB_MAX)
      .map((frame) => namesIn(tab, frame)),
  );
  const names = (await Promise.all(frames)).flatMap((read) => read ?? earlier);
  return [...new Set(names)].slice(0, PARKED_TYPED_MAX);
}

function namesIn(tab: Tab, frame: Frame): Promise<string[] | null> {
  return withTimeout(PARK_READ_MS_MAX, (late) =>
    callIn(tab, frame, pageScripts.listUnsavedFields, [PARKED_TYPED_MAX], late),
  ).catch(nullUnlessBrowserGone);
}

/**
 * Saved state of a parked session. Its data comes from pages and is private to the session's user. Form fields are not
 * saved, because they may contain passwords that were not submitted.
 */

const entries = z.array(z.tuple([z.string(), z.string()]));

const parkedTab = z.strictObject({
  id: z.string(),
  url: z.string(),
  title: z.string(),
  scroll: z.strictObject({ x: z.number(), y: z.number() }),
  isMissing: z.literal(true).optional(),
});

/** A cookie, with the fields that `Storage.getCookies` of the DevTools protocol returns. */
const parkedCookie = z.strictObject({
  name: z.string(),
  value: z.string(),
  /** A domain with a leading dot includes its subdomains. */
  domain: z.string(),
  path: z.string(),
  /** Unix time in seconds; `null` for a session cookie. */
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
  /** The tab of a `sessionStorage` area; `null` for `localStorage`. */
  tabId: z.string().nullable(),
  /** Chromium's storage key: the origin and, for a document embedded in another site, that site. */
  key: z.string(),
  /** Origins of nested frames, from the tab's own document inwards. The storage belongs to the last origin. */
  origins: z.array(z.string()).min(1),
  entries,
});

const loss = z.strictObject({
  what: z.enum(['tab', 'cookie', 'local_storage', 'session_storage', 'indexed_db', 'cache_storage']),
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
export type RestoreLossKind = z.output<typeof loss>;
