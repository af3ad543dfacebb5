import { COPIED_TEXT_CHARS_MAX } from '#browsing/in-page/page/script-messages.ts';
import type { FileFacts } from '#core/document/file-facts.ts';
import { describeErrorPage } from '#core/failures/declare.ts';
import { createFence, oneLine } from '#core/text/text.ts';
import { sanitizeText } from '#core/text/plain.ts';
import type { HandBackReport, SessionState, TabState } from '#browsing/session/replies.ts';
import { describePageLoop } from '#browsing/tabs/page-record.ts';
import type { PageEvent, PageLoop } from '#browsing/tabs/page-record.ts';

/** Maximum page events in one result. The first events are the most useful. */
const PAGE_EVENTS_SHOWN_MAX = 8;

type ResultParts = {
  /** Trusted text about the completed action; empty if the result is the page itself. */
  head?: string | undefined;
  /** True if the caller knows the URL, because the tab has not navigated since before the call. */
  isPlaceKnown?: boolean;
  body?: string | undefined;
  notes?: readonly string[];
  next: readonly string[];
};

/**
 * The text of a browser result: trusted text first, then all text from the page (title, events, snapshot) inside one
 * fence.
 */
export async function writeResultText(
  state: SessionState,
  { head, isPlaceKnown = false, body, notes = [], next }: ResultParts,
): Promise<string> {
  const { tab, isTitleNew, tabs, opened } = state;
  const inside = sanitizeText(
    [
      ...(tab === null || tab.title === '' || !isTitleNew ? [] : [`title: ${tab.title}`]),
      ...(tabs.length > 1 ? tabs.map((other) => `tab ${other.id}: ${tabText(other)}`) : []),
      ...lostLines(state.restored?.typed ?? []),
      ...describeEvents(state.events),
      ...(body === undefined || body === '' ? [] : [body]),
    ].join('\n'),
  );
  const fence = await createFence(inside);
  return [
    ...(head === undefined ? [] : [head]),
    ...sessionLine(state),
    ...(tab === null || isPlaceKnown ? [] : [`URL: ${shortenLongUrl(tab.url)}`]),
    ...opened.map(({ id }) => `A new tab opened: ${id}`),
    ...describeStateChanges(state).map((note) => `Note: ${note}`),
    ...notes.map((note) => `Note: ${note}`),
    ...(inside === '' ? [] : [fence.open, inside, fence.close]),
    ...next.map((step) => `Next: ${step}`),
  ].join('\n');
}

function sessionLine({ session, tab, tabs }: SessionState): string[] {
  const isFirst = tab === null || (tabs.length <= 1 && tab.id === 't1');
  const words = [
    ...(session === 'default' ? [] : [`session ${session}`]),
    ...(isFirst ? [] : [`tab ${tab.id}${tabs.length > 1 ? ` (${tabs.length} tabs open)` : ''}`]),
  ];
  return words.length === 0 ? [] : [`In ${words.join(', ')}`];
}

const ADDRESS_CHARS_MAX = 500;

export function describeStateChanges(state: SessionState): string[] {
  const { handedBack, drawnAnew, held } = state;
  return [
    ...held.map(heldNote),
    ...(handedBack === null ? [] : [handedBackNote(handedBack)]),
    ...drawnAnew.map(
      ({ ref, now }) => `The page rebuilt the element ${ref}, and the call used the new one. Its ref is ${now}.`,
    ),
    ...lifeNotes(state),
  ];
}

function heldNote({ method, host, link }: SessionState['held'][number]): string {
  return `The page sends a ${method} request to ${host}, which the user has not approved. It waits for at most 60 s. Ask the user to answer at ${link ?? 'the console'}.`;
}

/** Describes what a person did before handing the session back. Names tabs by id, because titles are page text. */
function handedBackNote({ seconds, how, moved, opened, closed, hasSignedIn, stillAsks }: HandBackReport): string {
  const changes = [
    ...(moved.length === 0 ? [] : [`another address in ${moved.join(', ')}`]),
    ...(opened.length === 0 ? [] : [`opened ${opened.join(', ')}`]),
    ...(closed.length === 0 ? [] : [`closed ${closed.join(', ')}`]),
    ...(hasSignedIn ? ['they may have signed in'] : []),
    ...(stillAsks === '' ? [] : [`the page still asks for ${ASKED[stillAsks]}`]),
  ];
  const what = changes.length === 0 ? 'the same addresses and tabs' : changes.join('; ');
  return `A person drove this session for ${seconds} s and ${ENDS[how]}: ${what}. Earlier refs are no longer valid.`;
}

const ASKED = { password: 'a password', code: 'a code', captcha: 'a CAPTCHA' } as const;
const ENDS = { given_back: 'gave it back', left: 'left', idle: 'stopped using it' } as const;

