import * as z from 'zod';
import { shownText } from '#browsing/result-text.ts';
import { sharedName } from '#browsing/session/registry.ts';
import type { TabSettings } from '#browsing/tabs/settings.ts';
import { fail } from '#core/failures/failure.ts';
import { defineTool } from '#tools/define-tool.ts';
import { nextCall, session, stateFields, stateShape } from './shapes.ts';

/** From the screen of a watch to a large monitor. CSS pixels. */
const WINDOW_SIDE_MIN = 200;
const WINDOW_SIDE_MAX = 3_840;

const side = z.int().min(WINDOW_SIDE_MIN).max(WINDOW_SIDE_MAX).optional();
const settingsInput = {
  width: side,
  height: side,
  mobile: z.boolean().optional(),
  color_scheme: z.enum(['light', 'dark']).optional(),
  locale: z.string().optional(),
  timezone: z.string().optional(),
};
const settingsShape = z.strictObject({
  width: z.int(),
  height: z.int(),
  mobile: z.boolean(),
  color_scheme: z.string().optional(),
  locale: z.string().optional(),
  timezone: z.string().optional(),
});

export const browserLaunch = defineTool({
  name: 'browser_launch',
  toolset: 'browser',
  title: 'Start a browser session',
  description:
    'Starts a named browser session, or restores a parked one with its pages, cookies and storage, and lists what is open. Sets the window size, touch (mobile), color scheme, locale (de-DE) and timezone (Europe/Berlin) for good. With shared, others who may sign in here can use it, as shared/NAME.',
  hints: { readOnly: false, destructive: false, openWorld: false },
  input: z.strictObject({ session, shared: z.boolean().default(false), ...settingsInput }),
  output: z.strictObject({
    ...stateFields,
    is_new: z.boolean(),
    open_sessions: z.array(z.string()),
    settings: settingsShape.optional(),
  }),
  async run(input, { services }) {
    const { session: name, shared } = input;
    const { browser } = services;
    const change = changeIn(input);
    const { state, result } = await browser.ask(shared ? sharedName(name) : name, (object, caller) =>
      object.launch(caller, {}, change),
    );
    const open = await browser.openSessions();
    const next = [nextCall('browser_navigate', { url: 'https://example.com/' }, state)];
    const notes = [
      ...(result.settings === undefined ? [] : settingsNotes(result.settings, result.existed, change)),
      ...(open.length > 1 ? [`Your open sessions: ${open.join(', ')}.`] : []),
    ];
    const head = result.existed ? 'The session is ready.' : 'A new session is ready.';
    return {
      text: await shownText(state, { head, notes, next }),
      structured: {
        ...stateShape(state, next),
        is_new: !result.existed,
        open_sessions: open,
        ...(result.settings === undefined ? {} : { settings: settingsOf(result.settings) }),
      },
      url: state.tab?.url,
    };
  },
});

type SettingsInput = z.output<z.ZodObject<typeof settingsInput>>;

function changeIn({ width, height, mobile, color_scheme: colorScheme, locale, timezone }: SettingsInput) {
  return {
    ...(width === undefined ? {} : { width }),
    ...(height === undefined ? {} : { height }),
    ...(mobile === undefined ? {} : { mobile }),
    ...(colorScheme === undefined ? {} : { colorScheme }),
    ...(locale === undefined ? {} : { locale: localeOf(locale) }),
    ...(timezone === undefined ? {} : { timezone: timezoneOf(timezone) }),
  };
}

function localeOf(locale: string): string {
  try {
    const [canonical] = Intl.getCanonicalLocales(locale);
    if (canonical !== undefined) return canonical;
  } catch {
    // The description below covers this, and the case without a locale.
  }
  return refuse('locale', 'a language tag', 'de-DE');
}

function timezoneOf(timeZone: string): string {
  // Scripts accept offsets such as +02:00 as time zones; browsers do not.
  if (!/^[A-Za-z]/.test(timeZone)) return refuse('timezone', 'the name of a time zone', 'Europe/Berlin');
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;
  } catch {
    return refuse('timezone', 'the name of a time zone', 'Europe/Berlin');
  }
}

function refuse(field: string, what: string, example: string): never {
  const hint = `Pass one such as ${JSON.stringify({ [field]: example })}, or leave it out.`;
  return fail({ code: 'invalid_argument', field, problem: `is not ${what}`, hint });
}

function settingsOf({ width, height, mobile, colorScheme, locale, timezone }: TabSettings) {
  return {
    width,
    height,
    mobile,
    ...(colorScheme === null ? {} : { color_scheme: colorScheme }),
    ...(locale === null ? {} : { locale }),
    ...(timezone === null ? {} : { timezone }),
  };
}

function settingsNotes(settings: TabSettings, existed: boolean, change: Partial<TabSettings>): string[] {
  const { width, height, mobile, colorScheme, locale, timezone } = settings;
  const words = [
    `${width} × ${height} px`,
    ...(mobile ? ['mobile'] : []),
    ...[colorScheme, locale, timezone].filter((word) => word !== null),
  ];
  const speaks = existed && (change.locale !== undefined || change.timezone !== undefined);
  return [`The window is ${words.join(', ')}.`, ...(speaks ? ['Reload pages that are open to see them so.'] : [])];
}
