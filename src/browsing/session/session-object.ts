import { StoredObject } from '#core/stored-object.ts';
import type { StoredObjectChunk } from '#core/stored-object.ts';
import { parseConfig } from '#core/config/config.ts';
import type { Config } from '#core/config/config.ts';
import type { Failure } from '#core/failures/failure.ts';
import { BrowserGone } from '#browsing/cdp/connection.ts';
import { runAfterCall, runInBackground, reportedFailure } from './after-call.ts';
import {
  SESSION_CALL_MS_MAX,
  SESSION_QUEUE_WAIT_MS_MAX,
  SESSION_ALARM_INTERVAL_MS,
  STEP_LIST_MS_MAX,
} from './limits.ts';
import { logUnexpected } from '#telemetry/log.ts';
import { createClosedSessionState } from './replies.ts';
import { maskFailureTexts } from '#core/failures/describe-failure.ts';
import type { Caller, ClosedSession, Reply } from './replies.ts';
import { CallQueue, CancellableCalls } from './call-queue.ts';
import { createRecordedStep, StepRecorder } from '#browsing/session/history/steps.ts';
import type { RecordedStep } from '#browsing/session/history/steps.ts';
import { SessionAsking } from './asking/session-asking.ts';
import type { ApprovalAnswer, ApprovalQuestion } from './asking/approvals.ts';
import { partNamed } from '#core/objects.ts';
import type { ScriptedCall } from '#core/script-steps.ts';
import type { SessionRecord } from './parking.ts';
import { SessionLifetime } from './lifetime.ts';
import { retryInNewBrowser, withBrowserTimeout } from './active-session.ts';
import type { ActiveSession } from './active-session.ts';
import { LiveAccess, describeSession } from './live-access.ts';
import { isSharedSession, sessionKey } from './session-name.ts';
import type { LiveTicketResult, SessionOverview } from './live-access.ts';
import { Handover } from './handover.ts';
import type { HandoffState, HandoffRequestInput } from './handover.ts';
import { scanUnreadPage } from '#browsing/session/operations/acting.ts';
import { OPERATIONS, READ_ONLY_TRAITS, declareOperation } from '#browsing/session/operations/table.ts';
import type {
  OperationInputOf,
  OperationName,
  OperationResultOf,
  StartedOperation,
  Operation,
  OperationSession,
} from '#browsing/session/operations/table.ts';
import { runInTab } from '#browsing/session/operations/perform.ts';
import type { TabAndDialogOptions, OperationWork } from '#browsing/session/operations/perform.ts';
import { SessionFiles } from '#browsing/session/operations/session-files.ts';
import { MINUTE_MS, SECOND_MS } from '#core/limits.ts';

/** Maximum wait when a person's data is deleted: the longest call, plus the calls queued before it. */
const ERASE_SESSION_WAIT_MS_MAX = STEP_LIST_MS_MAX + SESSION_QUEUE_WAIT_MS_MAX;
/** Extra time for reading the state of the tabs after an operation. A browser that takes longer counts as hung. */
const SESSION_STATE_MS = 3 * SECOND_MS;
/** Minimum time for running a call, however long it has waited in the queue. */
const SESSION_CALL_MS_MIN = 3 * SECOND_MS;

export class BrowserSession extends StoredObject {
  readonly #config: Config;
  readonly #queue = new CallQueue();
  readonly #files: SessionFiles;
  readonly #lifetime: SessionLifetime;
  /** Tests replace `clock` and `callMs`. */
  clock: () => number = Date.now;
  callMs = SESSION_CALL_MS_MAX;
  readonly #handover: Handover;
  readonly #live: LiveAccess;
  readonly #asking: SessionAsking;
  readonly #steps: StepRecorder;
  #lastClosing: string | null = null;
  readonly #calls = new CancellableCalls();
  readonly #failed = (error: unknown) => ({ failure: reportedFailure(error, this.ctx.id.toString()) });

