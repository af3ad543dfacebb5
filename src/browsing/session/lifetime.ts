import { closeBrowser, acquireBrowser, endBrowser } from '#browsing/cdp/connect.ts';
import type { Acquired } from '#browsing/cdp/connect.ts';
import { decideWith } from '#browsing/gate/decide.ts';
import { sealingSecret } from '#core/secrets/sealed.ts';
import { SecretVault } from '#browsing/secrets/vault.ts';
import type { Config } from '#core/config.ts';
import { PeriscopeError, fail } from '#core/failures/failure.ts';
import { objectNamed } from '#core/objects.ts';
import { liveResolver } from '#net/fetch/live.ts';
import { netPolicy } from '#net/fetch/policy.ts';
import { logUnexpected } from '#telemetry/log.ts';
import type { Caller, SessionState } from './answers.ts';
import { Parking, newSessionRecord, readSessionRecord, writeSessionRecord } from './parking.ts';
import type { SessionRecord } from './parking.ts';
import { PARKED_SESSION_TTL_MS, REFS_RESERVED, SESSION_START_MS, SESSION_TICK_MS } from './limits.ts';
import { checkAlive, makeLive, orGone } from './live.ts';
import type { Live } from './live.ts';
import type { SessionFiles } from '#browsing/session/operations/put-file.ts';
import { SessionSecrets } from '#browsing/secrets/session-secrets.ts';
import { budgetPort } from '#client/budgets.ts';
import type { ClientState } from '#client/client-state.ts';
import { budgetLimits } from '#core/budgets.ts';
import type { ObjectCalls } from '#core/objects.ts';
import type { OpenSession } from './registry.ts';
import type { SessionRegistry } from './registry-object.ts';

export type LifetimeDeps = {
  state: DurableObjectState;
  env: () => Cloudflare.Env;
  config: Config;
  files: SessionFiles;
  clock: () => number;
  /** It has a browser from now on. */
  begun: () => void;
  /** It has none any more. */
  ended: () => void;
  /** Nothing is kept of it any more; its storage is about to be emptied. */
  forgotten: () => void;
};

/**
 * The lifetime of one session: its browser, its place and what is kept of it. It starts a browser when a call needs one,
 * restores what was kept, pays for the time, and parks or forgets the session.
 */
export class Lifetime {
  readonly #deps: LifetimeDeps;
  readonly #storage: DurableObjectStorage;
  readonly #parking: Parking;
  readonly #place: Place;
  /** What calls type without seeing it. */
  readonly secrets: SessionSecrets;
  #live: Live | null = null;
  /** What is stored, `null` for a session that does not exist. */
  #kept: SessionRecord | null = null;
  #openSince = 0;
  /** That it was brought back, until an answer has told: a call that fails does not. */
  untold: SessionState['restored'] = null;

  constructor(deps: LifetimeDeps) {
    const { state, env, config } = deps;
    const id = state.id.toString();
    this.#deps = deps;
    this.#storage = state.storage;
    const sealing = sealingSecret(config);
    this.#parking = new Parking(state.storage, id, sealing);
    this.secrets = new SessionSecrets({
      storage: state.storage,
      vaultOf: (subject) =>
        sealing === null ? null : new SecretVault(objectNamed(env().CLIENT, subject), subject, sealing),
      now: () => deps.clock(),
      report: (error) => logUnexpected(id, error),
    });
    const registry = () => objectNamed(env().SESSIONS, 'deployment');
    this.#place = new Place(state.storage, registry, (error) => logUnexpected(id, error));
  }

  async read(): Promise<void> {
    this.#kept = await readSessionRecord(this.#storage);
  }

  get live(): Live | null {
    return this.#live;
  }

  get kept(): SessionRecord | null {
    return this.#kept;
  }

  /** Since when it has its browser. */
  get openSince(): number {
    return this.#openSince;
  }

  get hasBrowser(): boolean {
    return this.#live?.browser.connection.isOpen === true;
  }

