import { DurableObject } from 'cloudflare:workers';
import { parseConfig } from '#core/config.ts';
import type { Config } from '#core/config.ts';
import type { Failure } from '#core/failures/failure.ts';
import {
  SESSION_AFTER_CALL_MS,
  SESSION_CALL_MS,
  SESSION_CALL_MS_MIN,
  SESSION_QUEUE_WAIT_MS,
  SESSION_STATE_MS,
  SESSION_TICK_MS,
} from './limits.ts';
import { BrowserGone, CdpError } from '#browsing/cdp/connection.ts';
import { logUnexpected } from '#telemetry/log.ts';
import { closedState } from './answers.ts';
import type { Texts } from '#core/text/page-texts.ts';
import * as texts from './answer-texts.ts';
import type { Caller, Closed, Launched, Reply } from './answers.ts';
import { CHANGES_AND_OPENS, CallQueue, LOOKS, OPENS, WAITS, WAKES, changesBy } from './call-queue.ts';
import type { Kind } from './call-queue.ts';
import { steppedBy, Steps } from '#browsing/session/operations/steps.ts';
import type { Stepped } from '#browsing/session/operations/steps.ts';
import { overviewOf } from './overview.ts';
import type { SessionOverview } from './overview.ts';
import { objectNamed } from '#core/objects.ts';
import { evaluateScript } from '#browsing/session/operations/evaluate-script.ts';
import type { EvaluateInput } from '#browsing/session/operations/evaluate-script.ts';
import { fillFields, startFilling, withFilling } from '#browsing/session/operations/fill-fields.ts';
import type { FillInput } from '#browsing/session/operations/fill-fields.ts';
import type { SessionRecord } from './parking.ts';
import { Lifetime } from './lifetime.ts';
import { againWhenGone, checkAlive, orGone } from './live.ts';
import type { Live } from './live.ts';
import { LiveDoor } from './live-door.ts';
import type { LiveTicket } from './live-door.ts';
import { Handover } from './handover.ts';
import type { Handoff, HandoffInput } from './handover.ts';
import { logOf, waitOnPage } from '#browsing/session/operations/operations.ts';
import type { LogInput, WaitInput } from '#browsing/session/operations/operations.ts';
import * as operations from '#browsing/session/operations/operations.ts';
import { performed } from '#browsing/session/operations/perform.ts';
import { pointAt } from '#browsing/session/operations/point.ts';
import type { PointInput } from '#browsing/session/operations/point.ts';
import type { TabChoice, Work } from '#browsing/session/operations/perform.ts';
import type { PutInput } from '#browsing/session/operations/put-file.ts';
import { SessionFiles } from '#browsing/session/operations/put-file.ts';
import type { TabSettings } from '#browsing/tabs/settings.ts';
import { MINUTE_MS } from '#core/limits.ts';
import { abortable, withTimeout } from '#core/flow/abort.ts';
import { freed } from '#browsing/act/hanging-page.ts';
import { PartFailed, failureIn } from '#core/failures/failure.ts';

/**
 * One browser session: the connection to its browser, the queue of its calls, its refs, and what is kept of it while it
 * has no browser. Pages are turned into documents elsewhere; this object only talks to the browser.
 */
export class BrowserSession extends DurableObject {
  readonly #config: Config;
  readonly #queue = new CallQueue();
  readonly #files: SessionFiles;
  readonly #lifetime: Lifetime;
  /** Tests move these two. */
  clock: () => number = Date.now;
  callMs = SESSION_CALL_MS;
  /** Whether a person drives it. */
  readonly #handover: Handover;
  /** What people see of it. */
  readonly #door: LiveDoor;
  readonly #steps: Steps;
  /** The call that closed it last. */
  #closing: string | null = null;

