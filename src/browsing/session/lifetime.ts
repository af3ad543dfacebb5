import { closeBrowser, acquireBrowser, closeBrowserAndConnection } from '#browsing/cdp/connect.ts';
import type { AcquiredBrowser } from '#browsing/cdp/connect.ts';
import { createCachedUrlDecider } from '#browsing/gate/cached-url-check.ts';
import { readSealingSecret } from '#core/secrets/sealed.ts';
import { SecretVault } from '#browsing/secrets/vault.ts';
import type { Config } from '#core/config/config.ts';
import { PeriscopeError, fail } from '#core/failures/failure.ts';
import { objectNamed, partNamed } from '#core/objects.ts';
import { cachedResolver } from '#net/fetch/network.ts';
import { netPolicy } from '#net/fetch/fetch-settings.ts';
import { logUnexpected } from '#telemetry/log.ts';
import type { Caller, SessionState } from './replies.ts';
import { SessionParking, newSessionRecord, readSessionRecord, writeSessionRecord } from './parking.ts';
import type { SessionRecord } from './parking.ts';
import { SESSION_ALARM_INTERVAL_MS } from './limits.ts';
import { checkBrowserResponds, openActiveSession, withBrowserTimeout } from './active-session.ts';
import type { ActiveSession } from './active-session.ts';
import type { SessionFiles } from '#browsing/session/operations/session-files.ts';
import { openDb } from '#storage/db.ts';
import { SiteRuleStore } from '#storage/site-rules.ts';
import { SessionRules } from './session-rules.ts';
import { SessionSecrets } from '#browsing/secrets/session-secrets.ts';
import { createBudgets } from '#client/budgets.ts';
import { deploymentPart } from '#client/deployment/deployment.ts';
import type { Client } from '#client/client.ts';
import { budgetLimits } from '#core/budgets.ts';
import type { ObjectCalls } from '#core/objects.ts';
import type { OpenSession, SessionRegistry } from '#client/deployment/session-registry.ts';
import { SECOND_MS, HOUR_MS } from '#core/limits.ts';

const PARKED_SESSION_TTL_MS = 30 * 24 * HOUR_MS;
/**
 * Time limit for restoring a session. Its pages may use {@link RESTORE_LOAD_MS_MAX} of this to load. With the shortest
 * call after it, this is shorter than the deadline of an MCP call.
 */
const SESSION_START_MS_MAX = 35 * SECOND_MS;

/**
 * Number of refs reserved by one write to storage, so that most views need no write. A restored session skips the
 * unused ones.
 */
const REFS_RESERVED = 100;

type LifetimeDeps = {
  state: DurableObjectState;
  env: () => Cloudflare.Env;
  config: Config;
  files: SessionFiles;
  clock: () => number;
  onOpened: () => void;
  onClosed: () => void;
  onForgotten: () => void;
};

export class SessionLifetime {
  readonly #deps: LifetimeDeps;
  readonly #storage: DurableObjectStorage;
  readonly #parking: SessionParking;
  readonly #slot: RegistrySlot;
  readonly secrets: SessionSecrets;
  readonly rules: SessionRules;
  #active: ActiveSession | null = null;
  #record: SessionRecord | null = null;
  #openSince = 0;
  /**
   * Losses of a restore that no result has reported. Stored until a call succeeds, because a failed call does not
   * report them.
   */
  unreportedRestore: SessionState['restored'] = null;

  constructor(deps: LifetimeDeps) {
    const { state, env, config } = deps;
    const id = state.id.toString();
    this.#deps = deps;
    this.#storage = state.storage;
    const sealing = readSealingSecret(config);
    this.#parking = new SessionParking(state.storage, id, sealing);
    this.secrets = new SessionSecrets({
      storage: state.storage,
      vaultOf: (subject) =>
        sealing === null ? null : new SecretVault(partNamed(env().CLIENT, subject, 'secrets'), subject, sealing),
      now: () => deps.clock(),
      report: (error) => logUnexpected(id, error),
    });
    const ruleStore = () => new SiteRuleStore(openDb(env().DB));
    const report = (error: unknown) => logUnexpected(id, error);
    this.rules = new SessionRules({
      read: (subjects) => ruleStore().effective(subjects),
      now: () => deps.clock(),
      report,
      onSet: () => void this.#active?.tabs.guards.renew(),
    });
    const registry = () => deploymentPart(env(), 'sessions');
    this.#slot = new RegistrySlot(state.storage, registry, (error) => logUnexpected(id, error));
  }

  async read(): Promise<void> {
    this.#record = await readSessionRecord(this.#storage);
  }

  get active(): ActiveSession | null {
    return this.#active;
  }

