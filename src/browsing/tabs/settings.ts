import * as z from 'zod';
import type { Protocol } from 'devtools-protocol';
import { BROWSER_VIEWPORT } from '#core/limits.ts';
import { CdpError } from '#browsing/cdp/connection.ts';
import type { CdpSession } from '#browsing/cdp/connection.ts';
import type { DownloadSource } from '#browsing/gate/file-response.ts';
import type { PageRules } from '#browsing/rules/page-rules.ts';
import type { PageEvent } from './page-record.ts';

/** Screens of typical devices in CSS pixels, hand-held ones upright. `mobile`: with a touch screen. */
export const DEVICE_SCREENS = {
  phone: { width: 412, height: 915, mobile: true },
  tablet: { width: 800, height: 1_280, mobile: true },
  desktop: { ...BROWSER_VIEWPORT, mobile: false },
} as const;
export const DEVICE_NAMES = ['phone', 'tablet', 'desktop'] as const;

const place = z.object({ latitude: z.number(), longitude: z.number() });

/** Settings of a tab; `null` for the browser's own default. */
export const tabSettingsSchema = z.object({
  width: z.number(),
  height: z.number(),
  /** True to emulate a touch screen. A page may then choose its own layout width. */
  mobile: z.boolean(),
  device: z.enum(DEVICE_NAMES),
  colorScheme: z.enum(['light', 'dark']).nullable(),
  locale: z.string().nullable(),
  timezone: z.string().nullable(),
  geolocation: place.nullable(),
});
export type TabSettings = z.output<typeof tabSettingsSchema>;

export const DEFAULT_TAB_SETTINGS: TabSettings = {
  ...DEVICE_SCREENS.desktop,
  device: 'desktop',
  colorScheme: null,
  locale: null,
  timezone: null,
  geolocation: null,
};

export function describeSettings(settings: TabSettings): string[] {
  const { width, height, mobile, device, colorScheme, locale, timezone, geolocation } = settings;
  const touched = mobile && device === 'desktop' ? ['a touch screen'] : [];
  const at = geolocation === null ? [] : [`the place ${geolocation.latitude}, ${geolocation.longitude}`];
  const asked = [colorScheme, locale, timezone].filter((word) => word !== null);
  return [`a ${device} with ${width} × ${height} px`, ...touched, ...asked, ...at];
}

/**
 * Applies the settings of a page target. All commands are sent without waiting, so that no script runs before they
 * apply.
 */
export function sendPageSettings(
  session: CdpSession,
  settings: TabSettings,
  before = DEFAULT_TAB_SETTINGS,
): Promise<unknown>[] {
  const { mobile, geolocation } = settings;
  return [
    session.send('Emulation.setDeviceMetricsOverride', screenOf(settings)),
    ...(mobile === before.mobile
      ? []
      : [session.send('Emulation.setTouchEmulationEnabled', { enabled: mobile, maxTouchPoints: TOUCH_POINTS })]),
    ...(geolocation === null || isSamePlace(geolocation, before.geolocation)
      ? []
      : [session.send('Emulation.setGeolocationOverride', { ...geolocation, accuracy: PLACE_ACCURACY_M })]),
    ...sendTargetSettings(session, settings, before),
  ];
}

const TOUCH_POINTS = 5;
/** Accuracy in metres of a typical phone outdoors. */
const PLACE_ACCURACY_M = 10;

/** Screen of a device. One image pixel is always one CSS pixel, for small screenshots and exact coordinates. */
function screenOf({ width, height, mobile }: TabSettings): Protocol.Emulation.SetDeviceMetricsOverrideRequest {
  const size = { width, height, deviceScaleFactor: 1, mobile };
  if (!mobile) return size;
  const upright = height >= width;
  const screenOrientation = upright ? PORTRAIT : LANDSCAPE;
  return { ...size, screenWidth: width, screenHeight: height, screenOrientation };
}

const PORTRAIT = { type: 'portraitPrimary', angle: 0 } as const;
const LANDSCAPE = { type: 'landscapePrimary', angle: 90 } as const;

