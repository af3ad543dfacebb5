import * as z from 'zod';
import { fail, PeriscopeError } from '#core/failures/failure.ts';
import { sleep, withTimeout } from '#core/flow/abort.ts';
import { SECOND_MS } from '#core/limits.ts';
import type { FileStore } from '#storage/person/stored-files.ts';
import { LIVE_DRIVER_IDLE_MS, LIVE_DRIVER_RETURN_MS } from '#browsing/live-view/limits.ts';
import type { TakeoverControl } from '#browsing/live-view/live-view.ts';
import type { LiveApprovalLink } from '#browsing/live-view/messages.ts';
import type { HandBackReport } from './replies.ts';
import type { ActiveSession } from './active-session.ts';
import * as pageScripts from '#generated/page-scripts.js';
import { callIn } from '#browsing/tabs/call-in-page.ts';
import type { Tab } from '#browsing/tabs/tab.ts';
import { isTargetGone } from '#browsing/cdp/connection.ts';

/** Time that a call waits for a person to take over. MCP clients give up after about 60 s. */
const HANDOFF_WAIT_MS_MAX = 20 * SECOND_MS;
const HANDOFF_LOOK_MS = 250;
/** Time limit for detecting a sign-in page or bot check. A page that takes longer counts as having neither. */
const WALL_LOOK_MS = 2_000;

/** Progress of a hand-over. */
export type HandoffState = {
  state: 'waiting' | 'person_driving' | 'given_back' | 'declined';
  isNew: boolean;
  /** True if the person left or was idle and did not hand the session back. */
  hasLeft?: boolean | undefined;
};

export type HandoffRequestInput = { reason: string; declines: boolean };

const stored = z.object({
  asked: z.object({ reason: z.string(), tab: z.string().nullable() }).nullable(),
  driver: z
    .object({
      page: z.string(),
      person: z.string(),
      since: z.number(),
      usedAt: z.number(),
      leftAt: z.number().nullable(),
    })
    .nullable(),
  outcome: z.enum(['given_back', 'declined']).nullable(),
  hasLeft: z.boolean(),
  untold: z
    .object({
      seconds: z.number(),
      how: z.enum(['given_back', 'left', 'idle']),
      moved: z.array(z.string()),
      opened: z.array(z.string()),
      closed: z.array(z.string()),
      hasSignedIn: z.boolean(),
      stillAsks: z.enum(['password', 'code', 'captcha', '']),
    })
    .nullable(),
});
type Stored = z.output<typeof stored>;
const NOTHING: Stored = { asked: null, driver: null, outcome: null, hasLeft: false, untold: null };
const KEY = 'handover';

type HandoverDeps = {
  storage: DurableObjectStorage;
  now: () => number;
  active: () => ActiveSession | null;
  /** Waits for the running call. @throws {PeriscopeError} `session_busy` */
  waitForTurn: () => Promise<void>;
  filesOf: (subject: string) => FileStore;
  keep: () => Promise<void>;
  /** The session's approval question that waits for an answer; `null` for none. */
  question: () => LiveApprovalLink | null;
  /** Called when the person stops driving. Resolves when the page has its previous viewport size again. */
  onTakeOverEnded: () => Promise<void>;
};

/**
 * Records whether a person or the model drives the session. The record is stored, so that no call acts while a person
 * drives, even after a deploy or crash. After a restart, the person has the usual time to reconnect.
 */
export class Handover implements TakeoverControl {
  readonly #deps: HandoverDeps;
  #state: Stored = NOTHING;
  #isReady = false;
  #hasGivenBack = false;
  #reportedState: HandoffState['state'] = 'waiting';
  /** Tabs and cookies at the start of the hand-over; `null` outside one, without a browser, and after a restart. */
  #baseline: Baseline | null = null;

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

  forget(): void {
    this.#state = NOTHING;
    this.#baseline = null;
  }

  isOf(subject: string): boolean {
    return this.#state.driver?.person === subject;
  }

