import * as z from 'zod';
import { BROWSER_VIEWPORT } from '#core/limits.ts';
import { CdpError } from '#browsing/cdp/connection.ts';
import type { CdpSession } from '#browsing/cdp/connection.ts';
import type { FileSource } from '#browsing/gate/file-response.ts';
import type { PageEvent } from './page-record.ts';

/** `null`: the browser's own default. */
export const tabSettings = z.object({
  width: z.number(),
  height: z.number(),
  /** Emulates a touch screen, whose pages may choose their own layout width. */
  mobile: z.boolean(),
  colorScheme: z.enum(['light', 'dark']).nullable(),
  locale: z.string().nullable(),
  timezone: z.string().nullable(),
});
export type TabSettings = z.output<typeof tabSettings>;

export const USUAL_SETTINGS: TabSettings = {
  ...BROWSER_VIEWPORT,
  mobile: false,
  colorScheme: null,
  locale: null,
  timezone: null,
};

/** For pages, which have a window. All commands are sent at once, so that nothing runs before they apply. */
export function applyToPage(session: CdpSession, settings: TabSettings, before = USUAL_SETTINGS): Promise<unknown>[] {
  const { width, height, mobile } = settings;
  return [
    session.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile }),
    ...(mobile === before.mobile ? [] : [session.send('Emulation.setTouchEmulationEnabled', { enabled: mobile })]),
    ...applyToTarget(session, settings, before),
  ];
}

/** For any target that runs documents. Sends only what differs from `before`. */
export function applyToTarget(session: CdpSession, settings: TabSettings, before = USUAL_SETTINGS): Promise<unknown>[] {
  const { colorScheme, locale, timezone } = settings;
  const features = colorScheme === null ? [] : [{ name: 'prefers-color-scheme', value: colorScheme }];
  const languages = locale === null ? [] : [session.send('Emulation.setLocaleOverride', { locale }).catch(ofProcess)];
  return [
    ...(colorScheme === before.colorScheme ? [] : [session.send('Emulation.setEmulatedMedia', { features })]),
    ...(locale === before.locale ? [] : [...languages, speak(session, locale)]),
    ...(timezone === before.timezone || timezone === null
      ? []
      : [session.send('Emulation.setTimezoneOverride', { timezoneId: timezone }).catch(ofProcess)]),
  ];
}

async function speak(session: CdpSession, locale: string | null): Promise<void> {
  const { userAgent } = await session.send('Browser.getVersion');
  await session.send('Emulation.setUserAgentOverride', { userAgent, acceptLanguage: locale ?? '' });
}

/** Locale and time zone belong to a whole process. Another tab of that process may have set them already. */
function ofProcess(error: unknown): void {
  if (!(error instanceof CdpError) || !/already in effect/i.test(error.message)) throw error;
}

export type TabOptions = {
  settings?: TabSettings | undefined;
  /** Whether a page may open a tab now: only while a call acts on it. */
  mayOpen: () => boolean;
  /** Takes a download, which the browser itself always refuses. Without it, downloads are reported as refused. */
  save?: SaveInstead;
};

type SaveInstead = (url: string, source: () => FileSource, tell: (event: PageEvent) => void) => void;

export const saveNothing: SaveInstead = (url, _, tell) => tell({ kind: 'download', url });