  constructor(state: DurableObjectState, env: Cloudflare.Env) {
    super(state, env);
    this.#config = parseConfig({ ...env });
    this.#files = new SessionFiles(env.PERSON_STORE, this.#config, (error) =>
      logUnexpected(state.id.toString(), error),
    );
    this.#lifetime = new SessionLifetime({
      state,
      env: () => this.env,
      config: this.#config,
      files: this.#files,
      clock: () => this.clock(),
      onOpened: () => this.#opened(),
      onClosed: () => this.#live.close(),
      onForgotten: () => {
        this.#handover.forget();
        this.#asking.forget();
      },
    });
    this.#asking = new SessionAsking({
      storage: state.storage,
      now: () => this.clock(),
      active: () => this.#lifetime.active,
      answered: (question) => this.#steps.noteAnswer(this.#lifetime.record?.name ?? '', question),
      sent: (caller, sent) => this.#steps.noteSent(caller, sent),
    });
    this.#handover = new Handover({
      storage: state.storage,
      now: () => this.clock(),
      active: () => this.#lifetime.active,
      waitForTurn: () =>
        this.#queue.run(this.#lifetime.record?.name ?? '', SESSION_QUEUE_WAIT_MS_MAX, async () => ({
          answer: undefined,
        })),
      keep: () => this.#lifetime.saveNow(),
      filesOf: (subject) => this.#files.of({ subject }),
      onTakeOverEnded: () => this.#live.rest(),
      question: () => this.#asking.shown(this.#lifetime.record),
    });
    this.#steps = new StepRecorder({
      historyOf: (subject) => partNamed(this.env.PERSON_STORE, subject, 'history'),
      isOn: this.#config.STEP_PICTURES,
      now: () => this.clock(),
      isBusy: () => this.#queue.hasWaiting,
      report: (error) => logUnexpected(state.id.toString(), error),
    });
    const clocks = () => ({ openSince: this.#lifetime.openSince, restsAt: this.#usedAt + this.#idleMs });
    this.#live = new LiveAccess(() => this.#lifetime.active, clocks, this.#handover);
    void state.blockConcurrencyWhile(async () => {
      await this.#handover.read();
      await this.#asking.read();
      await this.#lifetime.read();
    });
  }

  call<Name extends OperationName>(
    caller: Caller,
    choice: TabAndDialogOptions,
    name: Name,
    input: OperationInputOf<Name>,
  ): Promise<Reply<OperationResultOf<Name>>> {
    return this.#call(caller, choice, name, OPERATIONS[name], input);
  }

  /** Cancels a call that is queued, running or has not arrived yet. Does not wait in the queue. */
  cancelCall(id: string): void {
    this.#calls.cancel(id);
  }

  callsOf(subject: string, request: string): string[] {
    return this.#calls.ofRequest(subject, request);
  }

  /** Asks a person to take over the session. @param declines true if the person declined in the client's own dialog */
  async handoff(
    caller: Caller,
    choice: TabAndDialogOptions,
    { reason, declines }: HandoffRequestInput,
  ): Promise<Reply<HandoffState>> {
    if (declines) await this.#handover.decline();
    const tab = choice.tab ?? null;
    const found = this.#calls.run(caller, async (cancelled) =>
      this.#handover.isPending ? this.#handover.wait(reason, tab, cancelled) : null,
    );
    const ask = declareOperation({
      ...READ_ONLY_TRAITS,
      effect: 'none',
      origins: { state: 'ours' },
      run: async (_: OperationWork, state: HandoffState | null) => state ?? this.#handover.ask(reason, tab),
    });
    return found.then((state) => this.#call(caller, choice, 'handoff', ask, state), this.#failed);
  }

  /** Unanswered approval questions to this user, in the order of {@link ApprovalQuestions.waitingFor}. */
  questions(subject: string): ApprovalQuestion[] {
    return this.#asking.questions(subject);
  }

  /** Called only for the signed-in user. No tool reaches this method. */
  answer(subject: string, id: string, given: ApprovalAnswer): Promise<ApprovalQuestion | null> {
    return this.#asking.answer(subject, id, given);
  }

  questionPicture(subject: string, id: string): Promise<Uint8Array | null> {
    return this.#asking.picture(subject, id);
  }

  decline(): Promise<void> {
    return this.#handover.decline();
  }

  overview(): SessionOverview | null {
    const { usedAt, request: asked } = this.#handover;
    return describeSession(this.#lifetime, { isDriven: usedAt !== null, asked }, this.#usedAt, this.#idleMs);
  }

  /**
   * @param wakes true to restore a parked session
   * @param isThere true if the page that asks already shows the session
   */
  async liveTicket(caller: Caller, wakes: boolean, isThere: boolean): Promise<LiveTicketResult> {
    if (this.#lifetime.record === null) return { refused: 'unknown' };
    if (wakes) {
      const woken = await this.call(caller, {}, 'restore', null);
      if ('failure' in woken) return { failure: woken.failure };
    }
    return this.#live.ticket(caller, isThere);
  }

  override async fetch(request: Request): Promise<Response> {
    return this.#live.open(request);
  }

  /**
   * Ends the session for good and deletes its state.
   * @param closing id of the call: a retry whose first answer was lost also reports that the session existed
   */
  async close(caller: Caller, closing: string = crypto.randomUUID()): Promise<Reply<ClosedSession>> {
    const end = async () => {
      await this.#handover.refuseActing(caller.session);
      const key = this.#lifetime.record?.key;
      const existed = key !== undefined || this.#lastClosing === closing;
      const files = await this.#lifetime.end();
      this.#lastClosing = closing;
      if (key !== undefined) await this.#lifetime.release(key);
      return { answer: { done: { state: createClosedSessionState(caller.session), result: { existed, files } } } };
    };
    return this.#calls
      .run(caller, (cancelled) => this.#queue.run(caller.session, SESSION_QUEUE_WAIT_MS_MAX, end, cancelled))
      .catch(this.#failed);
  }

  /** Called when a user loses access. Closes the session's live views, and parks a private session. */
  async leave(subject: string): Promise<void> {
    this.#live.close();
    const { record } = this.#lifetime;
    if (record?.key !== sessionKey(subject, record?.name ?? '') || isSharedSession(record.name)) return;
    await this.#queue.run(record.name, SESSION_QUEUE_WAIT_MS_MAX, async () => ({
      answer: await this.#lifetime.park(this.clock()),
    }));
  }

  /**
   * Called when a person's data is deleted. Ends the person's private session. Also ends a shared session that the
   * person opened last or drives, or in which the person's secret was typed.
   */
  async forgetPerson(subject: string): Promise<void> {
    const name = this.#lifetime.record?.name ?? '';
    await this.#queue.run(name, ERASE_SESSION_WAIT_MS_MAX, async () => {
      const { record, secrets } = this.#lifetime;
      const isTheirs = record?.subject === subject || this.#handover.isOf(subject) || (await secrets.isOf(subject));
      if (isTheirs) {
        await this.#lifetime.end();
        if (record !== null) await this.#lifetime.release(record.key);
      }
      return { answer: undefined };
    });
  }

  /** Called after site rules were saved. Resolves once the new rules apply. */
  rulesChanged(): Promise<void> {
    return this.#lifetime.rules.changed();
  }

  /** Restores a backup, unless the session has a browser, because its state in memory is newer than any backup. */
  override async restore(part: Omit<StoredObjectChunk, 'next'>, replaced: readonly string[]): Promise<number> {
    return this.#lifetime.hasBrowser ? 0 : super.restore(part, replaced);
  }

  override async alarm(): Promise<void> {
    const { record } = this.#lifetime;
    if (record === null) return this.#lifetime.releaseOwed();
    const now = this.clock();
    // Errors are only logged and the next tick tries again: Workers stops calling an alarm that keeps failing.
    await this.ctx.storage.setAlarm(now + SESSION_ALARM_INTERVAL_MS);
    await this.#tick(record, now).catch((error: unknown) => logUnexpected(this.ctx.id.toString(), error));
  }

  get #usedAt(): number {
    return Math.max(this.#lifetime.record?.lastUsedAt ?? 0, this.#handover.usedAt ?? 0);
  }

  get #idleMs(): number {
    return this.#config.SESSION_IDLE_MINUTES * MINUTE_MS;
  }

  async #tick(record: SessionRecord, now: number): Promise<void> {
    await this.#handover.endIfAbandoned();
    // A session is never idle while a person drives it.
    const isIdle = this.#handover.usedAt === null && now - this.#usedAt >= this.#idleMs;
    const goesOn = this.#lifetime.hasBrowser && !isIdle && (await this.#lifetime.isPaid());
    if (!goesOn && this.#queue.isIdle) {
      // Parks through the queue, so that a call which arrives meanwhile waits and does not open the browser again.
      await this.#queue.run(record.name, 0, async () => ({ answer: await this.#lifetime.park(now) }));
      return;
    }
    await this.#lifetime.keepAlive(record, this.#handover.usedAt !== null);
  }

  async #call<Input, Result, Reported>(
    caller: Caller,
    choice: TabAndDialogOptions,
    name: string,
    called: Operation<Input, Result, Reported>,
    input: Input,
  ): Promise<Reply<Reported>> {
    const { run, report } = called.begin(input);
    const effect = typeof called.effect === 'function' ? called.effect(input) : called.effect;
    const endAt = Date.now() + (called.msMax ?? SESSION_QUEUE_WAIT_MS_MAX + this.callMs);
    const queued = (cancelled: AbortSignal) => {
      const work = () =>
        retryInNewBrowser(() => this.#attempt(caller, choice, { name, ...called, effect, run, endAt }, cancelled));
      const acts = called.did !== undefined;
      return this.#queue.run<Reply<Result>>(caller.session, SESSION_QUEUE_WAIT_MS_MAX, work, cancelled, acts);
    };
    return report(await this.#calls.run(caller, queued).catch(this.#failed));
  }

  async #attempt<Result>(
    caller: Caller,
    choice: TabAndDialogOptions,
    { name, effect, opens, changes, did, reports, repeatable, msMax, origins, run, endAt }: StartedOperation<Result>,
    cancelled: AbortSignal,
  ): Promise<{ answer: Reply<Result>; after: Promise<void>; whenIdle?: (ended: AbortSignal) => Promise<void> }> {
    const acts = did !== undefined;
    if (acts) await this.#handover.refuseActing(caller.session);
    const { active, existed } = await this.#lifetime.ready(caller, opens);
    active.downloads.beginCall(this.#files.of(caller));
    active.secrets.beginCall(caller);
    this.#asking.beginCall(caller);
    const restored = this.#lifetime.unreportedRestore;
    const script: ScriptedCall = { steps: [], url: null, text: null };
    const callMs = Math.min(msMax ?? this.callMs, Math.max(SESSION_CALL_MS_MIN, endAt - Date.now()));
    const step = acts ? name : null;
    try {
      const bounds = { effect, isLook: !changes, callMs, texts: origins, script, cancelled };
      const session = this.#sessionOf(caller, existed);
      const work = runInTab(caller.session, active, choice, restored, bounds, (at) => run(at, session));
      const done = await withBrowserTimeout(active.browser, callMs + SESSION_STATE_MS, work);
      done.state.handedBack = this.#handover.unreported;
      done.state.held = this.#asking.takeHeld();
      if (reports) this.#lifetime.unreportedRestore = null;
      await Promise.all([reports && this.#handover.reported(), acts && this.#handover.clearRequest()]);
      const taken = createRecordedStep(step, active, done.state.tab?.id, done.state.tab, null, script);
      const hasChanged = changes || restored !== null;
      const after = this.#afterCall(caller, active, hasChanged, null, taken);
      if (!hasChanged || active.tabs.driver.isDriving) return { answer: { done }, after };
      // Reads the page ahead, so that the next action can report its changes.
      const look = (signal: AbortSignal) => scanUnreadPage(active, done.state.tab?.id, signal);
      const whenIdle = (ended: AbortSignal) => runInBackground(this.ctx.id.toString(), look, ended);
      return { answer: { done }, after, whenIdle };
    } catch (error) {
      if (error instanceof BrowserGone && repeatable && !cancelled.aborted) throw error;
      const failure = maskFailureTexts(reportedFailure(error, this.ctx.id.toString()), active.secrets.mask?.from);
      // A failed call is also recorded as a step, because it may have changed something before it failed.
      const taken = createRecordedStep(step, active, choice.tab, null, failure.code, script);
      return { answer: { failure }, after: this.#afterCall(caller, active, changes, failure, taken) };
    }
  }

  #opened(): void {
    this.#handover.applyDriver();
    const { active } = this.#lifetime;
    if (active !== null) this.#asking.attach(active);
  }

  #sessionOf(caller: Caller, existed: boolean): OperationSession {
    return {
      caller,
      existed,
      files: this.#files,
      pageBytesMax: this.#config.MAX_BYTES,
      saveSettings: (settings) => this.#lifetime.save({ settings }),
      isDrivenByPerson: () => this.#handover.driver !== null,
    };
  }

  /** Starts the work after a call. The next call waits for it, for a limited time. */
  #afterCall(
    caller: Caller,
    active: ActiveSession,
    hasChanged: boolean,
    failure: Failure | null,
    step: RecordedStep | null,
  ): Promise<void> {
    const keep = () => this.#lifetime.saveAfterCall(active, hasChanged);
    const note = async () => (step === null ? undefined : this.#steps.note(caller, step));
    return runAfterCall(active, failure, this.ctx.id.toString(), keep, note);
  }
}
