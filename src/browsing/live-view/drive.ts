import { abortable, withTimeout } from '#core/flow/abort.ts';
import { describeFailure } from '#core/failures/describe-failure.ts';
import { PeriscopeError } from '#core/failures/failure.ts';
import { TABS_MAX } from '#core/limits.ts';
import type { LiveHands } from '#core/live-messages.ts';
import { canonicalUrl } from '#net/fetch/canonical-url.ts';
import * as pageScripts from '#generated/page-scripts.js';
import { BrowserGone, CdpError } from '#browsing/cdp/connection.ts';
import { askIn, callIn, isGone } from '#browsing/tabs/call-in-page.ts';
import type { DialogAnswer, OpenTab, PageDialog } from '#browsing/tabs/open-tab.ts';
import { Hands } from './hands.ts';
import { LIVE_ACTED_MS, LIVE_CHOICES_MAX, LIVE_DIALOG_MS, LIVE_INPUT_MS_MAX } from './limits.ts';
import type { Shown, Viewer } from './viewer.ts';
import type { Frame } from '#browsing/tabs/frame.ts';

/** What a person does in the session, from the page that drives it. */
export class Drive {
  readonly #hands = new Hands();
  #answer: ((answer: DialogAnswer) => void) | null = null;
  /** Tabs that are on their way: a person can ask for many at once. */
  #opening = 0;
  #mayOpenUntil: ReturnType<typeof setTimeout> | null = null;

  async do(input: LiveHands, tab: OpenTab | null, shown: Shown, viewer: Viewer): Promise<void> {
    try {
      await this.#do(input, tab, shown, viewer);
    } catch (error) {
      // The tab went away under the hand, or its page is busy.
      if (error instanceof CdpError || error instanceof BrowserGone || isGone(error)) return undefined;
      if (!(error instanceof PeriscopeError)) throw error;
      viewer.tell({ kind: 'problem', text: describeFailure(error.failure).message });
    }
    return undefined;
  }

  /** Puts a dialog of a page before the person. Unanswered for long, it is dismissed. */
  ask(dialog: PageDialog, viewer: Viewer): Promise<DialogAnswer> {
    this.#answer?.({ accept: false });
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#answer?.({ accept: false }), LIVE_DIALOG_MS);
      this.#answer = (answer) => {
        clearTimeout(timer);
        this.#answer = null;
        viewer.tell({ kind: 'dialog', dialog: null });
        resolve(answer);
      };
      viewer.tell({ kind: 'dialog', dialog });
    });
  }

  /** The person drives no longer. */
  rest(): void {
    this.#hands.rest();
    this.#answer?.({ accept: false });
  }

  async #do(input: LiveHands, tab: OpenTab | null, shown: Shown, viewer: Viewer): Promise<void> {
    if (input.kind === 'answer') return this.#answer?.({ accept: input.accept, text: input.text });
    if (input.kind === 'open') {
      return this.#open(shown, viewer);
    }
    if (input.kind === 'shut') {
      const shut = shown.tabs.byId(input.tab);
      if (shut !== null) await shown.tabs.close(shut);
      return undefined;
    }
    if (tab === null) return undefined;
    this.#mayOpen(shown);
    switch (input.kind) {
      case 'go':
        await tab.session.send('Page.navigate', { url: canonicalUrl(input.url) + hashOf(input.url) });
        return undefined;
      case 'history':
        return move(tab, input.move);
      case 'choose':
        tab.noteTyped();
        await inPage(async (late) => {
          const frame = await abortable(focusedFrame(tab), late);
          await callIn(tab, frame, pageScripts.chooseInList, [input.at], late);
        });
        return undefined;
      default:
        await this.#hands.do(tab, shown.tabs.settings, input);
        if (isPress(input)) await showChoices(tab, viewer);
        return undefined;
    }
  }

  async #open(shown: Shown, viewer: Viewer): Promise<void> {
    if (shown.tabs.all().length + this.#opening >= TABS_MAX) {
      return viewer.tell({ kind: 'problem', text: `There are ${TABS_MAX} tabs, the most a session may have.` });
    }
    this.#opening += 1;
    try {
      viewer.wanted = (await shown.open()).id;
    } finally {
      this.#opening -= 1;
    }
    return undefined;
  }

  /** What a click or a key sets off may open a tab. */
  #mayOpen(shown: Shown): void {
    shown.acts(true);
    if (this.#mayOpenUntil !== null) clearTimeout(this.#mayOpenUntil);
    this.#mayOpenUntil = setTimeout(() => shown.acts(false), LIVE_ACTED_MS);
  }
}

/** After which a list may be open. */
function isPress(input: LiveHands): boolean {
  if (input.kind === 'key') return input.type === 'up' && (LIST_KEYS.has(input.key) || input.key.startsWith('Arrow'));
  return (input.kind === 'mouse' && input.type === 'up') || (input.kind === 'touch' && input.type === 'end');
}

/** They open a list, as arrows do on some systems; arrows choose in one, too. */
const LIST_KEYS: ReadonlySet<string> = new Set([' ', 'Enter', 'F4', 'Escape', 'Tab']);

/** A browser shows the choices of a list outside of the page, where no picture shows them. */
async function showChoices(tab: OpenTab, viewer: Viewer): Promise<void> {
  const choices = await inPage(async (late) => {
    const frame = await abortable(focusedFrame(tab), late);
    return callIn(tab, frame, pageScripts.listChoices, [LIVE_CHOICES_MAX], late);
  });
  if (choices === null) viewer.tell({ kind: 'choices', labels: null, chosen: -1 });
  else viewer.tell({ kind: 'choices', ...choices });
}

async function move(tab: OpenTab, where: 'back' | 'forward' | 'reload'): Promise<void> {
  if (where === 'reload') return tab.session.send('Page.reload', {});
  const { currentIndex, entries } = await tab.session.send('Page.getNavigationHistory');
  const entry = entries[currentIndex + (where === 'back' ? -1 : 1)];
  if (entry !== undefined) await tab.session.send('Page.navigateToHistoryEntry', { entryId: entry.id });
  return undefined;
}

/** A page that is busy is not waited for. */
async function inPage<T>(ask: (late: AbortSignal) => Promise<T>): Promise<T | null> {
  return withTimeout(LIVE_INPUT_MS_MAX, async (late) => {
    try {
      return await ask(late);
    } catch (error) {
      if (late.aborted) return null;
      throw error;
    }
  });
}

function hashOf(url: string): string {
  const at = url.indexOf('#');
  return at === -1 ? '' : url.slice(at).trim();
}

/** The frame that what is typed goes to: the innermost one that has the focus. */
async function focusedFrame(tab: OpenTab): Promise<Frame> {
  let at: Frame = tab.main();
  for (;;) {
    const { result } = await askIn(tab, at, pageScripts.focusedFrame, [], {});
    if (result.objectId === undefined) return at;
    const { node } = await at.session.send('DOM.describeNode', { objectId: result.objectId });
    const inner = node.frameId === undefined ? null : tab.frame(node.frameId);
    if (inner === null || inner.parentId !== at.id) return at;
    at = inner;
  }
}
