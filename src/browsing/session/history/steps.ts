import { BrowserGone, CdpError } from '#browsing/cdp/connection.ts';
import * as pageScripts from '#generated/page-scripts.js';
import { STEP_PICTURE_MS_MAX, readScreenshotViewport } from '#browsing/see/picture.ts';
import { doesPageShowSecret } from '#browsing/secrets/cover.ts';
import { callIn } from '#browsing/tabs/call-in-page.ts';
import type { OpenTab } from '#browsing/tabs/open-tab.ts';
import { mapScriptTexts } from '#core/script-steps.ts';
import type { ScriptedCall } from '#core/script-steps.ts';
import type { SessionStep, NoPictureReason } from '#core/activity.ts';
import { PeriscopeError } from '#core/failures/failure.ts';
import { TITLE_CHARS_MAX, VIEW_FRAMES_MAX } from '#core/limits.ts';
import type { ObjectCalls } from '#core/objects.ts';
import { redactUrl } from '#core/secrets/secret-addresses.ts';
import { truncateUrl, oneLine } from '#core/text/text.ts';
import { withTimeout, abortable } from '#core/flow/abort.ts';
import type { PersonHistory } from '#storage/person/person-history.ts';
import type { Caller, UnaskedRequest, TabState } from '#browsing/session/replies.ts';
import { findTab } from '#browsing/session/active-session.ts';
import type { ActiveSession } from '#browsing/session/active-session.ts';
import type { ApprovalQuestion } from '#browsing/session/asking/approvals.ts';
import type { Tab } from '#browsing/tabs/tab.ts';

const STEP_PICTURE_QUALITY = 45;
/**
 * Longest side in pixels of the screenshot stored for each step: 10 to 30 KB. The next call waits at most
 * `STEP_PICTURE_MS_MAX` for it.
 */
const STEP_PICTURE_SIDE_PX = 640;

type StepsDeps = {
  historyOf: (subject: string) => Pick<ObjectCalls<PersonHistory>, 'wish' | 'keepStep'>;
  isOn: boolean;
  now: () => number;
  isBusy: () => boolean;
  report: (error: unknown) => void;
};

export type RecordedStep = {
  what: string;
  tab: OpenTab | null;
  state: TabState | null;
  error: string | null;
  script: ScriptedCall | null;
};

export function createRecordedStep(
  step: string | null,
  active: ActiveSession,
  id: string | undefined,
  state: TabState | null,
  error: string | null,
  script: ScriptedCall,
): RecordedStep | null {
  if (step === null) return null;
  const { mask } = active.secrets;
  // Masks again, because a secret may have been typed after a step's texts were recorded.
  const shown = mapScriptTexts(script, (text) => (mask === null ? text : mask.from(text)));
  return { what: step, tab: findTab(active, id), state, error, script: script.steps.length === 0 ? null : shown };
}

/**
 * Stores the steps of a session with pictures. A step on a page that may show private content, such as a secret, has no
 * picture.
 */
export class StepRecorder {
  readonly #deps: StepsDeps;
  readonly #wanted = new Map<string, boolean>();

  constructor(deps: StepsDeps) {
    this.#deps = deps;
  }

  /** Stores a step. Returns when the picture is taken, without waiting for the storage. */
  async note({ subject, session }: Caller, { what, tab, state, error, script }: RecordedStep): Promise<void> {
    const { now } = this.#deps;
    const taken = await this.#take(subject, tab);
    const without = typeof taken === 'string' ? taken : null;
    const url = state?.url ?? (tab?.isOpen === true ? tab.session.masked(tab.main().url) : null);
    const step: SessionStep = {
      id: crypto.randomUUID(),
      session,
      at: now(),
      what,
      error,
      without,
      url: url === null ? null : truncateUrl(redactUrl(url)),
      title: oneLine(state?.title ?? '', TITLE_CHARS_MAX) || null,
    };
    const done = script === null ? null : redacted({ ...script, url: step.url });
    void this.#keep(subject, step, typeof taken === 'string' ? null : taken, done);
  }

  /** Stores the user's answer to an approval question as a step without a picture. */
  noteAnswer(session: string, { subject, answer, page }: ApprovalQuestion): void {
    this.#noteShort({ subject, session }, answer === 'no' ? 'refused_act' : 'approved_act', page, null);
  }