  /**
   * The session with a browser: the one it has, or a new one with what was kept.
   * @throws {PeriscopeError} `unknown_session`, `session_limit`, `rate_limited`, and what starting a browser throws
   */
  async ready(caller: Caller, opens: boolean): Promise<{ live: Live; existed: boolean }> {
    const known = this.#kept;
    if (known === null && !opens) fail({ code: 'unknown_session', session: caller.session });
    if (this.#live !== null && this.#live.browser.connection.isOpen) {
      await this.#pay();
      return { live: this.#live, existed: true };
    }
    const { config, clock } = this.#deps;
    this.#live = null;
    this.#deps.ended();
    // Whoever brings a shared session back has it counted and paid from then on: nobody can use up what is another's.
    const kept = known === null ? newSessionRecord(caller, clock()) : { ...known, subject: caller.subject };
    const limits = { perSubject: config.MAX_SESSIONS_PER_CLIENT, total: config.MAX_SESSIONS };
    await this.#place.take(kept, limits);
    try {
      this.#kept = kept;
      await this.#pay();
      const live = await this.#start(caller, kept, known !== null);
      this.#live = live;
      this.#deps.begun();
      this.#openSince = clock();
      return { live, existed: known !== null };
    } catch (error) {
      if (known === null) await this.forget();
      else await this.save({ browserId: null });
      await this.#place.giveBack(kept.key);
      throw error;
    }
  }

  /** Keeps what a call left behind, so that the session survives whatever happens to its browser. */
  async keep(live: Live, hasChanged: boolean): Promise<void> {
    const { nextRef = 0, lastTab = 0 } = this.#kept ?? {};
    // A number that was shown must never be given again, so it is stored before it is told. The rest can wait for a tick.
    const isNew = live.refs.next > nextRef || live.tabs.lastNumber !== lastTab;
    const change = { lastTab: live.tabs.lastNumber, lastUsedAt: this.#deps.clock() };
    if (isNew) await this.save({ ...change, nextRef: live.refs.next + REFS_RESERVED });
    else if (this.#kept !== null) this.#kept = { ...this.#kept, ...change };
    if (hasChanged) await this.#parking.keep(live);
  }

  /** In the middle of what a person does, and when they have done it. */
  async keepNow(): Promise<void> {
    if (this.#live !== null && this.hasBrowser) await this.keep(this.#live, true);
  }

  async save(change: Partial<SessionRecord>): Promise<void> {
    if (this.#kept === null) return;
    this.#kept = { ...this.#kept, ...change };
    await writeSessionRecord(this.#storage, this.#kept);
  }

  /** What a tick does for a session that goes on. */
  async goOn({ key }: SessionRecord, isInUse: boolean): Promise<void> {
    const { browser } = this.#live ?? {};
    await Promise.all([
      isInUse ? this.keepNow() : this.save({}),
      this.#place.seen(key),
      browser === undefined ? undefined : checkAlive(browser),
    ]);
  }

  /** Parks the session, or forgets one that waited long enough. */
  async rest(now: number): Promise<void> {
    if (this.#kept === null) return;
    const { key, lastUsedAt } = this.#kept;
    await this.#endBrowser();
    await this.save({ browserId: null });
    const parkedUntil = lastUsedAt + PARKED_SESSION_TTL_MS;
    if (now < parkedUntil) await this.#storage.setAlarm(parkedUntil);
    else await this.forget();
    await this.#place.giveBack(key);
  }

  /**
   * Ends it for good: its browser and what is kept of it. Its place is given back by `giveBack`.
   * @returns how many files went with it
   */
  async end(): Promise<number> {
    await this.#endBrowser();
    return this.forget();
  }

  /** The place of a session that has ended. */
  giveBack(key: string): Promise<void> {
    return this.#place.giveBack(key);
  }

  /** A place that could not be given back when it should have been. */
  giveBackOwed(): Promise<void> {
    return this.#place.giveBackOwed();
  }

  /** @returns how many files went with it */
  async forget(): Promise<number> {
    const files = await this.#deps.files.drop(this.#kept);
    this.#kept = null;
    this.#deps.forgotten();
    this.#parking.forget();
    this.secrets.forget();
    this.untold = null;
    await this.#storage.deleteAlarm();
    await this.#storage.deleteAll();
    return files;
  }

  async isPaid(): Promise<boolean> {
    return isPaid(this.#pay());
  }

  async #start(caller: Caller, kept: SessionRecord, isParked: boolean): Promise<Live> {
    const { env, config, clock } = this.#deps;
    // After a deploy or a crash of the object its old browser may still be there, with nobody connected to it.
    if (kept.browserId !== null) await closeBrowser(env().BROWSER, kept.browserId);
    const browser = await acquireBrowser(env().BROWSER, config.ALLOWLIST_DOMAINS);
    try {
      await this.save({ browserId: browser.id, lastUsedAt: clock() });
      await this.#storage.setAlarm(clock() + SESSION_TICK_MS);
      return await orGone(browser, SESSION_START_MS, this.#makeLive(browser, caller, kept, isParked));
    } catch (error) {
      await endBrowser(env().BROWSER, browser);
      throw error;
    }
  }

  async #makeLive(browser: Acquired, caller: Caller, kept: SessionRecord, isParked: boolean): Promise<Live> {
    const { config, files, clock } = this.#deps;
    const policy = netPolicy(config, caller.ownHosts);
    const decide = decideWith({ policy, resolve: liveResolver }, clock);
    if (isParked) await this.secrets.restore();
    const downloads = files.downloads(caller, kept, (text) => this.secrets.hide?.from(text) ?? text);
    const live = await makeLive(browser, decide, kept, downloads, this.secrets);
    if (isParked) this.untold = await this.#parking.bringBack(live);
    return live;
  }

  /** What is kept stays. */
  async #endBrowser(): Promise<void> {
    const { env } = this.#deps;
    const live = this.#live;
    const browserId = this.#kept?.browserId ?? null;
    this.#live = null;
    this.#deps.ended();
    if (live !== null) await endBrowser(env().BROWSER, live.browser);
    // One that outlived the object that opened it.
    else if (browserId !== null) await closeBrowser(env().BROWSER, browserId);
  }

  /** @throws {PeriscopeError} `rate_limited` */
  async #pay(): Promise<void> {
    const { env, config, clock } = this.#deps;
    const paidUntil = await payAhead(env().CLIENT, config, this.#kept, clock());
    if (paidUntil === null) return;
    await this.save({ paidUntil, paidMs: (this.#kept?.paidMs ?? 0) + SESSION_TICK_MS });
  }
}

/**
 * Pays for the browser's time, one tick ahead.
 * @returns until when it is paid now; `null` when it was paid already
 * @throws {PeriscopeError} `rate_limited`
 */
async function payAhead(
  clients: DurableObjectNamespace<ClientState>,
  config: Config,
  kept: SessionRecord | null,
  now: number,
): Promise<number | null> {
  if (kept === null || kept.paidUntil > now) return null;
  await budgetPort(objectNamed(clients, kept.subject), budgetLimits(config)).spend({ browser_ms: SESSION_TICK_MS });
  return now + SESSION_TICK_MS;
}

/** Whether a payment went through. */
async function isPaid(paying: Promise<void>): Promise<boolean> {
  try {
    await paying;
    return true;
  } catch (error) {
    if (error instanceof PeriscopeError) return false;
    throw error;
  }
}

const OWED = 'place to give back';

/**
 * A session's place among those that have a browser. It is taken before a browser is opened, and given back afterwards.
 */
class Place {
  readonly #storage: DurableObjectStorage;
  readonly #registry: () => ObjectCalls<SessionRegistry>;
  readonly #report: (error: unknown) => void;

  /** @param report takes the reason why a place could not be given back */
  constructor(
    storage: DurableObjectStorage,
    registry: () => ObjectCalls<SessionRegistry>,
    report: (error: unknown) => void,
  ) {
    this.#storage = storage;
    this.#registry = registry;
    this.#report = report;
  }

  /** @throws {PeriscopeError} `session_limit` */
  async take({ key, subject, name }: OpenSession, limits: { perSubject: number; total: number }): Promise<void> {
    const room = await this.#registry()
      .open({ key, subject, name }, limits)
      .catch(async (error: unknown) => {
        // The place may have been granted, and only the answer been lost.
        await this.giveBack(key);
        throw error;
      });
    if (!room.granted) fail({ code: 'session_limit', limit: room.limit, scope: room.scope, open: room.open });
  }

  async seen(key: string): Promise<void> {
    await this.#registry().seen(key);
  }

  /** If it cannot be given back now, the next alarm tries again. */
  async giveBack(key: string): Promise<void> {
    try {
      await this.#registry().closed(key);
    } catch (error) {
      this.#report(error);
      await this.#storage.put(OWED, key);
      await this.#storage.setAlarm(Date.now() + SESSION_TICK_MS);
    }
  }

  /** For the alarm of a session that no longer exists. */
  async giveBackOwed(): Promise<void> {
    const key = await this.#storage.get(OWED);
    if (typeof key !== 'string') return;
    await this.#storage.delete(OWED);
    await this.giveBack(key);
  }
}
