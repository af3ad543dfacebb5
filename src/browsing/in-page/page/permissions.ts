import { COPIED_TEXT_CHARS_MAX, SCRIPT_MESSAGE_MARK } from './script-messages.ts';
import type { DENIABLE_PERMISSIONS } from './script-messages.ts';

type Asked = (typeof DENIABLE_PERMISSIONS)[number];
type Tell = (kind: 'copied' | 'denied' | 'download', text: string, name?: string) => void;
type Called = (self: unknown, given: unknown[], native: () => unknown) => unknown;

/**
 * Reports text that the page copies, and keeps it off the system clipboard, which all sessions of a browser share. Also
 * reports requested permissions that were denied, and the `download` names of links: on a system without UTF-8, the
 * browser itself reports only ASCII names.
 */
export function answerPermissions(): void {
  const { apply } = Reflect;
  const { console } = globalThis;
  const { debug } = console;
  const { setTimeout } = globalThis;
  let count = 0;
  const tell: Tell = (kind, text, name = '') => {
    count += 1;
    // More messages would flood the page's console.
    if (count > TOLD_AT_ONCE_MAX) return;
    if (count === 1) setTimeout(() => (count = 0), TOLD_AGAIN_MS);
    apply(debug, console, [
      SCRIPT_MESSAGE_MARK,
      kind,
      text.slice(0, COPIED_TEXT_CHARS_MAX),
      name.slice(0, COPIED_TEXT_CHARS_MAX),
    ]);
  };
  answerCopies(tell);
  tellDownloads(tell);
  const denied = (what: Asked) => () => tell('denied', what);
  if ('Clipboard' in globalThis)
    for (const name of ['readText', 'read'])
      wrap(Clipboard.prototype, name, (_, _given, native) => told(native(), denied('reading the clipboard')));
  if ('Notification' in globalThis)
    wrap(Notification, 'requestPermission', (_, _given, native) => {
      const answer = native();
      if (answer instanceof Promise)
        void answer.then((state) => (state === 'denied' ? denied('notifications')() : null));
      return answer;
    });
  if ('MediaDevices' in globalThis)
    wrap(MediaDevices.prototype, 'getUserMedia', (_, [wanted], native) => {
      const hasVideo = typeof wanted === 'object' && wanted !== null && Boolean(Reflect.get(wanted, 'video'));
      return told(native(), denied(hasVideo ? 'camera' : 'microphone'));
    });
  wrap(Navigator.prototype, 'requestMIDIAccess', (_, _given, native) => told(native(), denied('MIDI devices')));
  wrap(globalThis, 'queryLocalFonts', (_, _given, native) => told(native(), denied('local fonts')));
  if ('Geolocation' in globalThis)
    for (const name of ['getCurrentPosition', 'watchPosition'])
      wrap(Geolocation.prototype, name, (_, given, native) => {
        const failed = given[1];
        given[1] = (error: GeolocationPositionError) => {
          if (error.code === error.PERMISSION_DENIED) denied('location')();
          return typeof failed === 'function' ? apply(failed, undefined, [error]) : undefined;
        };
        return native();
      });
}

const TOLD_AT_ONCE_MAX = 50;
const TOLD_AGAIN_MS = 200;

function tellDownloads(tell: Tell): void {
  const tellOf = (target: unknown) => {
    if (target instanceof HTMLAnchorElement && target.download !== '') tell('download', target.href, target.download);
  };
  globalThis.addEventListener('click', (event) => event.composedPath().forEach(tellOf), true);
  // `click()` is wrapped, because a script may click a link that is not in the document, and no listener notices
  // that.
  wrap(HTMLAnchorElement.prototype, 'click', (self, _, native) => {
    if (self instanceof HTMLAnchorElement && !self.isConnected) tellOf(self);
    return native();
  });
  wrap(HTMLAnchorElement.prototype, 'dispatchEvent', (self, [event], native) => {
    if (self instanceof HTMLAnchorElement && !self.isConnected && event instanceof MouseEvent) tellOf(self);
    return native();
  });
}

function answerCopies(tell: Tell): void {
  if ('Clipboard' in globalThis) {
    wrap(Clipboard.prototype, 'writeText', async (_, [text]) => tell('copied', String(text)));
    wrap(Clipboard.prototype, 'write', async (_, [items]) => {
      for (const item of Array.isArray(items) ? items : []) tell('copied', await textOf(item));
    });
  }
  // Handles `document.execCommand('copy')` and the copy keys. The page's own `copy` listener has run at this point.
  globalThis.addEventListener('copy', (event) => {
    if (!event.isTrusted) return;
    const text = event.defaultPrevented ? (event.clipboardData?.getData('text/plain') ?? '') : selected();
    event.preventDefault();
    event.clipboardData?.clearData();
    tell('copied', text);
  });
}

/** The text of a clipboard item; `''` for an image. */
async function textOf(item: unknown): Promise<string> {
  if (!(item instanceof ClipboardItem)) return '';
  const type = ['text/plain', 'text/html'].find((one) => item.types.includes(one));
  return type === undefined ? '' : (await item.getType(type)).text();
}

function selected(): string {
  const words = String(getSelection());
  const at = document.activeElement;
  if (words !== '') return words;
  if (at instanceof HTMLInputElement || at instanceof HTMLTextAreaElement)
    return at.value.slice(at.selectionStart ?? 0, at.selectionEnd ?? 0);
  return '';
}

/** Returns the native answer unchanged. Calls `tell` if the permission is denied. */
function told(answer: unknown, tell: () => void): unknown {
  if (!(answer instanceof Promise)) return answer;
  return answer.catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'NotAllowedError') tell();
    throw error;
  });
}

function wrap(holder: object, name: string, called: Called): void {
  const { apply, get, set } = Reflect;
  const native: unknown = get(holder, name);
  if (typeof native !== 'function') return;
  set(
    holder,
    name,
    new Proxy(native, {
      apply: (target, self: unknown, given: unknown[]) => called(self, given, () => apply(target, self, given)),
    }),
  );
}
