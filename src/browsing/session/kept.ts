import * as z from 'zod';
import type { Caller } from './answers.ts';
import { tabSettings, USUAL_SETTINGS } from '#browsing/tabs/settings.ts';
import { sessionKey } from './session-name.ts';

/** What a session's object stores, beside the sealed state of its tabs. */
const kept = z.object({
  name: z.string(),
  /** Who started the session, or last restored it. Their limit and budget are charged. */
  subject: z.string(),
  key: z.string(),
  /** The last browser; `null` when it was closed on purpose. */
  browserId: z.string().nullable(),
  /** No number from here on has been used. */
  nextRef: z.number().int(),
  lastTab: z.number().int(),
  lastUsedAt: z.number(),
  /** Until when browser time is paid. */
  paidUntil: z.number(),
  /** Browser time that was paid (ms); versions before did not count it. */
  paidMs: z.number().default(0),
  /** How its pages see their window. Sessions of earlier versions have none. */
  settings: tabSettings.default(USUAL_SETTINGS),
});
export type Kept = z.output<typeof kept>;

/** For a session that is just being started: nothing is paid, and all numbers are free. */
export function newKept({ subject, session }: Caller, now: number): Kept {
  return {
    name: session,
    subject,
    key: sessionKey(subject, session),
    browserId: null,
    nextRef: 1,
    lastTab: 0,
    lastUsedAt: now,
    paidUntil: 0,
    paidMs: 0,
    settings: USUAL_SETTINGS,
  };
}

const KEPT = 'kept';
const STATE = 'state';
/** Beside the state, which versions without it read, too. */
const TYPED = 'typed';

export async function readKept(storage: DurableObjectStorage): Promise<Kept | null> {
  const value = await storage.get(KEPT);
  return value === undefined ? null : kept.parse(value);
}

export async function writeKept(storage: DurableObjectStorage, value: Kept): Promise<void> {
  await storage.put(KEPT, value);
}

export async function readSealed(storage: DurableObjectStorage): Promise<Uint8Array | null> {
  return bytesAt(storage, STATE);
}

export async function readTyped(storage: DurableObjectStorage): Promise<Uint8Array | null> {
  return bytesAt(storage, TYPED);
}

async function bytesAt(storage: DurableObjectStorage, key: string): Promise<Uint8Array | null> {
  const value = await storage.get(key);
  return value instanceof Uint8Array ? value : null;
}

/** The answer of a call does not wait for this write. If the object died now, the previous state would do. */
export async function writeSealed(storage: DurableObjectStorage, sealed: Uint8Array): Promise<void> {
  await storage.put(STATE, sealed, { allowUnconfirmed: true });
}

export async function writeTyped(storage: DurableObjectStorage, sealed: Uint8Array): Promise<void> {
  await storage.put(TYPED, sealed, { allowUnconfirmed: true });
}
