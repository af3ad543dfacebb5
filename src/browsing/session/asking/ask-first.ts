import { findApprovalReason, submitsOrdinaryForm } from '#browsing/ask/classify.ts';
import type { ApprovalReason } from '#browsing/ask/classify.ts';
import { factsBoundToApproval, urlHost, urlOrigin, describeApprovalQuestion } from '#browsing/ask/question.ts';
import type { PageActFacts, PageActKind } from '#browsing/ask/act-facts.ts';
import { fenceQuote } from '#browsing/act/reach.ts';
import { quotePageText } from '#browsing/view/words.ts';
import { fail } from '#core/failures/failure.ts';
import { randomBase64Url } from '#core/secrets/sealed.ts';
import { withTimeout, abortable } from '#core/flow/abort.ts';
import { toHex } from '#core/text/text.ts';
import { STEP_PICTURE_MS_MAX } from '#browsing/see/picture.ts';
import type { OpenTab } from '#browsing/tabs/open-tab.ts';
import type { InputApprovalCheck, ApprovableInput, Frame } from '#browsing/tabs/tab.ts';
import { takeStorableScreenshot } from '#browsing/session/history/steps.ts';
import type { ApprovalQuestions, NewQuestion } from './approvals.ts';
import { toFormFacts } from '#browsing/ask/field-kinds.ts';
import * as pageScripts from '#generated/page-scripts.js';
import { findFocusedFrame, findHitInInnerFrame, findFrameRoot } from '#browsing/act/inner-frame.ts';
import type { SeenControlInPage } from '#browsing/in-page/asking/seen.ts';
import { callIn, callOn, failElementGone } from '#browsing/tabs/call-in-page.ts';

/**
 * Size in bytes of the random key in each digest. The key ends with this run of the session, and so do approvals of one
 * act. Approvals for the session are stored without the key and stay.
 */
const RUN_KEY_BYTES = 32;

type AskDeps = {
  approvals: ApprovalQuestions;
  /** The user whose call is running. */
  subject: () => string;
  session: () => string;
  /** True if the rules of any document in the tab are stricter than `act`. */
  asksIn: (tab: OpenTab) => boolean;
  asksAt: (tab: OpenTab, frame: Frame) => boolean;
};

/** An approved act. Requests to its receiver shortly afterwards need no approval. */
export type ApprovedAct = {
  receiver: string;
  at: number;
  /** Set if the act is an ordinary form that needed no approval. It covers only its own submission, to this URL. */
  only?: string;
};

/** Asks the user before inputs with consequences, such as a purchase, in tabs whose site rule is `ask`. */
export class ActApprovalGate {
  readonly #deps: AskDeps;
  readonly #runKey = randomBase64Url(RUN_KEY_BYTES);
  readonly #approved = new WeakMap<OpenTab, ApprovedAct>();
  /** Tabs in which the running call may accept JavaScript dialogs such as `confirm()`. */
  #accepting = new WeakSet<OpenTab>();

  constructor(deps: AskDeps) {
    this.#deps = deps;
  }

