import { abortable, withTimeout } from '#core/flow/abort.ts';
import { messageOf } from '#core/failures/failure-message.ts';
import { PeriscopeError } from '#core/failures/failure.ts';
import { TABS_MAX, SECOND_MS } from '#core/limits.ts';
import type { LiveInput } from './messages.ts';
import { canonicalUrl } from '#net/fetch/canonical-url.ts';
import * as pageScripts from '#generated/page-scripts.js';
import { BrowserGone, CdpError } from '#browsing/cdp/connection.ts';
import { callWithHandles, callIn, isGone } from '#browsing/tabs/call-in-page.ts';
import type { DialogAnswer, OpenTab, PageDialog } from '#browsing/tabs/open-tab.ts';
import { PersonInput } from './person-input.ts';
import { LIVE_CHOICES_MAX, LIVE_DIALOG_MS, LIVE_INPUT_MS_MAX } from './limits.ts';
import type { LiveBrowser, Viewer } from './viewer.ts';
import type { Frame } from '#browsing/tabs/tab.ts';

/** A page may open a tab so long after a person did something in it. */
const LIVE_ACTED_MS = 1 * SECOND_MS;

export class Drive {
  readonly #input = new PersonInput();
  #answer: ((answer: DialogAnswer) => void) | null = null;
  /** Counts tabs that are still opening, because a person can open many at once. */
  #opening = 0;
  #mayOpenUntil: ReturnType<typeof setTimeout> | null = null;

  async do(input: LiveInput, tab: OpenTab | null, shown: LiveBrowser, viewer: Viewer): Promise<void> {
    try {
      await this.#do(input, tab, shown, viewer);
    } catch (error) {
      if (error instanceof CdpError || error instanceof BrowserGone || isGone(error)) return undefined;
      if (!(error instanceof PeriscopeError)) throw error;
      viewer.tell({ kind: 'problem', text: messageOf(error.failure) });
    }
    return undefined;
  }

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

  rest(): void {
    this.#input.rest();
    this.#answer?.({ accept: false });
  }

  async #do(input: LiveInput, tab: OpenTab | null, shown: LiveBrowser, viewer: Viewer): Promise<void> {
    if (input.kind === 'answer') return this.#answer?.({ accept: input.accept, text: input.text });
    if (input.kind === 'open') {
      return this.#open(shown, viewer);
    }
    if (input.kind === 'screen') return undefined;
    if (input.kind === 'shut') return shut(input.tab, shown, viewer);
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
        await this.#input.do(tab, shown.tabs.settings, input);
        if (isPress(input)) await showChoices(tab, viewer);
        return undefined;
    }
  }

  async #open(shown: LiveBrowser, viewer: Viewer): Promise<void> {
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

  #mayOpen(shown: LiveBrowser): void {
    shown.setActing(true);
    if (this.#mayOpenUntil !== null) clearTimeout(this.#mayOpenUntil);
    this.#mayOpenUntil = setTimeout(() => shown.setActing(false), LIVE_ACTED_MS);
  }
}

async function shut(id: string, { tabs }: LiveBrowser, viewer: Viewer): Promise<void> {
  const found = tabs.byId(id);
  if (found === null) return;
  if (tabs.all().length === 1) return viewer.tell({ kind: 'problem', text: 'The last tab of a session stays open.' });
  await tabs.close(found);
}

function isPress(input: LiveInput): boolean {
  if (input.kind === 'key') return input.type === 'up' && (LIST_KEYS.has(input.key) || input.key.startsWith('Arrow'));
  return (input.kind === 'mouse' && input.type === 'up') || (input.kind === 'touch' && input.type === 'end');
}

/** Keys that open or close a list; arrows open one on some systems. */
const LIST_KEYS: ReadonlySet<string> = new Set([' ', 'Enter', 'F4', 'Escape', 'Tab']);

/** A browser draws the options of a list outside the page, where no screencast shows them. */
async function showChoices(tab: OpenTab, viewer: Viewer): Promise<void> {
  const choices = await inPage(async (late) => {
    const frame = await abortable(focusedFrame(tab), late);
    const found = await callIn(tab, frame, pageScripts.listChoices, [LIVE_CHOICES_MAX], late);
    // Where a frame lies in the picture is not known here.
    return found === null || frame === tab.main() ? found : { ...found, place: undefined };
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

async function focusedFrame(tab: OpenTab): Promise<Frame> {
  let at: Frame = tab.main();
  for (;;) {
    const { result } = await callWithHandles(tab, at, pageScripts.focusedFrame, [], {});
    if (result.objectId === undefined) return at;
    const { node } = await at.session.send('DOM.describeNode', { objectId: result.objectId });
    const inner = node.frameId === undefined ? null : tab.frame(node.frameId);
    if (inner === null || inner.parentId !== at.id) return at;
    at = inner;
  }
}