function lifeNotes({ restored, events, stopped, errorPage }: SessionState): string[] {
  const ended = [
    ...(errorPage === null ? [] : [describeErrorPage(errorPage)]),
    ...(stopped === null ? [] : [stoppedNote(stopped)]),
    ...events.flatMap((event) => endedNote(event) ?? []),
  ];
  if (restored === null) return ended;
  const { couldNot, typed } = restored;
  const fields = typed.length === 0 ? [] : ['the text typed into the fields below'];
  const lost = [...couldNot, ...fields];
  const missing = lost.length === 0 ? '' : ` Not restored: ${lost.join('; ')}.`;
  return [`The session was restored: its browser had ended. Earlier refs are no longer valid.${missing}`, ...ended];
}

function stoppedNote(loop: PageLoop): string {
  return `The page ${describePageLoop(loop)}, so scripts are stopped in this tab. The page can be read, but buttons may do nothing. browser_navigate with a url, or with history "reload", runs scripts again.`;
}

function endedNote(event: PageEvent): string | null {
  if (event.kind !== 'crash') return null;
  if (event.loop === undefined) return `Tab ${event.tab} is closed: its page crashed, or hung and was stopped.`;
  return `Tab ${event.tab} is closed: its page ${describePageLoop(event.loop)} and could not be stopped. Open another page with browser_navigate; web_open reads pages without running a click.`;
}

function lostLines(names: readonly string[]): string[] {
  return names.map((name) => `lost field: ${JSON.stringify(oneLine(name, EVENT_CHARS_MAX))}`);
}

/** Events of the page, one per line. They contain page text, so they belong inside a fence. */
export function describeEvents(events: readonly PageEvent[]): string[] {
  const lines = [...new Set(events.map(eventLine))];
  const left = lines.length - PAGE_EVENTS_SHOWN_MAX;
  return left <= 0 ? lines : [...lines.slice(0, PAGE_EVENTS_SHOWN_MAX), `(${left} more events)`];
}

const EVENT_CHARS_MAX = 200;

function eventLine(event: PageEvent): string {
  switch (event.kind) {
    case 'console':
      return `console ${event.level}: ${oneLine(event.text, EVENT_CHARS_MAX)}`;
    case 'failed_request':
      return `request failed: ${oneLine(event.url, EVENT_CHARS_MAX)} (${oneLine(event.problem, EVENT_CHARS_MAX)})`;
    case 'refused':
      return `request refused: ${oneLine(event.url, EVENT_CHARS_MAX)} (${event.reason})`;
    case 'dialog':
      return `${event.type} dialog ${event.answer}: ${JSON.stringify(oneLine(event.message, EVENT_CHARS_MAX))}`;
    case 'frame_dialog':
      return `${event.type} dialog of a frame dismissed (${oneLine(event.url, EVENT_CHARS_MAX)}): ${JSON.stringify(oneLine(event.message, EVENT_CHARS_MAX))}`;
    case 'invalid_field':
      return `form not sent, field ${JSON.stringify(oneLine(event.name, EVENT_CHARS_MAX))}: ${oneLine(event.problem, EVENT_CHARS_MAX)}`;
    case 'download':
      return `download refused: ${oneLine(event.url, EVENT_CHARS_MAX)}${event.reason === undefined ? '' : ` (${event.reason})`}`;
    case 'file':
      return `file ${describeFileLine(event.file)}`;
    case 'copied':
      return event.text === ''
        ? 'the page copied something that is not text'
        : `the page copied: ${JSON.stringify(oneLine(event.text, COPIED_TEXT_CHARS_MAX))}`;
    case 'denied':
      return `permission denied: ${event.what}`;
    case 'chooser':
      return 'the page opened a file chooser';
    case 'popup':
      return `pop-up refused: ${oneLine(event.url, EVENT_CHARS_MAX)}`;
    case 'crash':
      return `the page of tab ${event.tab} crashed`;
  }
}

/** Describes a stored file. The file's name is untrusted, so the line belongs inside a fence. */
export function describeFileLine({ id, name, mediaType, bytes, sha256 }: FileFacts): string {
  return `${id} ${JSON.stringify(name)}: ${mediaType}, ${bytes} bytes, SHA-256 ${sha256}`;
}

function tabText({ title, url }: TabState): string {
  return title === '' ? shortenLongUrl(url) : `${title} (${shortenLongUrl(url)})`;
}

/** Shortens a very long URL. URLs as Chromium writes them have no spaces or line breaks, so no fence is needed. */
export function shortenLongUrl(url: string): string {
  return url.length <= ADDRESS_CHARS_MAX ? url : `${url.slice(0, ADDRESS_CHARS_MAX)}…`;
}