  get record(): SessionRecord | null {
    return this.#record;
  }

  get openSince(): number {
    return this.#openSince;
  }

  get hasBrowser(): boolean {
    return this.#active?.browser.connection.isOpen === true;
  }

  /**
   * Returns the open browser, or opens one and restores the saved state.
   * @throws {PeriscopeError} `unknown_session`, `session_limit`, `rate_limited`, and errors from starting a browser
   */
  async ready(caller: Caller, opens: boolean): Promise<{ active: ActiveSession; existed: boolean }> {
    const known = this.#record;
    if (known === null && !opens) fail({ code: 'unknown_session', session: caller.session });
    if (this.#active !== null && this.#active.browser.connection.isOpen) {
      await both(this.#pay(), this.rules.ready(caller.subject));
      return { active: this.#active, existed: true };
    }
    const { config, clock } = this.#deps;
    this.#active = null;
    this.#deps.onClosed();
    // A shared session counts against the user who restores it, so that nobody can spend another user's budget.
    const record = known === null ? newSessionRecord(caller, clock()) : { ...known, subject: caller.subject };
    const limits = { perSubject: config.MAX_SESSIONS_PER_CLIENT, total: config.MAX_SESSIONS };
    await this.#slot.take(record, limits);
    try {
      this.#record = record;
      // Reads the site rules only after taking the slot, because rules that are saved later are sent to sessions with a
      // slot.
      await both(this.#pay(), this.rules.start(caller.subject));
      const active = await this.#start(caller, record, known !== null);
      this.#active = active;
      this.#deps.onOpened();
      this.#openSince = clock();
      return { active, existed: known !== null };
    } catch (error) {
      if (known === null) await this.forget();
      else await this.save({ browserId: null });
      await this.#slot.release(record.key);
      throw error;
    }
  }

  async saveAfterCall(active: ActiveSession, hasChanged: boolean): Promise<void> {
    const { nextRef = 0, lastTab = 0 } = this.#record ?? {};
    // New ref and tab numbers are stored immediately, because they must never be reused. Other changes wait for the
    // next tick.
    const isNew = active.refs.next > nextRef || active.tabs.lastNumber !== lastTab;
    const change = { lastTab: active.tabs.lastNumber, lastUsedAt: this.#deps.clock() };
    if (isNew) await this.save({ ...change, nextRef: active.refs.next + REFS_RESERVED });
    else if (this.#record !== null) this.#record = { ...this.#record, ...change };
    if (hasChanged) await this.#parking.save(active);
  }

  async saveNow(): Promise<void> {
    if (this.#active !== null && this.hasBrowser) await this.saveAfterCall(this.#active, true);
  }

  async save(change: Partial<SessionRecord>): Promise<void> {
    if (this.#record === null) return;
    this.#record = { ...this.#record, ...change };
    await writeSessionRecord(this.#storage, this.#record);
  }

  async keepAlive({ key }: SessionRecord, isInUse: boolean): Promise<void> {
    const { browser } = this.#active ?? {};
    await Promise.all([
      isInUse ? this.saveNow() : this.save({}),
      this.#slot.seen(key),
      browser === undefined ? undefined : checkBrowserResponds(browser),
    ]);
  }

  async park(now: number): Promise<void> {
    if (this.#record === null) return;
    const { key, lastUsedAt } = this.#record;
    await this.#endBrowser();
    await this.save({ browserId: null });
    const parkedUntil = lastUsedAt + PARKED_SESSION_TTL_MS;
    if (now < parkedUntil) await this.#storage.setAlarm(parkedUntil);
    else await this.forget();
    await this.#slot.release(key);
  }

  /**
   * Ends the browser and deletes all state. The session's slot stays taken until `release`.
   * @returns number of deleted files
   */
  async end(): Promise<number> {
    await this.#endBrowser();
    return this.forget();
  }

  release(key: string): Promise<void> {
    return this.#slot.release(key);
  }

  releaseOwed(): Promise<void> {
    return this.#slot.releaseOwed();
  }

  async forget(): Promise<number> {
    const files = await this.#deps.files.drop(this.#record);
    this.#record = null;
    this.#deps.onForgotten();
    this.#parking.forget();
    this.secrets.forget();
    this.unreportedRestore = null;
    await this.#storage.deleteAlarm();
    await this.#storage.deleteAll();
    return files;
  }

  async isPaid(): Promise<boolean> {
    return isPaid(this.#pay());
  }

  async #start(caller: Caller, record: SessionRecord, isParked: boolean): Promise<ActiveSession> {
    const { env, config, clock } = this.#deps;
    // After a deploy or a crash of this object, its previous browser may still be running.
    if (record.browserId !== null) await closeBrowser(env().BROWSER, record.browserId);
    const browser = await acquireBrowser(env().BROWSER, config.ALLOWLIST_DOMAINS);
    const lateAt = Date.now() + SESSION_START_MS_MAX;
    try {
      await this.save({ browserId: browser.id, lastUsedAt: clock() });
      await this.#storage.setAlarm(clock() + SESSION_ALARM_INTERVAL_MS);
      return await withBrowserTimeout(browser, SESSION_START_MS_MAX, this.#makeLive(browser, caller, record, isParked));
    } catch (error) {
      await closeBrowserAndConnection(env().BROWSER, browser);
      // Another browser would be as slow, so the call does not try again.
      if (Date.now() >= lateAt) fail({ code: 'render_failed', reason: 'it took too long to restore the session' });
      throw error;
    }
  }

  async #makeLive(
    browser: AcquiredBrowser,
    caller: Caller,
    record: SessionRecord,
    isParked: boolean,
  ): Promise<ActiveSession> {
    const { config, files, clock } = this.#deps;
    const policy = netPolicy(config, caller.ownHosts);
    const decide = createCachedUrlDecider({ policy, resolve: cachedResolver }, clock);
    if (isParked) await this.secrets.restore();
    const downloads = files.downloads(caller, record, (text) => this.secrets.mask?.from(text) ?? text);
    const active = await openActiveSession(browser, decide, record, downloads, this.secrets, this.rules.pages);
    if (isParked) this.unreportedRestore = await this.#parking.restore(active);
    return active;
  }

  async #endBrowser(): Promise<void> {
    const { env } = this.#deps;
    const active = this.#active;
    const browserId = this.#record?.browserId ?? null;
    this.#active = null;
    this.#deps.onClosed();
    if (active !== null) await closeBrowserAndConnection(env().BROWSER, active.browser);
    else if (browserId !== null) await closeBrowser(env().BROWSER, browserId);
  }

  /** @throws {PeriscopeError} `rate_limited` when the budget for browser time is spent */
  async #pay(): Promise<void> {
    const { env, config, clock } = this.#deps;
    const paidUntil = await payAhead(env().CLIENT, config, this.#record, clock());
    if (paidUntil === null) return;
    await this.save({ paidUntil, paidMs: (this.#record?.paidMs ?? 0) + SESSION_ALARM_INTERVAL_MS });
  }
}

/**
 * Charges the user's budget for browser time, one tick ahead.
 * @returns the time until which the session is paid; `null` if it was already paid, or has no record
 * @throws {PeriscopeError} `rate_limited`
 */
async function payAhead(
  clients: DurableObjectNamespace<Client>,
  config: Config,
  record: SessionRecord | null,
  now: number,
): Promise<number | null> {
  if (record === null || record.paidUntil > now) return null;
  await createBudgets(objectNamed(clients, record.subject), budgetLimits(config)).spend({
    browser_ms: SESSION_ALARM_INTERVAL_MS,
  });
  return now + SESSION_ALARM_INTERVAL_MS;
}

async function isPaid(payment: Promise<void>): Promise<boolean> {
  try {
    await payment;
    return true;
  } catch (error) {
    if (error instanceof PeriscopeError) return false;
    throw error;
  }
}

const UNRELEASED_SLOT_KEY = 'unreleased_slot';

/** The session's slot among the limited number of open sessions. A failed release is repeated by a later alarm. */
class RegistrySlot {
  readonly #storage: DurableObjectStorage;
  readonly #registry: () => ObjectCalls<SessionRegistry>;
  readonly #report: (error: unknown) => void;

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
        // The registry may have granted the slot although its answer was lost.
        await this.release(key);
        throw error;
      });
    if (!room.granted) fail({ code: 'session_limit', limit: room.limit, scope: room.scope, open: room.open });
  }

  async seen(key: string): Promise<void> {
    await this.#registry().renew(key);
  }

  async release(key: string): Promise<void> {
    try {
      await this.#registry().closed(key);
    } catch (error) {
      this.#report(error);
      await this.#storage.put(UNRELEASED_SLOT_KEY, key);
      await this.#storage.setAlarm(Date.now() + SESSION_ALARM_INTERVAL_MS);
    }
  }

  async releaseOwed(): Promise<void> {
    const key = await this.#storage.get(UNRELEASED_SLOT_KEY);
    if (typeof key !== 'string') return;
    await this.#storage.delete(UNRELEASED_SLOT_KEY);
    await this.release(key);
  }
}

/** Waits for both promises even if one fails, so that cleanup never overlaps with the other promise. */
async function both(one: Promise<void>, other: Promise<void>): Promise<void> {
  await Promise.allSettled([one, other]);
  await one;
  await other;
}
