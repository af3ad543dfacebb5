import { CALL_DEADLINE_MS } from '#core/limits.ts';
import { mapPageTexts } from '#core/text/page-texts.ts';
import type { TextOrigins } from '#core/text/page-texts.ts';
import { withTimeout } from '#core/flow/abort.ts';
import { captureSession } from '#browsing/park/capture.ts';
import type { ParkedState } from '#browsing/park/sealed-state.ts';
import { restoreSession } from '#browsing/park/restore.ts';
import type { RestoreTabAccess } from '#browsing/park/restore.ts';
import {
  unsealState,
  unsealFieldNames,
  sealState,
  sealFieldNames,
  readTypedFieldNames,
} from '#browsing/park/sealed-state.ts';
import type { Caller, RestoreLosses } from './replies.ts';
import type { ActiveSession } from './active-session.ts';
import * as z from 'zod';
import { tabSettingsSchema, DEFAULT_TAB_SETTINGS } from '#browsing/tabs/settings.ts';
import { sessionKey } from './session-name.ts';

export class SessionParking {
  readonly #storage: DurableObjectStorage;
  readonly #sealId: string;
  readonly #secret: string | null;
  /** State of the last save or restore; `null` before. It also has the storage of sites without an open tab. */
  #last: ParkedState | null = null;
  #typed: string[] = [];

  constructor(storage: DurableObjectStorage, sealId: string, secret: string | null) {
    this.#storage = storage;
    this.#sealId = sealId;
    this.#secret = secret;
  }

  async restore(active: ActiveSession): Promise<RestoreLosses> {
    const sealed = await bytesAt(this.#storage, STATE);
    if (sealed === null) return { couldNot: ['nothing of it had been stored'], typed: [] };
    const state = this.#secret === null ? null : await unsealState(this.#secret, this.#sealId, sealed);
    if (state === null) return { couldNot: ['what had been stored was encrypted with another secret'], typed: [] };
    const { browser } = active.browser.connection;
    const restored = await withTimeout(CALL_DEADLINE_MS, (late) =>
      restoreSession(state, tabAccess(active), browser, active.contextId, late),
    );
    this.#last = restored.state;
    const named = await bytesAt(this.#storage, TYPED);
    this.#typed =
      named === null || this.#secret === null ? [] : await unsealFieldNames(this.#secret, this.#sealId, named);
    return { couldNot: restored.couldNot, typed: this.#typed };
  }

  async save({ browser, contextId, tabs, secrets: { mask } }: ActiveSession): Promise<void> {
    if (this.#secret === null) return;
    const [captured, typed] = await Promise.all([
      captureSession(browser.connection.browser, contextId, tabs.all(), this.#last),
      readTypedFieldNames(tabs.all(), this.#typed),
    ]);
    const state = mask === null ? captured : mapPageTexts(captured, PARKED_TEXTS, mask.whole.from);
    this.#last = state;
    await keepSealed(this.#storage, STATE, await sealState(this.#secret, this.#sealId, state));
    if (typed.join('\n') === this.#typed.join('\n')) return;
    this.#typed = typed;
    await keepSealed(this.#storage, TYPED, await sealFieldNames(this.#secret, this.#sealId, typed));
  }

  forget(): void {
    this.#last = null;
    this.#typed = [];
  }
}

const PARKED_TEXTS: TextOrigins<ParkedState> = {
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

function tabAccess({ tabs, contextId, gate }: ActiveSession): RestoreTabAccess {
  return {
    fulfillAll: (session, answer) => gate.fulfillAll(session, answer),
    open: (id) => tabs.open(contextId, id),
    close: async ({ id }) => {
      const tab = tabs.byId(id);
      if (tab !== null) await tabs.close(tab);
    },
  };
}

const sessionRecord = z.object({
  name: z.string(),
  /** The user who started the session or last restored it. The session counts against this user's limit and budget. */
  subject: z.string(),
  key: z.string(),
  /** Id of the browser; `null` before the first start, after a failed start, and after parking. */
  browserId: z.string().nullable(),
  nextRef: z.number().int(),
  lastTab: z.number().int(),
  lastUsedAt: z.number(),
  /** End of the paid browser time, as Unix time in ms. */
  paidUntil: z.number(),
  /** Total paid browser time in ms. */
  paidMs: z.number(),
  settings: tabSettingsSchema,
});
export type SessionRecord = z.output<typeof sessionRecord>;

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
    settings: DEFAULT_TAB_SETTINGS,
  };
}

const RECORD_KEY = 'record';
const STATE = 'state';
const TYPED = 'typed';

export async function readSessionRecord(storage: DurableObjectStorage): Promise<SessionRecord | null> {
  const value = await storage.get(RECORD_KEY);
  return value === undefined ? null : sessionRecord.parse(value);
}

export async function writeSessionRecord(storage: DurableObjectStorage, value: SessionRecord): Promise<void> {
  await storage.put(RECORD_KEY, value);
}

async function bytesAt(storage: DurableObjectStorage, key: string): Promise<Uint8Array | null> {
  const value = await storage.get(key);
  return value instanceof Uint8Array ? value : null;
}

/** Stores an encrypted value. Calls do not wait for confirmation, so a crash may lose the last state. */
async function keepSealed(storage: DurableObjectStorage, key: string, sealed: Uint8Array): Promise<void> {
  await storage.put(key, sealed, { allowUnconfirmed: true });
}