  constructor(state: DurableObjectState, env: Cloudflare.Env) {
    super(state, env);
    this.#config = parseConfig({ ...env });
    this.#files = new SessionFiles(env.FILES, this.#config, (error) => logUnexpected(state.id.toString(), error));
    this.#lifetime = new Lifetime({
      state,
      env: () => this.env,
      config: this.#config,
      files: this.#files,
      clock: () => this.clock(),
      begun: () => this.#handover.attach(),
      ended: () => this.#door.close(),
      forgotten: () => this.#handover.forget(),
    });
    this.#handover = new Handover({
      storage: state.storage,
      now: () => this.clock(),
      live: () => this.#lifetime.live,
      turn: () =>
        this.#queue.run(this.#lifetime.kept?.name ?? '', SESSION_QUEUE_WAIT_MS, async () => ({ answer: undefined })),
      keep: () => this.#lifetime.keepNow(),
      filesOf: (subject) => this.#files.of({ subject }),
      rested: () => this.#door.rest(),
    });
    this.#steps = new Steps({
      historyOf: (subject) => objectNamed(this.env.HISTORY, subject),
      isOn: this.#config.STEP_PICTURES,
      now: () => this.clock(),
      isBusy: () => this.#queue.isWaitedFor,
      report: (error) => logUnexpected(state.id.toString(), error),
    });
    const clocks = () => ({ openSince: this.#lifetime.openSince, restsAt: this.#usedAt + this.#idleMs });
    this.#door = new LiveDoor(() => this.#lifetime.live, clocks, this.#handover);
    void state.blockConcurrencyWhile(async () => {
      await this.#handover.read();
      await this.#lifetime.read();
    });
  }

  /** @param change of its settings: what is not given stays as it is */
  launch(caller: Caller, choice: TabChoice, change: Partial<TabSettings> = {}): Promise<Reply<Launched>> {
    return this.#call(caller, choice, OPENS, texts.LAUNCHED, async ({ live }: Work, existed: boolean) => {
      const settings = { ...live.tabs.settings, ...change };
      await Promise.all([live.tabs.change(settings), this.#lifetime.save({ settings })]);
      return { existed, settings };
    });
  }

  evaluate(caller: Caller, choice: TabChoice, input: EvaluateInput) {
    return this.#call(caller, choice, changesBy('evaluate'), texts.EVALUATED, (work: Work) =>
      evaluateScript(work, input),
    );
  }

  navigate(caller: Caller, choice: TabChoice, input: operations.NavigateInput) {
    return this.#call(caller, choice, CHANGES_AND_OPENS, texts.NAVIGATED, (work: Work) =>
      operations.navigateTab(work, input),
    );
  }

  snapshot(caller: Caller, choice: TabChoice, input: operations.ViewInput) {
    return this.#call(caller, choice, LOOKS, texts.VIEW, (work: Work) => operations.viewTab(work, input));
  }

  click(caller: Caller, choice: TabChoice, input: operations.ClickInput) {
    return this.#call(caller, choice, changesBy('click'), texts.CLICKED, (work: Work) =>
      operations.clickElement(work, input),
    );
  }

  async fill(caller: Caller, choice: TabChoice, input: FillInput) {
    const filling = startFilling(input);
    return withFilling(
      await this.#call(caller, choice, changesBy('fill'), texts.FILLED, (work: Work) =>
        fillFields(work, input, filling),
      ),
      filling,
    );
  }

  type(caller: Caller, choice: TabChoice, input: operations.TypeInput) {
    return this.#call(caller, choice, changesBy('type'), texts.ACTED, (work: Work) => operations.typeInto(work, input));
  }

  scroll(caller: Caller, choice: TabChoice, input: operations.ScrollInput) {
    return this.#call(caller, choice, changesBy('scroll'), texts.SCROLLED, (work: Work) =>
      operations.scrollPage(work, input),
    );
  }

  point(caller: Caller, choice: TabChoice, input: PointInput) {
    return this.#call(caller, choice, changesBy('point'), texts.POINTED, (work: Work) => pointAt(work, input));
  }

  log(caller: Caller, choice: TabChoice, input: LogInput) {
    return this.#call(caller, choice, LOOKS, texts.LOGGED, (work: Work) => logOf(work, input));
  }

  putFile(caller: Caller, choice: TabChoice, input: PutInput) {
    return this.#call(caller, choice, changesBy('put_file'), texts.PUT, (work: Work) =>
      this.#files.put(work, input, caller),
    );
  }

  wait(caller: Caller, choice: TabChoice, input: WaitInput) {
    return this.#call(caller, choice, WAITS, texts.WAITED, (work: Work) => waitOnPage(work, input));
  }

  screenshot(caller: Caller, choice: TabChoice, input: operations.ScreenshotInput) {
    return this.#call(caller, choice, LOOKS, texts.PICTURED, (work: Work) => operations.screenshot(work, input));
  }

  html(caller: Caller, choice: TabChoice, input: operations.HtmlInput) {
    return this.#call(caller, choice, LOOKS, texts.PAGE_HTML, (work: Work) => operations.htmlOf(work, input));
  }

  read(caller: Caller, choice: TabChoice, input: operations.ReadInput) {
    return this.#call(caller, choice, LOOKS, texts.READ, (work: Work) =>
      operations.readLive(work, input, this.#config.MAX_BYTES),
    );
  }

  /** Asks a person to take over, or waits for what comes of that. @param declines the person has said no elsewhere */
  async handoff(caller: Caller, choice: TabChoice, { reason, declines }: HandoffInput): Promise<Reply<Handoff>> {
    if (declines) await this.#handover.decline();
    const tab = choice.tab ?? null;
    const found = this.#handover.isUnderWay ? await this.#handover.wait(reason, tab) : null;
    return this.#call(caller, choice, LOOKS, texts.HANDED, async () => found ?? this.#handover.ask(reason, tab));
  }

  /** The person has said no elsewhere. */
  decline(): Promise<void> {
    return this.#handover.decline();
  }

  /** How the session is, for its person; `null` when there is none. */
  overview(): SessionOverview | null {
    const { usedAt, asked } = this.#handover;
    return overviewOf(this.#lifetime, { isDriven: usedAt !== null, asked }, this.#usedAt, this.#idleMs);
  }

  /**
   * Lets one page of a person show the session.
   * @param wakes whether a session that rests is brought back for it
   * @param isThere whether it shows the session already, and goes on
   */
  async liveTicket(caller: Caller, wakes: boolean, isThere: boolean = false): Promise<LiveTicket> {
    if (this.#lifetime.kept === null) return { refused: 'unknown' };
    if (wakes) {
      const woken = await this.#call(caller, {}, WAKES, texts.NOTHING, async () => null);
      if ('failure' in woken) return { failure: woken.failure };
    }
    return this.#door.ticket(caller, isThere);
  }

  /** The other end of a page's socket. */
  override async fetch(request: Request): Promise<Response> {
    return this.#door.open(request);
  }

  /** Closes one tab; the session stays. */
  closeTab(caller: Caller, tab: string) {
    return this.#call(caller, { tab }, changesBy('close_tab'), texts.NOTHING, (work: Work) =>
      operations.closeTab(work),
    );
  }

  /**
   * Ends the session for good: its browser, what is kept of it, its place.
   * @param closing names the call: who asks again, as the answer was lost, hears the same
   */
  async close(caller: Caller, closing: string = crypto.randomUUID()): Promise<Reply<Closed>> {
    return this.#queue
      .run(caller.session, SESSION_QUEUE_WAIT_MS, async () => {
        await this.#handover.refuseActing(caller.session);
        const key = this.#lifetime.kept?.key;
        const existed = key !== undefined || this.#closing === closing;
        const files = await this.#lifetime.end();
        this.#closing = closing;
        if (key !== undefined) await this.#lifetime.giveBack(key);
        return { answer: { done: { state: closedState(caller.session), result: { existed, files } } } };
      })
      .catch((error: unknown) => ({ failure: reportedFailure(error, this.ctx.id.toString()) }));
  }

  /** Ticks while there is a browser: keeps it alive, pays for it, and parks the session when nobody has used it. */
  override async alarm(): Promise<void> {
    const { kept } = this.#lifetime;
    if (kept === null) {
      await this.#lifetime.giveBackOwed();
      return;
    }
    const now = this.clock();
    // What fails is done by the next one: the platform gives up on an alarm that fails a few times.
    await this.ctx.storage.setAlarm(now + SESSION_TICK_MS);
    await this.#tick(kept, now).catch((error: unknown) => logUnexpected(this.ctx.id.toString(), error));
  }

  /** By a call, or by a person. */
  get #usedAt(): number {
    return Math.max(this.#lifetime.kept?.lastUsedAt ?? 0, this.#handover.usedAt ?? 0);
  }

  get #idleMs(): number {
    return this.#config.SESSION_IDLE_MINUTES * MINUTE_MS;
  }

  async #tick(kept: SessionRecord, now: number): Promise<void> {
    await this.#handover.settle();
    // Not under the hands of a person.
    const isIdle = this.#handover.usedAt === null && now - this.#usedAt >= this.#idleMs;
    const goesOn = this.#lifetime.hasBrowser && !isIdle && (await this.#lifetime.isPaid());
    if (!goesOn && this.#queue.isIdle) {
      // In its turn, so that a call that comes meanwhile does not open what is being ended.
      await this.#queue.run(kept.name, 0, async () => ({ answer: await this.#lifetime.rest(now) }));
      return;
    }
    await this.#lifetime.goOn(kept, this.#handover.usedAt !== null);
  }

  async #call<T>(
    caller: Caller,
    choice: TabChoice,
    kind: Kind,
    whose: Texts<NoInfer<T>>,
    operation: (work: Work, existed: boolean) => Promise<T>,
  ): Promise<Reply<T>> {
    const endAt = Date.now() + SESSION_QUEUE_WAIT_MS + this.callMs;
    const attempt = async () => {
      if (kind.acts) await this.#handover.refuseActing(caller.session);
      const { live, existed } = await this.#lifetime.ready(caller, kind.opens);
      live.downloads.beginCall(this.#files.of(caller));
      live.secrets.beginCall(caller);
      const restored = this.#lifetime.untold;
      const callMs = Math.min(this.callMs, Math.max(SESSION_CALL_MS_MIN, endAt - Date.now()));
      try {
        const bounds = { isLook: !kind.changes, callMs, texts: whose };
        const work = performed(caller.session, live, choice, restored, bounds, (at) => operation(at, existed));
        const done = await orGone(live.browser, callMs + SESSION_STATE_MS, work);
        done.state.handedBack = this.#handover.untold;
        if (kind.tells) this.#lifetime.untold = null;
        await Promise.all([kind.tells && this.#handover.told(), kind.acts && this.#handover.wentOn()]);
        const step = steppedBy(kind, live, done.state.tab?.id, done.state.tab, null);
        return {
          answer: { done },
          after: this.#afterCall(caller, live, kind.changes || restored !== null, null, step),
        };
      } catch (error) {
        if (error instanceof BrowserGone && kind.repeats) throw error;
        const failure = texts.shownFailure(reportedFailure(error, this.ctx.id.toString()), live.secrets.hide);
        // A call that failed may have changed something first.
        const step = steppedBy(kind, live, choice.tab, null, failure.code);
        return { answer: { failure }, after: this.#afterCall(caller, live, kind.changes, failure, step) };
      }
    };
    return this.#queue
      .run<Reply<T>>(caller.session, SESSION_QUEUE_WAIT_MS, () => againWhenGone(attempt))
      .catch((error: unknown) => ({ failure: reportedFailure(error, this.ctx.id.toString()) }));
  }

  /** What is left to do when the answer is on its way; the next call waits for it, but not for ever. */
  #afterCall(
    caller: Caller,
    live: Live,
    hasChanged: boolean,
    failure: Failure | null,
    step: Stepped | null,
  ): Promise<void> {
    const keep = () => this.#lifetime.keep(live, hasChanged);
    const note = async () => (step === null ? undefined : this.#steps.note(caller, step));
    return afterCall(live, failure, this.ctx.id.toString(), keep, note);
  }
}

/**
 * After an answer: frees pages that hang, stores what the session needs to come back, and notes the step that it was. It takes no longer than the
 * next call can wait.
 */
async function afterCall(
  live: Live,
  failure: Failure | null,
  name: string,
  keep: () => Promise<void>,
  note: () => Promise<void>,
): Promise<void> {
  await withTimeout(SESSION_AFTER_CALL_MS, async (signal) => {
    try {
      // Waiting in vain for a page does not mean that it hangs. A page whose dialog a person reads does not hang either.
      if (failure?.code === 'timeout' && failure.instead === undefined && !live.tabs.hands.areOn) {
        // A browser or page that hangs would also hang the next call.
        await checkAlive(live.browser);
        await Promise.all(live.tabs.all().map((tab) => freed(tab.main(), signal)));
      }
      await abortable(keep(), signal);
      await abortable(note(), signal);
    } catch (error) {
      const isOver = error === signal.reason || error instanceof BrowserGone || error instanceof CdpError;
      if (!isOver) logUnexpected(name, error);
    }
  });
}

/** The failure in which a call of a session ended; `null` for an unexpected error. */
function failureOf(error: unknown): Failure | null {
  if (error instanceof BrowserGone) {
    return { code: 'render_failed', reason: 'it ended during the call; the next call restores the session' };
  }
  if (error instanceof CdpError && error.isGone) {
    return { code: 'render_failed', reason: 'the page or its tab went away during the call' };
  }
  return failureIn(error);
}

/** The failure that the caller sees. If a part of the platform failed, the log has more. @throws an unexpected error */
function reportedFailure(error: unknown, session: string): Failure {
  const failure = failureOf(error);
  if (failure === null) throw error;
  if (error instanceof PartFailed) logUnexpected(session, error);
  return failure;
}
