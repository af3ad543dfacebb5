import * as z from 'zod';

/**
 * What is kept of a browser session while no browser runs for it. Plain data; everything in it comes from pages and is
 * secret to the session's owner. Form fields are not kept, since they may hold passwords nobody sent.
 */

const entries = z.array(z.tuple([z.string(), z.string()]));

const parkedTab = z.strictObject({
  id: z.string(),
  url: z.string(),
  title: z.string(),
  /** CSS pixels. */
  scroll: z.strictObject({ x: z.number(), y: z.number() }),
  /** It could not be loaded when the session was brought back: its tab is empty until it can. */
  isMissing: z.literal(true).optional(),
});

/** As `Storage.getCookies` of the DevTools protocol gives it. */
const parkedCookie = z.strictObject({
  name: z.string(),
  value: z.string(),
  /** With a dot before it: subdomains, too. */
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
  /** The tab whose `sessionStorage` it is; `null` for `localStorage`. */
  tabId: z.string().nullable(),
  /** Chromium's name for the area: origin and, within another site, that site. */
  key: z.string(),
  /** The origins to nest, the tab's own first, so that the last one's document sees this area. */
  origins: z.array(z.string()).min(1),
  entries,
});

const loss = z.strictObject({
  what: z.enum(['tab', 'cookie', 'local_storage', 'session_storage', 'indexed_db', 'cache_storage']),
  /** Where it belongs; `null` when that cannot be said. It comes from a page. */
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
/** Something that was there and is not kept. */
export type Loss = z.output<typeof loss>;