  get driver(): TakeoverControl['driver'] {
    const { driver } = this.#state;
    return driver === null ? null : { page: driver.page, person: driver.person, isReady: this.#isReady };
  }

  get request(): string | null {
    return this.#state.asked?.reason ?? null;
  }

  get question(): LiveApprovalLink | null {
    return this.#deps.question();
  }

  get requestedTab(): string | null {
    return this.#state.asked?.tab ?? null;
  }

  /** @throws {PeriscopeError} `handed_over` while a person drives */
  async refuseActing(session: string): Promise<void> {
    await this.endIfAbandoned();
    const { driver } = this.#state;
    if (driver === null) return;
    const forSeconds = Math.round((this.#deps.now() - driver.since) / SECOND_MS);
    fail({ code: 'handed_over', session, forSeconds });
  }

  async take(page: string, person: string): Promise<string | null> {
    await this.endIfAbandoned();
    const { driver } = this.#state;
    if (driver !== null && driver.page !== page && (driver.person !== person || !this.#isReady))
      return 'Another window has control of the session. Give it back there first.';
    const now = this.#deps.now();
    if (driver !== null) {
      // The same person continues in another window.
      if (driver.page !== page) await this.#change({ driver: { ...driver, page, usedAt: now, leftAt: null } });
      return null;
    }
    this.#isReady = false;
    this.#hasGivenBack = false;
    await this.#change({ driver: { page, person, since: now, usedAt: now, leftAt: null } });
    try {
      await this.#deps.waitForTurn();
      const active = this.#deps.active();
      this.#baseline = active === null ? null : await baselineOf(active);
    } catch (error) {
      await this.#change({ driver: null });
      if (error instanceof PeriscopeError) return 'A call of the model is still at work. Try again in a moment.';
      throw error;
    }
    this.applyDriver();
    this.#isReady = true;
    if (this.#hasGivenBack) await this.#end('given_back');
    return null;
  }

  applyDriver(): void {
    const active = this.#deps.active();
    if (active === null) return;
    const { driver } = this.#state;
    active.tabs.driver.isDriving = driver !== null;
    void active.tabs.guards.renew();
    if (driver !== null) active.rules.forgetActs(active.tabs.all());
    const person = driver?.person ?? null;
    active.downloads.setDriversStore(person === null ? null : this.#deps.filesOf(person));
  }

  async giveBack(page: string): Promise<void> {
    if (this.#state.driver?.page !== page) return;
    this.#hasGivenBack = true;
    if (this.#isReady) await this.#end('given_back');
  }

  async decline(): Promise<void> {
    if (this.#state.asked === null || this.#state.driver !== null) return;
    await this.#change({ asked: null, outcome: 'declined' });
  }

  connected(page: string): void {
    this.#setLeft(page, null);
  }

  disconnected(page: string): void {
    this.#setLeft(page, this.#deps.now());
  }

  noteUse(): void {
    const { driver } = this.#state;
    if (driver === null) return;
    this.#state = { ...this.#state, driver: { ...driver, usedAt: this.#deps.now() } };
    this.#deps.active()?.downloads.allowMore();
  }

  get usedAt(): number | null {
    return this.#state.driver?.usedAt ?? null;
  }

  async endIfAbandoned(): Promise<void> {
    const { driver } = this.#state;
    if (driver === null || !this.#isReady) return;
    const now = this.#deps.now();
    if (driver.leftAt !== null && now - driver.leftAt >= LIVE_DRIVER_RETURN_MS) await this.#end('left');
    else if (now - driver.usedAt >= LIVE_DRIVER_IDLE_MS) await this.#end('idle');
  }

  get unreported(): HandBackReport | null {
    return this.#state.driver === null ? this.#state.untold : null;
  }

  async reported(): Promise<void> {
    if (this.#state.untold !== null) await this.#change({ untold: null });
  }

  async clearRequest(): Promise<void> {
    if (this.#state.outcome !== null || this.#state.asked !== null) await this.#change({ outcome: null, asked: null });
  }

  get isPending(): boolean {
    const { asked, driver, outcome } = this.#state;
    return asked !== null || driver !== null || outcome !== null;
  }

  async ask(reason: string, tab: string | null): Promise<HandoffState> {
    await this.#change({ asked: { reason, tab }, outcome: null });
    this.#reportedState = this.#handoffState;
    return { state: this.#reportedState, isNew: true };
  }

  /** Waits until the state changes, for a limited time. Returns immediately if it has changed since the last report. */
  async wait(reason: string, tab: string | null, cancelled: AbortSignal): Promise<HandoffState> {
    const before = this.#reportedState;
    const until = this.#deps.now() + HANDOFF_WAIT_MS_MAX;
    if (this.#state.outcome === null) await this.#change({ asked: { reason, tab } });
    while (this.#state.outcome === null && this.#handoffState === before && this.#deps.now() < until) {
      await sleep(HANDOFF_LOOK_MS, cancelled);
      await this.endIfAbandoned();
    }
    const state = this.#handoffState;
    const hasLeft = state === 'given_back' && this.#state.hasLeft;
    this.#reportedState = state;
    if (state !== 'person_driving' && this.#state.outcome !== null) await this.#change({ outcome: null });
    return { state, isNew: false, ...(hasLeft ? { hasLeft } : {}) };
  }

  get #handoffState(): HandoffState['state'] {
    const { driver, outcome } = this.#state;
    return driver !== null ? 'person_driving' : (outcome ?? 'waiting');
  }

  #setLeft(page: string, leftAt: number | null): void {
    const { driver } = this.#state;
    if (driver?.page !== page) return;
    void this.#change({ driver: { ...driver, leftAt } });
  }

  async #end(how: HandBackReport['how']): Promise<void> {
    const { driver, asked } = this.#state;
    if (driver === null) return;
    const seconds = Math.round((this.#deps.now() - driver.since) / SECOND_MS);
    // From here on, the person's input is ignored. Calls are still refused until the hand-over is recorded below.
    this.#isReady = false;
    let changed = NOT_KNOWN;
    try {
      await this.#deps.onTakeOverEnded();
      const active = this.#deps.active();
      if (active !== null && this.#baseline !== null) changed = await changedSince(this.#baseline, active);
      if (active !== null) forgetShown(active);
      await this.#deps.keep();
    } finally {
      // Must run after any failure. Otherwise, a session that nobody is driving would refuse every call.
      this.#baseline = null;
      const outcome = asked === null ? this.#state.outcome : 'given_back';
      const hasLeft = how !== 'given_back';
      await this.#change({ driver: null, asked: null, outcome, hasLeft, untold: { seconds, how, ...changed } });
      this.applyDriver();
    }
  }

  async #change(change: Partial<Stored>): Promise<void> {
    this.#state = { ...this.#state, ...change };
    await this.#deps.storage.put(KEY, this.#state);
  }
}

const NOT_KNOWN: Omit<HandBackReport, 'seconds' | 'how'> = {
  moved: [],
  opened: [],
  closed: [],
  hasSignedIn: false,
  stillAsks: '',
};

function forgetShown(active: ActiveSession): void {
  active.lastLooks = new WeakMap();
  for (const tab of active.tabs.all()) {
    active.refs.forgetTab(tab.id);
    tab.picture = null;
    tab.lastWritten = null;
  }
}

type Baseline = {
  urls: ReadonlyMap<string, string>;
  cookies: ReadonlyMap<string, string>;
  askedForSecret: boolean;
};

async function baselineOf(active: ActiveSession): Promise<Baseline> {
  const [cookies, asked] = await Promise.all([cookiesOf(active), askedFor(active)]);
  return { urls: urlsByTab(active), cookies, askedForSecret: asked === 'password' || asked === 'code' };
}

async function changedSince(
  baseline: Baseline,
  active: ActiveSession,
): Promise<Omit<HandBackReport, 'seconds' | 'how'>> {
  const now = urlsByTab(active);
  const [cookies, stillAsks] = await Promise.all([cookiesOf(active), askedFor(active)]);
  const hasNewCookies = [...cookies].some(([name, value]) => baseline.cookies.get(name) !== value);
  return {
    moved: [...now].filter(([id, place]) => baseline.urls.has(id) && baseline.urls.get(id) !== place).map(([id]) => id),
    opened: [...now.keys()].filter((id) => !baseline.urls.has(id)),
    closed: [...baseline.urls.keys()].filter((id) => !now.has(id)),
    hasSignedIn: baseline.askedForSecret && stillAsks === '' && hasNewCookies,
    stillAsks,
  };
}

function urlsByTab({ tabs }: ActiveSession): Map<string, string> {
  return new Map(tabs.all().map((tab) => [tab.id, tab.main().url]));
}

async function cookiesOf({ browser, contextId }: ActiveSession): Promise<Map<string, string>> {
  try {
    const { cookies } = await browser.connection.browser.send('Storage.getCookies', { browserContextId: contextId });
    return new Map(cookies.map(({ domain, path, name, value }) => [`${domain} ${path} ${name}`, value]));
  } catch (error) {
    if (isTargetGone(error)) return new Map();
    throw error;
  }
}

/** The sign-in step or CAPTCHA on the open pages, password and code before CAPTCHA; `''` for none. */
async function askedFor({ tabs }: ActiveSession): Promise<HandBackReport['stillAsks']> {
  const walls = await Promise.all(tabs.all().map(detectHumanCheck));
  return (['password', 'code', 'captcha'] as const).find((wall) => walls.includes(wall)) ?? '';
}

export async function detectHumanCheck(tab: Tab): Promise<'password' | 'code' | 'captcha' | ''> {
  const look = (late: AbortSignal) => callIn(tab, tab.main(), pageScripts.detectWall, [], late);
  const wall = await withTimeout(WALL_LOOK_MS, look).catch(() => '' as const);
  return wall === 'card' ? '' : wall;
}
