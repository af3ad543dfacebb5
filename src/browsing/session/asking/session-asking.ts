import { urlHost, urlOrigin } from '#browsing/ask/question.ts';
import { SECOND_MS } from '#core/limits.ts';
import { quotePageText } from '#browsing/view/words.ts';
import { approvalPath } from '#core/paths.ts';
import type { LiveApprovalLink } from '#browsing/live-view/messages.ts';
import type { RequestToApprove } from '#browsing/rules/rules-check.ts';
import type { OpenTab } from '#browsing/tabs/open-tab.ts';
import type { ActiveSession } from '#browsing/session/active-session.ts';
import type { Caller, WaitingRequestNote, UnaskedRequest } from '#browsing/session/replies.ts';
import { ApprovalQuestions } from './approvals.ts';
import type { ApprovalAnswer, ApprovalStorage, NewQuestion, ApprovalQuestion } from './approvals.ts';
import { ActApprovalGate } from './ask-first.ts';
import type { ApprovedAct } from './ask-first.ts';
import { toSentFormValue } from '#browsing/ask/field-kinds.ts';
import type { ShownFormValue } from '#browsing/ask/question.ts';
import { oneLine } from '#core/text/text.ts';

/**
 * Maximum time to hold a page's request for approval, after which it is refused. Browsers and sites accept longer
 * delays.
 */
const HELD_MS_MAX = 60 * SECOND_MS;
/** Maximum requests of one session that are held at the same time. Further requests are refused. */
const HELD_MAX = 10;

/** Maximum requests recorded per call that were sent without asking. A page may send hundreds. */
const RECORDED_MAX = 5;

type AskingDeps = {
  storage: ApprovalStorage;
  now: () => number;
  active: () => ActiveSession | null;
  /** Adds an answer of the user to the session history. */
  answered: (question: ApprovalQuestion) => void;
  /** Adds a request that was sent without asking to the session history. Secrets in the URL are masked. */
  sent: (caller: Caller, sent: UnaskedRequest) => void;
};

/** Asks the user of a session before consequential inputs of the model, and before requests that result from them. */
export class SessionAsking {
  readonly #deps: AskingDeps;
  readonly #approvals: ApprovalQuestions;
  readonly #askFirst: ActApprovalGate;
  #caller: Caller | null = null;
  readonly #holding = new Map<string, Promise<string | null>>();
  readonly #recorded = new Set<string>();
  #unreported: WaitingRequestNote[] = [];

