import * as z from 'zod';
import { fail, PeriscopeError } from '#core/failures/failure.ts';
import { sleep, withTimeout } from '#core/flow/abort.ts';
import { SECOND_MS } from '#core/limits.ts';
import type { FileStore } from '#storage/person/stored-files.ts';
import { LIVE_IDLE_MS, LIVE_LEFT_MS } from '#browsing/live-view/limits.ts';
import type { Wheel } from '#browsing/live-view/hands.ts';
import type { HandedBack } from './answers.ts';
import { HANDOFF_LOOK_MS, HANDOFF_WAIT_MS, WALL_LOOK_MS } from './limits.ts';
import type { Live } from './live.ts';
import * as pageScripts from '#generated/page-scripts.js';
import { callIn } from '#browsing/tabs/call-in-page.ts';
import type { OpenTab } from '#browsing/tabs/open-tab.ts';
import { BrowserGone, CdpError } from '#browsing/cdp/connection.ts';

/** How it is with what a model asked a person for; `isNew`: it has just asked. */
export type Handoff = { state: 'waiting' | 'person_driving' | 'given_back' | 'declined'; isNew: boolean };

export type HandoffInput = { reason: string; declines: boolean };

const stored = z.object({
  /** What a model asks for, until a person has done it or will not. */
  asked: z.object({ reason: z.string(), tab: z.string().nullable() }).nullable(),
  /** The page that drives: since when, when its person last did something, and when it went. */
  driver: z
    .object({
      page: z.string(),
      /** Whose page it is; not known of those who took the session before this was stored. */
      person: z.string().nullable().default(null),
      since: z.number(),
      usedAt: z.number(),
      leftAt: z.number().nullable(),
    })
    .nullable(),
  /** What came of what was asked for, until the model that waits has heard. */
  outcome: z.enum(['given_back', 'declined']).nullable(),
  /** What the person changed, until a result has told. */
  untold: z
    .object({
      seconds: z.number(),
      how: z.enum(['given_back', 'left', 'idle']),
      moved: z.array(z.string()),
      opened: z.array(z.string()),
      closed: z.array(z.string()),
      hasSignedIn: z.boolean(),
    })
    .nullable(),
});
type Stored = z.output<typeof stored>;
const NOTHING: Stored = { asked: null, driver: null, outcome: null, untold: null };
const KEY = 'handover';

export type HandoverDeps = {
  storage: DurableObjectStorage;
  now: () => number;
  live: () => Live | null;
  /** Resolves when no call is at work. @throws {PeriscopeError} `session_busy` */
  turn: () => Promise<void>;
  /** The files of a person. */
  filesOf: (subject: string) => FileStore;
  /** Keeps what the session needs to come back. */
  keep: () => Promise<void>;
  /** The person does not drive any more. */
  rested: () => void;
};

/**
 * Whether a person or models drive the session. It is stored, so that neither a deploy nor a crash hands the session to
 * models while a person is at it: they have the time to come back that those who leave have.
 */
export class Handover implements Wheel {
  readonly #deps: HandoverDeps;
  #state: Stored = NOTHING;
  /** Its driver waits for the call that is at work. */
  #isReady = false;
  /** What the model that asks was told last. */
  #told: Handoff['state'] = 'waiting';
  /** How the session was when the person took it; `null` when it has been restarted since. */
  #mark: Mark | null = null;

  constructor(deps: HandoverDeps) {
    this.#deps = deps;
  }

  async read(): Promise<void> {
    const { storage, now } = this.#deps;
    const value = await storage.get(KEY);
    this.#state = value === undefined ? NOTHING : stored.parse(value);
    const { driver } = this.#state;
    if (driver !== null) this.#state = { ...this.#state, driver: { ...driver, leftAt: driver.leftAt ?? now() } };
    this.#isReady = driver !== null;
  }

  /** The storage is emptied by whoever owns it. */
  forget(): void {
    this.#state = NOTHING;
    this.#mark = null;
  }

