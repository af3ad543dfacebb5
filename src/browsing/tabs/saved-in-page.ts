import * as pageScripts from '#browsing/in-page/sources.js';
import type { FileSource } from '#browsing/gate/file-answer.ts';
import { FILE_READ_BYTES } from '#browsing/gate/limits.ts';
import type { Saved } from '#browsing/in-page/scripts.ts';
import { fromBase64 } from '#core/base64.ts';
import { fail } from '#core/errors.ts';
import { withTimeout } from '#core/with-timeout.ts';
import { callIn } from './call-in-page.ts';
import { SAVED_END_MS } from './limits.ts';
import type { Frame } from './frame.ts';
import type { Tab } from './tab.ts';

let lastKey = 0;

/**
 * What a page made itself, or marked as to be saved: only the page can read it. It is asked for as soon as it `begin`s, as
 * pages take back what they made.
 */
export function savedInPage(tab: Tab, frame: Frame, url: string, name: string): FileSource {
  lastKey += 1;
  const key = lastKey;
  // Whoever reads gives up by itself, and ends it.
  const { signal } = new AbortController();
  let opening: Promise<Saved | null> | null = null;
  let opened: Saved | null = null;
  const open = async () => {
    opening ??= callIn(tab, frame, pageScripts.openSaved, [url, key], signal);
    opened = await opening;
    if (opened === null) fail({ code: 'fetch_failed', url: '(of a page)', reason: 'the page could not read it' });
  };
  return {
    name,
    announced: null,
    contentType: () => opened?.contentType ?? null,
    begin: () => void open().catch(() => undefined),
    read: async () => {
      await open();
      const part = await callIn(tab, frame, pageScripts.readSaved, [key, FILE_READ_BYTES], signal);
      return part === null ? null : fromBase64(part);
    },
    end: async () => {
      if (opening === null) return;
      // A page that went away, or does not answer, reads no further either.
      await withTimeout(SAVED_END_MS, (late) => callIn(tab, frame, pageScripts.endSaved, [key], late)).catch(
        () => undefined,
      );
    },
  };
}