  constructor(deps: AskingDeps) {
    this.#deps = deps;
    this.#approvals = new ApprovalQuestions(deps.storage, deps.now);
    const rules = () => deps.active()?.rules ?? null;
    this.#askFirst = new ActApprovalGate({
      approvals: this.#approvals,
      subject: () => this.#caller?.subject ?? '',
      session: () => this.#caller?.session ?? '',
      asksIn: (tab) => (rules()?.inTab(tab).level ?? 'act') !== 'act',
      asksAt: (tab, frame) => rules()?.at(tab, frame).level === 'ask',
    });
  }

  read(): Promise<void> {
    return this.#approvals.read();
  }

  forget(): void {
    this.#approvals.forget();
    this.#caller = null;
    this.#unreported = [];
  }

  beginCall(caller: Caller): void {
    this.#caller = caller;
    this.#approvals.beginCall();
    this.#askFirst.beginCall();
    this.#recorded.clear();
  }

  /** Connects a newly opened browser to the approval checks. */
  attach(active: ActiveSession): void {
    const { tabs, rules } = active;
    active.hold = (held) => this.#hold(held);
    active.noteSent = (tab, { method, url }) => this.#record(tab, safeMethod(method), url);
    tabs.driver.onAct = (tab) => this.#holdSockets(active, tab);
    tabs.driver.onSocket = (tab, url, session) => {
      if (tabs.guards.sockets.isStopped(session)) {
        tab.log.add({ kind: 'refused', url, reason: NO_SOCKETS, isDocument: false });
        return;
      }
      const asks = !rules.isOff && !tabs.driver.isDriving && rules.inTab(tab).level === 'ask';
      if (asks && rules.msSinceAct(tab, Date.now()) !== null) this.#record(tab, 'socket', url);
    };
    tabs.driver.askFirst = (tab) => {
      const check = rules.isOff || tabs.driver.isDriving ? null : this.#askFirst.askFor(tab);
      if (check === null) return null;
      return async (input, signal) => {
        await check(input, signal);
        this.#holdSockets(active, tab);
      };
    };
    tabs.driver.mayAcceptDialog = (tab) => rules.isOff || this.#askFirst.mayAcceptDialog(tab);
  }

  /** The newest question, for the live view. The control's name comes from the page, so it is quoted. */
  shown(record: { subject: string; name: string } | null): LiveApprovalLink | null {
    const [newest] = record === null ? [] : this.#approvals.waitingFor(record.subject);
    if (record === null || newest === undefined) return null;
    const { act, name, host, because } = newest.wording;
    const control = name === '' ? '' : ` ${quotePageText(name, name.length)}`;
    return {
      text: `${act}${control} on ${host}? You are asked because ${because}.`,
      path: approvalPath(record.name, newest.id),
    };
  }

  questions(subject: string): ApprovalQuestion[] {
    return this.#approvals.waitingFor(subject);
  }

  async answer(subject: string, id: string, given: ApprovalAnswer): Promise<ApprovalQuestion | null> {
    const answered = await this.#approvals.answer(subject, id, given);
    if (answered !== null) this.#deps.answered(answered);
    return answered;
  }

  picture(subject: string, id: string): Promise<Uint8Array | null> {
    return this.#approvals.picture(subject, id);
  }

  /** Held requests that no result has reported yet. Each is returned once. */
  takeHeld(): WaitingRequestNote[] {
    return this.#unreported.splice(0);
  }

  /**
   * Refuses new sockets of all `ask` pages for as long as they may be an effect of this act. All tabs are included,
   * because they can exchange messages. After an approved act whose receiver is the site of the tab, the tab's sockets
   * are free again.
   */
  #holdSockets({ tabs, rules }: ActiveSession, acted: OpenTab): void {
    if (rules.isOff || tabs.driver.isDriving) return;
    const approved = this.#askFirst.approvedIn(acted);
    if (
      approved !== null &&
      acted.frames().some(({ url }) => isExplainedByApproval(socketOf(url), approved, Date.now()))
    ) {
      tabs.guards.sockets.free(acted);
      return;
    }
    const asking = tabs.all().filter((tab) => rules.inTab(tab).level === 'ask');
    tabs.guards.sockets.stop(asking, (tab) => rules.effectsLeftMs(tab));
  }

  #record(tab: OpenTab | null, method: string, url: string): void {
    const caller = this.#caller;
    const address = URL.parse(url);
    if (caller === null || address === null || this.#recorded.size >= RECORDED_MAX) return;
    const key = `${method} ${address.origin}${address.pathname}`;
    if (this.#recorded.has(key)) return;
    this.#recorded.add(key);
    const [some] = this.#deps.active()?.tabs.all() ?? [];
    const masked = (tab ?? some)?.session.masked(url);
    if (masked !== undefined) this.#deps.sent(caller, { method, url: masked });
  }

  /**
   * Holds a request until the user decides, for a limited time. A request that an approved act explains is not held.
   * @returns `null` if the request may be sent; otherwise the reason for refusing it
   */
  async #hold({ tab, request }: RequestToApprove<OpenTab>): Promise<string | null> {
    const tabs = this.#deps.active()?.tabs.all() ?? [];
    const senders = tab === null ? tabs : [tab];
    const now = Date.now();
    const explaining = senders.find((one) => isExplainedByApproval(request, this.#askFirst.approvedIn(one), now));
    if (explaining !== undefined) {
      this.#askFirst.noteExplained(explaining);
      return null;
    }
    const [sender] = senders;
    const page = sender?.main().url ?? '';
    const { method, url, resourceType } = request;
    // The facts on which the user decides. A request with another body or address is a new question.
    const { contentType, hasBody, body } = request;
    const key = JSON.stringify([
      [sender?.targetId, sender?.main().loaderId, method, url, resourceType],
      // An unreadable body gets a random value: two such bodies may differ, so they never share an answer.
      [contentType, hasBody, body ?? (hasBody ? crypto.randomUUID() : null)],
    ]);
    const held = this.#holding.get(key);
    if (held !== undefined) return held;
    if (this.#holding.size >= HELD_MAX) return TOO_MANY;
    const asked = {
      subject: this.#caller?.subject ?? '',
      kind: 'request',
      page,
      tab: sender?.id ?? '',
      wording: {
        ...requestWords(request),
        host: urlHost(page),
        receiver: urlOrigin(url),
        name: '',
        around: '',
        values: readFormValues(request),
        hidden: 0,
      },
      box: null,
    };
    const decided = this.#decide(key, asked, request).finally(() => this.#holding.delete(key));
    this.#holding.set(key, decided);
    return decided;
  }

  async #decide(
    key: string,
    about: Omit<NewQuestion, 'bound'>,
    { method, resourceType }: RequestToApprove<OpenTab>['request'],
  ): Promise<string | null> {
    const asked: NewQuestion = { ...about, bound: await this.#askFirst.boundTo(key) };
    const verdict = await this.#approvals.verdict(asked, false);
    if (verdict.state === 'allowed') return null;
    if (verdict.state === 'refused') return REFUSED;
    const question = await this.#approvals.ask(asked, null);
    const host = urlHost(asked.wording.receiver);
    const onHeld = resourceType === 'Document' ? this.#deps.active()?.onHeld : null;
    const because = `sends a ${safeMethod(method)} request`;
    const session = this.#caller?.session ?? '';
    if (onHeld) onHeld({ code: 'approval_needed', session, state: 'held', id: question.id, host, because });
    else this.#unreported.push({ id: question.id, method: safeMethod(method), host });
    const given = await this.#approvals.answered(question, HELD_MS_MAX);
    if (given === null) return NOT_IN_TIME;
    return given === 'no' ? REFUSED : null;
  }
}

const NO_SOCKETS = 'WebSockets are not opened within five seconds of an act of a model where a rule asks first';
const REFUSED = 'the user did not allow it';
const NOT_IN_TIME = `the user did not allow it within ${HELD_MS_MAX / SECOND_MS} seconds`;
const TOO_MANY = 'too many requests of this session already wait for the user';

/** Maximum form values of a request that a question shows. */
const VALUES_MAX = 30;
const NAME_CHARS_MAX = 60;
const VALUE_CHARS_MAX = 120;
/** Maximum characters of a request body that is parsed for form values. */
const BODY_CHARS_MAX = 100_000;

type Held = { url: string; method: string; contentType: string; hasBody: boolean; body: string | null };

/**
 * The form values in a request. Other bodies, such as JSON, are not shown, because the user cannot tell what they mean.
 */
function readFormValues({ contentType, body }: Held): ShownFormValue[] {
  if (body === null || body.length > BODY_CHARS_MAX) return [];
  if (!/^application\/x-www-form-urlencoded\b/iu.test(contentType)) return [];
  const fields = [...new URLSearchParams(body)].slice(0, VALUES_MAX);
  return fields.map(([name, value]) => {
    const { kind } = toSentFormValue({ type: 'text', name, label: '', autocomplete: '', value, chars: value.length });
    const shown = kind === 'secret' || SECRET_NAME.test(name) ? null : oneLine(value, VALUE_CHARS_MAX);
    return { name: oneLine(name, NAME_CHARS_MAX), value: shown };
  });
}

const SECRET_NAME = /pass|pwd|secret|token|csrf|pin$|otp|cvc|cvv|card/iu;

/** Describes a held request in the server's own words. */
function requestWords({ method, hasBody }: Held): { act: string; because: string } {
  return {
    act: `Let the page send a ${safeMethod(method)} request`,
    because: hasBody
      ? 'the page sends data after an act of the model that you did not approve'
      : 'the page sends a request to another site after an act of the model that you did not approve',
  };
}

/** The HTTP method; `write` for an unusual method, which a page may have invented to put text into the question. */
function safeMethod(method: string): string {
  return /^[A-Z]{1,10}$/u.test(method) ? method : 'write';
}

/**
 * True if a request belongs to an act of a few seconds ago: it goes to the receiver of an approved act, or it submits
 * an ordinary form that needed no approval.
 */
export function isExplainedByApproval(
  { url, resourceType }: { url: string; resourceType: string },
  approved: ApprovedAct | null,
  now: number,
): boolean {
  if (approved === null || now - approved.at > EXPLAINED_MS) return false;
  const { receiver, only } = approved;
  return only === undefined
    ? urlOrigin(url) === receiver
    : resourceType === 'Document' && url === only.replace(/#.*/su, '');
}

/** The WebSocket that a frame's page opens, as a request to the page's own host. */
function socketOf(page: string): { url: string; resourceType: string } {
  return { url: page, resourceType: 'WebSocket' };
}

/** Time after an approved act during which requests to its receiver count as part of the act. */
const EXPLAINED_MS = 5_000;
