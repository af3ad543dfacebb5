import * as z from 'zod';
import { openJson, sealJson } from '#core/sealed.ts';
import type { SealedAs } from '#core/sealed.ts';
import { parkedState } from './parked-state.ts';
import type { ParkedState } from './parked-state.ts';

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