  /** Stores a request that a page under an `ask` rule sent without approval, as a step without a picture. */
  noteSent(caller: Caller, { method, url }: UnaskedRequest): void {
    this.#noteShort(caller, 'page_sent', url, method === 'socket' ? 'WebSocket' : method);
  }

  #noteShort(
    { subject, session }: Pick<Caller, 'subject' | 'session'>,
    what: string,
    url: string,
    title: string | null,
  ) {
    const step: SessionStep = {
      id: crypto.randomUUID(),
      session,
      at: this.#deps.now(),
      what,
      error: null,
      without: 'off',
      url: truncateUrl(redactUrl(url)),
      title,
    };
    void this.#keep(subject, step, null, null);
  }

  async #keep(subject: string, step: SessionStep, jpeg: Uint8Array | null, done: ScriptedCall | null): Promise<void> {
    try {
      this.#wanted.set(subject, await this.#deps.historyOf(subject).keepStep(step, jpeg, done));
    } catch (error) {
      this.#deps.report(error);
    }
  }

  async #take(subject: string, tab: OpenTab | null): Promise<Uint8Array | NoPictureReason> {
    const { isOn, isBusy, historyOf, report } = this.#deps;
    if (!isOn) return 'off';
    if (isBusy()) return 'busy';
    try {
      return await withTimeout(STEP_PICTURE_MS_MAX, async (late) => {
        if (!(this.#wanted.get(subject) ?? (await historyOf(subject).wish()).pictures)) return 'off';
        if (tab === null || !tab.isOpen || tab.keepsNavigating) return 'failed';
        return (await takeStorableScreenshot(tab, late)) ?? 'hidden';
      });
    } catch (error) {
      if (!isExpected(error)) report(error);
      return 'failed';
    }
  }
}

/**
 * Takes a small screenshot that may be stored.
 * @returns `null` if a rule blocks the page, a person drives, text or secrets were typed into it, or if it shows a
 * secret, a CAPTCHA, or fields for a password, code or payment card
 * @throws if the picture fails or `signal` is aborted
 */
export async function takeStorableScreenshot(tab: OpenTab, signal: AbortSignal): Promise<Uint8Array | null> {
  if (await isSensitive(tab, signal)) return null;
  const jpeg = await takeStepScreenshot(tab, signal);
  // Checked again afterwards, because the page may have shown a secret just while the picture was taken.
  return (await isSensitive(tab, signal)) ? null : jpeg;
}

function redacted({ steps, ...call }: ScriptedCall): ScriptedCall {
  return { ...call, steps: steps.map((step) => (step.do === 'go' ? { ...step, url: redactUrl(step.url) } : step)) };
}

async function isSensitive(tab: OpenTab, signal: AbortSignal): Promise<boolean> {
  if (tab.isPrivate) return true;
  const frames = tab.frames().slice(0, VIEW_FRAMES_MAX);
  const walls = await Promise.all(frames.map((frame) => callIn(tab, frame, pageScripts.detectWall, [], signal)));
  if (walls.some((wall) => wall !== '')) return true;
  const hidden = await Promise.all(frames.map((frame) => doesPageShowSecret(tab, frame, signal)));
  return hidden.includes(true);
}

function isExpected(error: unknown): boolean {
  const kinds = [DOMException, BrowserGone, CdpError, PeriscopeError];
  return kinds.some((kind) => error instanceof kind);
}

async function takeStepScreenshot(tab: Tab, signal: AbortSignal): Promise<Uint8Array> {
  const { x, y, width, height } = await abortable(readScreenshotViewport(tab), signal);
  const scale = Math.min(1, STEP_PICTURE_SIDE_PX / Math.max(width, height));
  const { data } = await abortable(
    tab.session.send('Page.captureScreenshot', {
      format: 'jpeg',
      quality: STEP_PICTURE_QUALITY,
      clip: { x, y, width, height, scale },
      optimizeForSpeed: true,
    }),
    signal,
  );
  return Uint8Array.from(atob(data), (byte) => byte.charCodeAt(0));
}
