import { fail } from '#core/failures/failure.ts';
import { CdpError } from '#browsing/cdp/connection.ts';
import type { TabSettings } from '#browsing/tabs/settings.ts';
import type { OperationWork } from './perform.ts';

/** @throws {PeriscopeError} `invalid_argument` for a locale or time zone that the browser does not know */
export async function changeTabSettings(
  { active: { tabs } }: OperationWork,
  change: Partial<TabSettings>,
): Promise<TabSettings> {
  const settings = { ...tabs.settings, ...change };
  await tabs.applySettings(settings).catch((error: unknown) => {
    const refused = error instanceof CdpError ? REFUSALS.find(({ method }) => method === error.method) : undefined;
    if (refused === undefined || change[refused.field] === undefined) throw error;
    const { field, example } = refused;
    const hint = `Pass one such as ${JSON.stringify({ [field]: example })}, or leave it out.`;
    fail({ code: 'invalid_argument', field, problem: 'is not one that the browser knows', hint });
  });
  return settings;
}

const REFUSALS = [
  { method: 'Emulation.setLocaleOverride', field: 'locale', example: 'de-DE' },
  { method: 'Emulation.setTimezoneOverride', field: 'timezone', example: 'Europe/Berlin' },
] as const;
