import * as z from 'zod';

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

export const parkedState = z.strictObject({
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