  get driver(): Wheel['driver'] {
    const { driver } = this.#state;
    return driver === null ? null : { page: driver.page, isReady: this.#isReady };
  }

  get asked(): string | null {
    return this.#state.asked?.reason ?? null;
  }

  get askedTab(): string | null {
    return this.#state.asked?.tab ?? null;
  }

  /** @throws {PeriscopeError} `handed_over` while a person drives */
  async refuseActing(session: string): Promise<void> {
    await this.settle();
    const { driver } = this.#state;
    if (driver === null) return;
    const forSeconds = Math.round((this.#deps.now() - driver.since) / SECOND_MS);
    fail({ code: 'handed_over', session, forSeconds });
  }

  async take(page: string, person: string): Promise<string | null> {
    await this.settle();
    const { driver } = this.#state;
    if (driver !== null && driver.page !== page)
      return 'Another page drives the session. It has to give it back first.';
    if (driver !== null) return null;
    const now = this.#deps.now();
    this.#isReady = false;
    await this.#change({ driver: { page, person, since: now, usedAt: now, leftAt: null } });
    try {
      await this.#deps.turn();
      const live = this.#deps.live();
      this.#mark = live === null ? null : await markOf(live);
    } catch (error) {
      await this.#change({ driver: null });
      if (error instanceof PeriscopeError) return 'A call of the model is still at work. Try again in a moment.';
      throw error;
    }
    this.attach();
    this.#isReady = true;
    return null;
  }

  /** A browser has just been opened for the session: it is driven by whoever drives the session. */
  attach(): void {
    const live = this.#deps.live();
    if (live === null) return;
    const { driver } = this.#state;
    live.tabs.hands.areOn = driver !== null;
    const person = driver?.person ?? null;
    live.downloads.beDrivenBy(person === null ? null : this.#deps.filesOf(person));
  }

  async give(page: string): Promise<void> {
    if (this.#state.driver?.page === page && this.#isReady) await this.#end('given_back');
  }

  async decline(): Promise<void> {
    if (this.#state.asked === null || this.#state.driver !== null) return;
    await this.#change({ asked: null, outcome: 'declined' });
  }

  met(page: string): void {
    this.#setLeft(page, null);
  }

  left(page: string): void {
    this.#setLeft(page, this.#deps.now());
  }

  used(): void {
    const { driver } = this.#state;
    if (driver === null) return;
    this.#state = { ...this.#state, driver: { ...driver, usedAt: this.#deps.now() } };
    this.#deps.live()?.downloads.goOn();
  }

  /** When a person was at it last; `null` when models drive. */
  get usedAt(): number | null {
    return this.#state.driver?.usedAt ?? null;
  }

  async settle(): Promise<void> {
    const { driver } = this.#state;
    if (driver === null || !this.#isReady) return;
    const now = this.#deps.now();
    if (driver.leftAt !== null && now - driver.leftAt >= LIVE_LEFT_MS) await this.#end('left');
    else if (now - driver.usedAt >= LIVE_IDLE_MS) await this.#end('idle');
  }

  /** What a person changed since the last result, if they did. It counts as told once {@link told} is called. */
  get untold(): HandedBack | null {
    return this.#state.driver === null ? this.#state.untold : null;
  }

  async told(): Promise<void> {
    if (this.#state.untold !== null) await this.#change({ untold: null });
  }

  /** A model went on: whoever asked has heard. */
  async wentOn(): Promise<void> {
    if (this.#state.outcome !== null || this.#state.asked !== null) await this.#change({ outcome: null, asked: null });
  }

  /** Whether somebody has asked, or a person is at it, so that there is something to wait for. */
  get isUnderWay(): boolean {
    const { asked, driver, outcome } = this.#state;
    return asked !== null || driver !== null || outcome !== null;
  }

  /** Asks for a person. */
  async ask(reason: string, tab: string | null): Promise<Handoff> {
    await this.#change({ asked: { reason, tab }, outcome: null });
    this.#told = this.#handoffState;
    return { state: this.#told, isNew: true };
  }

  /** Waits a while for what comes of it, unless something has since it was told last. */
  async wait(reason: string, tab: string | null): Promise<Handoff> {
    const before = this.#told;
    const until = this.#deps.now() + HANDOFF_WAIT_MS;
    if (this.#state.outcome === null) await this.#change({ asked: { reason, tab } });
    while (this.#state.outcome === null && this.#handoffState === before && this.#deps.now() < until) {
      await sleep(HANDOFF_LOOK_MS);
      await this.settle();
    }
    const state = this.#handoffState;
    this.#told = state;
    if (state !== 'person_driving' && this.#state.outcome !== null) await this.#change({ outcome: null });
    return { state, isNew: false };
  }

  get #handoffState(): Handoff['state'] {
    const { driver, outcome } = this.#state;
    return driver !== null ? 'person_driving' : (outcome ?? 'waiting');
  }

  #setLeft(page: string, leftAt: number | null): void {
    const { driver } = this.#state;
    if (driver?.page !== page) return;
    void this.#change({ driver: { ...driver, leftAt } });
  }

  async #end(how: HandedBack['how']): Promise<void> {
    const { driver, asked } = this.#state;
    if (driver === null) return;
    const seconds = Math.round((this.#deps.now() - driver.since) / SECOND_MS);
    // From here on nothing of the person's hands is done, and no call begins yet.
    this.#isReady = false;
    this.#deps.rested();
    const live = this.#deps.live();
    const changed = live === null || this.#mark === null ? NOT_KNOWN : await changedSince(this.#mark, live);
    if (live !== null) forgetWhatWasShown(live);
    this.#mark = null;
    await this.#deps.keep();
    const outcome = asked === null ? this.#state.outcome : 'given_back';
    await this.#change({ driver: null, asked: null, outcome, untold: { seconds, how, ...changed } });
    this.attach();
  }

  async #change(change: Partial<Stored>): Promise<void> {
    this.#state = { ...this.#state, ...change };
    await this.#deps.storage.put(KEY, this.#state);
  }
}

const NOT_KNOWN = { moved: [], opened: [], closed: [], hasSignedIn: false };

/** What models know of the pages is from before. */
function forgetWhatWasShown(live: Live): void {
  live.looks = new WeakMap();
  for (const tab of live.tabs.all()) {
    live.refs.forgetTab(tab.id);
    tab.picture = null;
  }
}

/** How a session was before a person drove it. */
type Mark = {
  places: ReadonlyMap<string, string>;
  cookies: ReadonlyMap<string, string>;
  /** Whether a page asked for a password or a code. */
  askedForSecret: boolean;
};

async function markOf(live: Live): Promise<Mark> {
  const [cookies, askedForSecret] = await Promise.all([cookiesOf(live), asksForSecret(live)]);
  return { places: placesOf(live), cookies, askedForSecret };
}

async function changedSince(mark: Mark, live: Live): Promise<Omit<HandedBack, 'seconds' | 'how'>> {
  const now = placesOf(live);
  const [cookies, stillAsks] = await Promise.all([cookiesOf(live), asksForSecret(live)]);
  const hasNewCookies = [...cookies].some(([name, value]) => mark.cookies.get(name) !== value);
  return {
    moved: [...now].filter(([id, place]) => mark.places.has(id) && mark.places.get(id) !== place).map(([id]) => id),
    opened: [...now.keys()].filter((id) => !mark.places.has(id)),
    closed: [...mark.places.keys()].filter((id) => !now.has(id)),
    // What asked for a password asks no more, and the site knows the browser by something new.
    hasSignedIn: mark.askedForSecret && !stillAsks && hasNewCookies,
  };
}

function placesOf({ tabs }: Live): Map<string, string> {
  return new Map(tabs.all().map((tab) => [tab.id, tab.main().url]));
}

async function cookiesOf({ browser, contextId }: Live): Promise<Map<string, string>> {
  try {
    const { cookies } = await browser.connection.browser.send('Storage.getCookies', { browserContextId: contextId });
    return new Map(cookies.map(({ domain, path, name, value }) => [`${domain} ${path} ${name}`, value]));
  } catch (error) {
    if (error instanceof CdpError || error instanceof BrowserGone) return new Map();
    throw error;
  }
}

async function asksForSecret({ tabs }: Live): Promise<boolean> {
  const walls = await Promise.all(tabs.all().map(wallOf));
  return walls.some((wall) => wall === 'password' || wall === 'code');
}

/** What stands in the way of a tab; empty for nothing, and where the page does not answer. */
export async function wallOf(tab: OpenTab): Promise<'password' | 'code' | 'captcha' | ''> {
  // A page that is busy, gone or broken is told without.
  return withTimeout(WALL_LOOK_MS, (late) => callIn(tab, tab.main(), pageScripts.wallHere, [], late)).catch(() => '');
}