  /** The check to run before each input in this tab; `null` if the site rules allow acting in all its documents. */
  askFor(tab: OpenTab): InputApprovalCheck | null {
    if (!this.#deps.asksIn(tab)) return null;
    return (input, signal) => this.#check(tab, input, signal);
  }

  beginCall(): void {
    this.#accepting = new WeakSet();
  }

  /**
   * True if the user approved an act of this call together with its dialogs, or if the rule of the tab's main document
   * is not `ask`. An act that needed no approval does not count.
   */
  mayAcceptDialog(tab: OpenTab): boolean {
    return this.#accepting.has(tab) || !this.#deps.asksAt(tab, tab.main());
  }

  /** Ends an approval that covers a single request, once this request was sent. */
  noteExplained(tab: OpenTab): void {
    if (this.#approved.get(tab)?.only !== undefined) this.#approved.delete(tab);
  }

  approvedIn(tab: OpenTab): ApprovedAct | null {
    return this.#approved.get(tab) ?? null;
  }

  /** @throws {PeriscopeError} `approval_needed` if the input needs an approval that the user has not given */
  async #check(tab: OpenTab, input: ApprovableInput, signal: AbortSignal): Promise<void> {
    this.#approved.delete(tab);
    const seen = await seenAct(tab, input, signal);
    if (seen === null || !this.#deps.asksAt(tab, seen.frame)) return;
    const reason = findApprovalReason(seen.act);
    if (reason === null) {
      const { form } = seen.act.element;
      if (form !== null && submitsOrdinaryForm(seen.act))
        this.#approved.set(tab, { receiver: urlOrigin(form.action), at: Date.now(), only: form.action });
      return;
    }
    const asked = await this.#questionFor(tab, seen, reason);
    const isRepeated = 'isRepeated' in input && input.isRepeated;
    const verdict = await this.#deps.approvals.verdict(asked, isRepeated);
    if (verdict.state === 'allowed') {
      this.#approved.set(tab, { receiver: asked.wording.receiver, at: Date.now() });
      if (seen.act.acceptsDialog) this.#accepting.add(tab);
      return;
    }
    await this.#refuse(tab, asked, verdict, signal);
  }

  async #refuse(
    tab: OpenTab,
    asked: NewQuestion,
    verdict: { state: 'new' } | { state: 'refused' | 'waiting'; id: string },
    signal: AbortSignal,
  ): Promise<never> {
    const { act, name, host, because } = asked.wording;
    const quoted = name === '' ? undefined : await fenceQuote(quotePageText(name, name.length));
    const failure = { code: 'approval_needed' as const, session: this.#deps.session(), host, because, act, quoted };
    if (verdict.state !== 'new') return fail({ ...failure, ...verdict });
    const picture = await pictureFor(tab, signal);
    const question = await this.#deps.approvals.ask(asked, picture);
    return fail({ ...failure, state: 'asked', id: question.id });
  }

  /** Digest of an act's facts. Differs in each run of the session, so that no approval of one act outlives a run. */
  async boundTo(facts: string): Promise<string> {
    return toHex(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(this.#runKey + facts)));
  }

  async #questionFor(tab: OpenTab, { act, frame, box }: SeenAct, reason: ApprovalReason): Promise<NewQuestion> {
    const receiver = findReceiver(act, frame, tab);
    const page = frameAddress(frame, tab);
    const facts = [factsBoundToApproval(act, reason), reason, receiver, tab.targetId, frame.id, frame.loaderId];
    return {
      subject: this.#deps.subject(),
      bound: await this.boundTo(JSON.stringify(facts)),
      kind: kindOf(reason),
      page,
      tab: tab.id,
      wording: describeApprovalQuestion(act, reason, page, receiver),
      box,
    };
  }
}

function kindOf(reason: ApprovalReason): string {
  if (reason.why === 'word') return `word ${reason.meaning}`;
  return reason.why === 'form' ? `form ${reason.holds}` : reason.why;
}

/** Address of a frame. A frame without a host of its own, such as `about:blank`, counts as part of the tab's page. */
function frameAddress(frame: Frame, tab: OpenTab): string {
  return urlHost(frame.url) === '' ? tab.main().url : frame.url;
}

function findReceiver({ element: { form, opens } }: PageActFacts, frame: Frame, tab: OpenTab): string {
  const named = form?.method === 'get' || form?.method === 'post' ? form.action : opens;
  return urlOrigin(named ?? '') || urlOrigin(frameAddress(frame, tab));
}

/** Screenshot of the page for the approval question; `null` if the page may show private content, or after an error. */
async function pictureFor(tab: OpenTab, signal: AbortSignal): Promise<Uint8Array | null> {
  signal.throwIfAborted();
  return withTimeout(STEP_PICTURE_MS_MAX, (late) => takeStorableScreenshot(tab, late)).catch(() => null);
}

/** An act and where it happens. */
type SeenAct = {
  act: PageActFacts;
  frame: Frame;
  /** Box of the element as fractions of the viewport; `null` inside a frame. */
  box: SeenControlInPage['box'] | null;
};

/**
 * Finds the control that an input would operate, immediately before the input is sent.
 * @returns `null` if the input operates no control, or only edits text
 */
async function seenAct(tab: OpenTab, input: ApprovableInput, signal: AbortSignal): Promise<SeenAct | null> {
  const found = await elementFor(tab, input, signal);
  if (found === null) return null;
  const { seen, frame } = found;
  const kind = actKindOf(input, seen);
  if (kind === null) return null;
  const { form, box, ...facts } = seen;
  const submits = form !== null && (form.submits || (input.kind === 'key' && input.key === 'Submit'));
  const element = { ...facts, form: form === null ? null : toFormFacts(form), submits };
  const act = { kind, acceptsDialog: tab.dialogAnswer.accept, element };
  return { act, frame, box: frame.parentId === null ? box : null };
}

type Found = { seen: SeenControlInPage; frame: Frame };

async function elementFor(tab: OpenTab, input: ApprovableInput, signal: AbortSignal): Promise<Found | null> {
  if (input.kind === 'upload') {
    const { element } = input;
    return { seen: await callOn(element, pageScripts.readActFacts, [], signal), frame: element.frame };
  }
  if (input.kind === 'choose') {
    const { element, wanted } = input;
    return { seen: await callOn(element, pageScripts.readSelectFacts, [wanted], signal), frame: element.frame };
  }
  if (input.kind === 'press' || input.kind === 'drop') return elementAt(tab, input, signal);
  const asked = abortable(findFocusedFrame(tab), signal);
  const frame = await asked.catch(failElementGone('page'));
  const accessKey = input.kind === 'access_key' ? input.character : '';
  const seen = await callIn(tab, frame, pageScripts.readFocusedActFacts, [accessKey], signal);
  return seen === null ? null : { seen, frame };
}

async function elementAt(tab: OpenTab, { x, y }: { x: number; y: number }, signal: AbortSignal): Promise<Found | null> {
  const main = tab.main();
  const whole = await findFrameRoot(tab, main, false, signal);
  const inner = await findHitInInnerFrame(whole, { x, y }, signal);
  if (inner !== null)
    return { seen: await callOn(inner.hit, pageScripts.readActFacts, [], signal), frame: inner.hit.frame };
  const seen = await callIn(tab, main, pageScripts.readActFactsAt, [x, y], signal);
  return seen === null ? null : { seen, frame: main };
}

function actKindOf(input: ApprovableInput, { kind }: SeenControlInPage): PageActKind | null {
  const isText = kind === 'text' || kind === 'multiline';
  switch (input.kind) {
    case 'upload':
    case 'choose':
      return input.kind;
    case 'drop':
      return 'drop';
    case 'press':
      return 'click';
    case 'access_key':
      return isText ? null : 'click';
    case 'key':
      if (input.key === 'Delete') return isText || kind === 'choice' ? null : 'delete_key';
      if (input.key === 'Space') return isText ? null : 'click';
      return isText || kind === 'check' || kind === 'choice' ? 'enter' : 'click';
  }
}
