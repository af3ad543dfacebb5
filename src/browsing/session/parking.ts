import { CALL_DEADLINE_MS } from '#core/limits.ts';
import { withPageTexts } from '#core/page-texts.ts';
import type { Texts } from '#core/page-texts.ts';
import { withTimeout } from '#core/with-timeout.ts';
import { capture } from '#browsing/park/capture.ts';
import type { ParkedState } from '#browsing/park/parked-state.ts';
import { restore } from '#browsing/park/restore.ts';
import type { TabDoor } from '#browsing/park/restore.ts';
import { openState, openTyped, sealState, sealTyped } from '#browsing/park/sealed-state.ts';
import { typedIn } from '#browsing/park/typed.ts';
import type { Restored } from './answers.ts';
import { readSealed, readTyped, writeSealed, writeTyped } from './kept.ts';
import type { Live } from './live.ts';

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