function isSamePlace(one: TabSettings['geolocation'], other: TabSettings['geolocation']): boolean {
  return one?.latitude === other?.latitude && one?.longitude === other?.longitude;
}

/** Grants the permissions of a browser context. All others are denied without a prompt. */
export function grantPermissions(
  browser: CdpSession,
  browserContextId: string,
  { geolocation }: TabSettings,
): Promise<unknown> {
  const permissions: Protocol.Browser.PermissionType[] = geolocation === null ? [] : ['geolocation'];
  return browser.send('Browser.grantPermissions', { permissions, browserContextId });
}

/**
 * Applies the settings of a target that runs documents. Sends only settings that differ from `before`. A locale or time
 * zone cannot be reset to `null`.
 */
export function sendTargetSettings(
  session: CdpSession,
  settings: TabSettings,
  before = DEFAULT_TAB_SETTINGS,
): Promise<unknown>[] {
  const { colorScheme, locale, device } = settings;
  const features = colorScheme === null ? [] : [{ name: 'prefers-color-scheme', value: colorScheme }];
  return [
    ...(colorScheme === before.colorScheme ? [] : [session.send('Emulation.setEmulatedMedia', { features })]),
    ...(locale === before.locale && device === before.device ? [] : [nameBrowser(session, settings)]),
    ...sendProcessSettings(session, settings, before),
  ];
}

/** Applies locale and time zone to a renderer process. They are reset when the target that set them ends. */
export function sendProcessSettings(
  session: CdpSession,
  { locale, timezone }: TabSettings,
  before = DEFAULT_TAB_SETTINGS,
): Promise<unknown>[] {
  return [
    ...(locale === null || locale === before.locale
      ? []
      : [session.send('Emulation.setLocaleOverride', { locale }).catch(ofProcess)]),
    ...(timezone === null || timezone === before.timezone
      ? []
      : [session.send('Emulation.setTimezoneOverride', { timezoneId: timezone }).catch(ofProcess)]),
  ];
}

/** Sets the user agent and client hints of the device, in the browser's own version, and the preferred language. */
async function nameBrowser(session: CdpSession, { device, locale }: TabSettings): Promise<void> {
  const acceptLanguage = locale ?? '';
  if (device === 'desktop') {
    // With an empty user agent, Chromium uses its own user agent and client hints.
    await session.send('Emulation.setUserAgentOverride', { userAgent: '', acceptLanguage });
    return;
  }
  const { userAgent } = await session.send('Browser.getVersion');
  await session.send('Emulation.setUserAgentOverride', {
    userAgent: nameOn(device, userAgent),
    acceptLanguage,
    platform: 'Linux armv81',
    // Chromium itself adds brands and versions.
    userAgentMetadata: {
      platform: 'Android',
      platformVersion: '10.0.0',
      architecture: '',
      model: 'K',
      mobile: device === 'phone',
      formFactors: [device === 'phone' ? 'Mobile' : 'Tablet'],
    },
  });
}

/** User agent of Chromium on Android, which reports this same device model to every site. */
function nameOn(device: 'phone' | 'tablet', userAgent: string): string {
  const name = userAgent.replace(/\([^()]*\)/, '(Linux; Android 10; K)');
  return device === 'phone' ? name.replace(/ Safari\//, ' Mobile Safari/') : name;
}

/**
 * Ignores the error that another target of the same process has already applied these settings. Rethrows other errors.
 */
function ofProcess(error: unknown): void {
  if (!(error instanceof CdpError) || !/already in effect/i.test(error.message)) throw error;
}

export type TabOptions = {
  settings?: TabSettings | undefined;
  mayOpen: () => boolean;
  rules?: PageRules;
  /** Saves downloads. The browser itself always refuses them. Without `save`, they are reported as refused. */
  save?: SaveInstead;
};

type SaveInstead = (url: string, source: () => DownloadSource, tell: (event: PageEvent) => void) => void;

export const reportUnsavedDownload: SaveInstead = (url, _, tell) => tell({ kind: 'download', url });
