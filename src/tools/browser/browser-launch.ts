import * as z from 'zod';
import { writeResultText } from '#browsing/result-text.ts';
import { sharedSessionName } from '#browsing/session/session-name.ts';
import { DEVICE_SCREENS, DEVICE_NAMES, describeSettings } from '#browsing/tabs/settings.ts';
import type { TabSettings } from '#browsing/tabs/settings.ts';
import { isBlankUrl } from '#browsing/tabs/tab.ts';
import { fail } from '#core/failures/failure.ts';
import { defineTool } from '#tools/define-tool.ts';
import { writeNextCall, sessionInput, stateFields, toStateOutput } from './shapes.ts';

/** Minimum side of a window in CSS pixels: the screen of a watch. The maximum is a large monitor. */
const WINDOW_SIDE_MIN = 200;
const WINDOW_SIDE_MAX = 3_840;

const side = z.int().min(WINDOW_SIDE_MIN).max(WINDOW_SIDE_MAX).optional();
const place = z.strictObject({ latitude: z.number(), longitude: z.number() });
const settingsInput = {
  width: side.describe('Window width in pixels.'),
  height: side.describe('Window height in pixels.'),
  device: z.enum(DEVICE_NAMES).optional().describe('Device to emulate: window size, touch and user agent.'),
  color_scheme: z.enum(['light', 'dark']).optional().describe('Color scheme that pages should use.'),
  locale: z.string().optional().describe('Language of pages, such as de-DE.'),
  timezone: z.string().optional().describe('IANA time zone, such as Asia/Tokyo.'),
  geolocation: z.string().optional().describe('"latitude,longitude", such as "52.52,13.4".'),
};
const settingsShape = z.strictObject({
  width: z.int(),
  height: z.int(),
  device: z.string(),
  color_scheme: z.string().optional(),
  locale: z.string().optional(),
  timezone: z.string().optional(),
  geolocation: place.optional(),
});

export const browserLaunch = defineTool({
  name: 'browser_launch',
  toolset: 'browser',
  title: 'Start a browser session',
  historyWords: ['Started the session', 'start the session'],
  description:
    'Start (launch) a new browser session (a Chrome window), or resume (pick up) a saved one, still logged in, with its cookies and tabs. Sets the device (mobile phone such as an iPhone, tablet, desktop), window size, color scheme (dark mode), language, time zone and location.',
  hints: { readOnly: false, destructive: false, openWorld: false },
  input: z.strictObject({
    session: sessionInput,
    shared: z.boolean().default(false).describe('Let other users of this server use the session, as shared/NAME.'),
    ...settingsInput,
  }),
  output: z.strictObject({
    ...stateFields,
    is_new: z.boolean(),
    open_sessions: z.array(z.string()),
    settings: settingsShape.optional(),
  }),
  check: changeIn,
  async run(input, { services }) {
    const { session: name, shared } = input;
    const { browser } = services;
    const change = changeIn(input);
    const { state, result } = await browser.call(shared ? sharedSessionName(name) : name, 'launch', change);
    const open = await browser.openSessions();
    const isOpen = state.tab !== null && !isBlankUrl(state.tab.url);
    const next = [isOpen ? writeNextCall('browser_snapshot', {}, state) : NAVIGATE];
    const notes = [
      ...(result.settings === undefined ? [] : settingsNotes(result.settings, result.existed, change)),
      ...(open.length > 1 ? [`Your open sessions: ${open.join(', ')}.`] : []),
    ];
    const head = result.existed ? 'The session is ready.' : 'A new session is ready.';
    return {
      text: await writeResultText(state, { head, notes, next }),
      structured: {
        ...toStateOutput(state, next),
        is_new: !result.existed,
        open_sessions: open,
        ...(result.settings === undefined ? {} : { settings: settingsOf(result.settings) }),
      },
      url: state.tab?.url,
    };
  },
});

const NAVIGATE = 'browser_navigate with the url of the page to open';

type SettingsInput = z.output<z.ZodObject<typeof settingsInput>>;

function changeIn({ width, height, device, color_scheme: colorScheme, locale, timezone, geolocation }: SettingsInput) {
  return {
    ...(device === undefined ? {} : { device, ...DEVICE_SCREENS[device] }),
    ...(width === undefined ? {} : { width }),
    ...(height === undefined ? {} : { height }),
    ...(colorScheme === undefined ? {} : { colorScheme }),
    ...(locale === undefined ? {} : { locale: localeOf(locale) }),
    ...(timezone === undefined ? {} : { timezone: timezoneOf(timezone) }),
    ...(geolocation === undefined ? {} : { geolocation: placeOf(geolocation) }),
  };
}

function localeOf(locale: string): string {
  try {
    const [canonical] = Intl.getCanonicalLocales(locale);
    if (canonical !== undefined) return canonical;
  } catch {
    // An invalid tag throws, and an empty tag gives no locale. Both are refused below.
  }
  return refuse('locale', 'a language tag', 'de-DE');
}

function timezoneOf(timeZone: string): string {
  // Intl accepts offsets such as +02:00 as time zones; browsers do not.
  if (!/^[A-Za-z]/.test(timeZone)) return refuse('timezone', 'the name of a time zone', 'Europe/Berlin');
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;
  } catch {
    return refuse('timezone', 'the name of a time zone', 'Europe/Berlin');
  }
}

function placeOf(given: string): z.output<typeof place> {
  const [, north, east] = /^\s*(-?\d+(?:\.\d+)?)\s*,\s*(-?\d+(?:\.\d+)?)\s*$/.exec(given) ?? [];
  const [latitude, longitude] = [Number(north), Number(east)];
  if (Math.abs(latitude) <= LATITUDE_MAX && Math.abs(longitude) <= LONGITUDE_MAX) return { latitude, longitude };
  const what = `a latitude from -${LATITUDE_MAX} to ${LATITUDE_MAX}, a comma, and a longitude from -${LONGITUDE_MAX} to ${LONGITUDE_MAX}`;
  return refuse('geolocation', what, '52.52,13.4');
}

/** Maximum degrees from the equator. */
const LATITUDE_MAX = 90;
/** Maximum degrees from Greenwich. */
const LONGITUDE_MAX = 180;

function refuse(field: string, what: string, example: string): never {
  const hint = `Pass one such as ${JSON.stringify({ [field]: example })}, or leave it out.`;
  return fail({ code: 'invalid_argument', field, problem: `is not ${what}`, hint });
}

function settingsOf({ width, height, device, colorScheme, locale, timezone, geolocation }: TabSettings) {
  return {
    width,
    height,
    device,
    ...(colorScheme === null ? {} : { color_scheme: colorScheme }),
    ...(locale === null ? {} : { locale }),
    ...(timezone === null ? {} : { timezone }),
    ...(geolocation === null ? {} : { geolocation }),
  };
}

function settingsNotes(settings: TabSettings, existed: boolean, change: Partial<TabSettings>): string[] {
  const { device, locale, timezone } = change;
  const asksAnew = existed && (device !== undefined || locale !== undefined || timezone !== undefined);
  return [
    `Pages see ${describeSettings(settings).join(', ')}.`,
    ...(asksAnew ? ['Reload open pages to apply this.'] : []),
  ];
}
