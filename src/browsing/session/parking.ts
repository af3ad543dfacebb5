import { CALL_DEADLINE_MS } from '#core/limits.ts';
import { withPageTexts } from '#core/text/page-texts.ts';
import type { Texts } from '#core/text/page-texts.ts';
import { withTimeout } from '#core/flow/abort.ts';
import { capture } from '#browsing/park/capture.ts';
import type { ParkedState } from '#browsing/park/sealed-state.ts';
import { restore } from '#browsing/park/restore.ts';
import type { TabDoor } from '#browsing/park/restore.ts';
import { openState, openTyped, sealState, sealTyped, typedIn } from '#browsing/park/sealed-state.ts';
import type { Caller, Restored } from './answers.ts';
import type { Live } from './live.ts';
import * as z from 'zod';
import { tabSettings, USUAL_SETTINGS } from '#browsing/tabs/settings.ts';
import { sessionKey } from './registry.ts';

/** Stores the pages of one session, sealed, in the storage of its object. */
export class Parking {
  readonly #storage: DurableObjectStorage;
  readonly #sealId: string;
  readonly #secret: string | null;
  /** The last captured state. It includes storage of sites that no tab shows any more. */
  #last: ParkedState | null = null;
  /** Names of the fields that were filled when it was captured, in the page's words. */
  #typed: string[] = [];

  /** @param secret `null`: nothing may be stored */
  constructor(storage: DurableObjectStorage, sealId: string, secret: string | null) {
    this.#storage = storage;
    this.#sealId = sealId;
    this.#secret = secret;
  }

  /** Restores the stored state in a new browser. @returns what could not be restored */
  async bringBack(live: Live): Promise<Restored> {
    const sealed = await readSealed(this.#storage);
    if (sealed === null) return { couldNot: ['nothing of it had been stored'] };
    const state = this.#secret === null ? null : await openState(this.#secret, this.#sealId, sealed);
    if (state === null) return { couldNot: ['what had been stored was encrypted with another secret'] };
    const { browser } = live.browser.connection;
    const restored = await withTimeout(CALL_DEADLINE_MS, (late) =>
      restore(state, tabDoor(live), browser, live.contextId, late),
    );
    this.#last = restored.state;
    const named = await readTyped(this.#storage);
    this.#typed = named === null || this.#secret === null ? [] : await openTyped(this.#secret, this.#sealId, named);
    return { couldNot: restored.couldNot, typed: this.#typed };
  }

  async keep({ browser, contextId, tabs, secrets: { hide } }: Live): Promise<void> {
    if (this.#secret === null) return;
    const [captured, typed] = await Promise.all([
      capture(browser.connection.browser, contextId, tabs.all(), this.#last),
      typedIn(tabs.all(), this.#typed),
    ]);
    const state = hide === null ? captured : withPageTexts(captured, PARKED_TEXTS, hide.whole.from);
    this.#last = state;
    await writeSealed(this.#storage, await sealState(this.#secret, this.#sealId, state));
    if (typed.join('\n') === this.#typed.join('\n')) return;
    this.#typed = typed;
    await writeTyped(this.#storage, await sealTyped(this.#secret, this.#sealId, typed));
  }

  /** Whoever owns the storage empties it. */
  forget(): void {
    this.#last = null;
    this.#typed = [];
  }
}

/** Whose the texts of what is kept are. */
const PARKED_TEXTS: Texts<ParkedState> = {
  tabs: { id: 'ours', url: 'page', title: 'page' },
  cookies: {
    name: 'page',
    value: 'page',
    domain: 'page',
    path: 'page',
    sameSite: 'ours',
    priority: 'ours',
    sourceScheme: 'ours',
    partitionKey: 'page',
  },
  areas: { tabId: 'ours', key: 'page', origins: 'page', entries: 'page' },
  lost: { what: 'ours', origin: 'page' },
};

function tabDoor({ tabs, contextId, gate }: Live): TabDoor {
  return {
    answerAll: (session, answer) => gate.answerAll(session, answer),
    open: (id) => tabs.open(contextId, id),
    close: async ({ id }) => {
      const tab = tabs.byId(id);
      if (tab !== null) await tabs.close(tab);
    },
  };
}

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
export type SessionRecord = z.output<typeof kept>;

/** For a session that is just being started: nothing is paid, and all numbers are free. */
export function newSessionRecord({ subject, session }: Caller, now: number): SessionRecord {
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

export async function readSessionRecord(storage: DurableObjectStorage): Promise<SessionRecord | null> {
  const value = await storage.get(KEPT);
  return value === undefined ? null : kept.parse(value);
}

export async function writeSessionRecord(storage: DurableObjectStorage, value: SessionRecord): Promise<void> {
  await storage.put(KEPT, value);
}

async function readSealed(storage: DurableObjectStorage): Promise<Uint8Array | null> {
  return bytesAt(storage, STATE);
}

async function readTyped(storage: DurableObjectStorage): Promise<Uint8Array | null> {
  return bytesAt(storage, TYPED);
}

async function bytesAt(storage: DurableObjectStorage, key: string): Promise<Uint8Array | null> {
  const value = await storage.get(key);
  return value instanceof Uint8Array ? value : null;
}

/** The answer of a call does not wait for this write. If the object died now, the previous state would do. */
async function writeSealed(storage: DurableObjectStorage, sealed: Uint8Array): Promise<void> {
  await storage.put(STATE, sealed, { allowUnconfirmed: true });
}

async function writeTyped(storage: DurableObjectStorage, sealed: Uint8Array): Promise<void> {
  await storage.put(TYPED, sealed, { allowUnconfirmed: true });
}
