import { BrowserGone, CdpError } from '#browsing/cdp/connection.ts';
import * as pageScripts from '#generated/page-scripts.js';
import { STEP_PICTURE_MS } from '#browsing/see/limits.ts';
import { smallPicture } from '#browsing/see/picture.ts';
import { hasHidden } from '#browsing/secrets/cover.ts';
import { callIn } from '#browsing/tabs/call-in-page.ts';
import type { OpenTab } from '#browsing/tabs/open-tab.ts';
import type { Step, StepWithout } from '#core/activity.ts';
import { PeriscopeError } from '#core/failures/failure.ts';
import { TITLE_CHARS_MAX, VIEW_FRAMES_MAX } from '#core/limits.ts';
import type { ObjectCalls } from '#core/objects.ts';
import { redactUrl } from '#core/secrets/secret-addresses.ts';
import { boundedAddress, oneLine } from '#core/text/text.ts';
import { withTimeout } from '#core/flow/abort.ts';
import type { PersonHistory } from '#storage/person/person-history.ts';
import type { Caller, TabState } from '#browsing/session/answers.ts';
import type { Kind } from '#browsing/session/call-queue.ts';
import { tabOf } from '#browsing/session/live.ts';
import type { Live } from '#browsing/session/live.ts';

export type StepsDeps = {
  /** What is kept for a person. */
  historyOf: (subject: string) => Pick<ObjectCalls<PersonHistory>, 'wish' | 'keepStep'>;
  /** Whether this deployment keeps pictures. */
  isOn: boolean;
  now: () => number;
  /** Whether a call waits: it need not wait for a picture. */
  isBusy: () => boolean;
  report: (error: unknown) => void;
};

/** What a call did to a tab. */
export type Stepped = { what: string; tab: OpenTab | null; state: TabState | null; error: string | null };

/** The step that a call was, if it was one. @param id of the tab */
export function steppedBy(
  { step }: Kind,
  live: Live,
  id: string | undefined,
  state: TabState | null,
  error: string | null,
): Stepped | null {
  return step === undefined ? null : { what: step, tab: tabOf(live, id), state, error };
}

/**
 * Tells people the steps of their sessions, behind the answers of calls: each of the caller's own, with a small picture of
 * how the page was then. There is none of a page in which a person has typed, that shows a secret, or that asks for a password or a code.
 */
export class Steps {
  readonly #deps: StepsDeps;
  /** People of whom it is known that they want pictures, or not; their history has the last word. */
  readonly #wanted = new Map<string, boolean>();

  constructor(deps: StepsDeps) {
    this.#deps = deps;
  }

  /** Takes the picture; what comes after that, no call waits for. */
  async note({ subject, session }: Caller, { what, tab, state, error }: Stepped): Promise<void> {
    const { now } = this.#deps;
    const taken = await this.#take(subject, tab);
    const without = typeof taken === 'string' ? taken : null;
    const url = state?.url ?? (tab?.isOpen === true ? tab.session.told(tab.main().url, 'page') : null);
    const step: Step = {
      id: crypto.randomUUID(),
      session,
      at: now(),
      what,
      error,
      without,
      url: url === null ? null : boundedAddress(redactUrl(url)),
      title: oneLine(state?.title ?? '', TITLE_CHARS_MAX) || null,
    };
    void this.#keep(subject, step, typeof taken === 'string' ? null : taken);
  }

  async #keep(subject: string, step: Step, jpeg: Uint8Array | null): Promise<void> {
    try {
      this.#wanted.set(subject, await this.#deps.historyOf(subject).keepStep(step, jpeg));
    } catch (error) {
      this.#deps.report(error);
    }
  }

  async #take(subject: string, tab: OpenTab | null): Promise<Uint8Array | StepWithout> {
    const { isOn, isBusy, historyOf, report } = this.#deps;
    if (!isOn) return 'off';
    if (isBusy()) return 'busy';
    try {
      return await withTimeout(STEP_PICTURE_MS, async (late) => {
        if (!(this.#wanted.get(subject) ?? (await historyOf(subject).wish()).pictures)) return 'off';
        // A page that goes on by itself would only be held up.
        if (tab === null || !tab.isOpen || tab.isRestless) return 'failed';
        if (await isForNobody(tab, late)) return 'hidden';
        const jpeg = await smallPicture(tab, late);
        // A page can put a field into view while its picture is taken.
        return (await isForNobody(tab, late)) ? 'hidden' : jpeg;
      });
    } catch (error) {
      if (!isUsual(error)) report(error);
      return 'failed';
    }
  }
}

/** Whether the tab shows what a person typed, or asks for something that only a person can give. */
async function isForNobody(tab: OpenTab, signal: AbortSignal): Promise<boolean> {
  if (tab.isPrivate) return true;
  const frames = tab.frames().slice(0, VIEW_FRAMES_MAX);
  const walls = await Promise.all(frames.map((frame) => callIn(tab, frame, pageScripts.wallHere, [], signal)));
  if (walls.some((wall) => wall !== '')) return true;
  const hidden = await Promise.all(frames.map((frame) => hasHidden(tab, frame, signal)));
  return hidden.includes(true);
}

/** A page that is busy or gone has no picture. */
function isUsual(error: unknown): boolean {
  const kinds = [DOMException, BrowserGone, CdpError, PeriscopeError];
  return kinds.some((kind) => error instanceof kind);
}
