import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { acquireBrowser, closeBrowserAndConnection } from '#browsing/cdp/connect.ts';
import { jpegSize } from '#extract/image/header.ts';
import { PageRules } from '#browsing/rules/page-rules.ts';
import { openActiveSession } from '#browsing/session/active-session.ts';
import type { ActiveSession } from '#browsing/session/active-session.ts';
import { navigate } from '#browsing/session/operations/navigate.ts';
import { StepRecorder } from '#browsing/session/history/steps.ts';
import type { OpenTab } from '#browsing/tabs/open-tab.ts';
import type { SessionStep } from '#core/activity.ts';
import { testDownloads } from '#support/test-downloads.ts';
import { testSecrets } from '#support/test-secrets.ts';

const CALLER = { subject: 'steps', session: 'one', ownHosts: [] };
const FORM = '<!doctype html><title>A form</title><p>Words</p><input aria-label="Word">';

let active: ActiveSession;
beforeEach(async () => {
  const browser = await acquireBrowser(env.BROWSER);
  active = await openActiveSession(
    browser,
    async () => null,
    { nextRef: 1, lastTab: 0 },
    testDownloads(),
    testSecrets(),
    new PageRules(),
  );
});
afterEach(() => closeBrowserAndConnection(env.BROWSER, active.browser));

async function showing(html: string): Promise<OpenTab> {
  const tab = await active.tabs.open(active.contextId);
  const url = `data:text/html,${encodeURIComponent(html)}`;
  await navigate(tab, url, { waitUntil: 'load', timeoutMs: 60_000 }, AbortSignal.timeout(60_000));
  return tab;
}

type Kept = { step: SessionStep; jpeg: Uint8Array | null };

/** The stored parts of one step on a tab. If a busy machine takes no picture within its second, tries again. */
async function kept(tab: OpenTab | null, options: Options = {}): Promise<Kept> {
  let one = await keptAtOnce(tab, options);
  if (tab === null) return one;
  while (one.step.without === 'failed') one = await keptAtOnce(tab, options);
  return one;
}

type Options = { isOn?: boolean; isBusy?: boolean; pictures?: boolean };

async function keptAtOnce(
  tab: OpenTab | null,
  { isOn = true, isBusy = false, pictures = true }: Options,
): Promise<Kept> {
  const told: Kept[] = [];
  const steps = new StepRecorder({
    historyOf: () => ({
      wish: async () => ({ activity: true, pictures }),
      keepStep: async (step, jpeg) => {
        told.push({ step, jpeg });
        return pictures;
      },
    }),
    isOn,
    isBusy: () => isBusy,
    now: () => 1_000,
    report: (error) => expect.fail(String(error)),
  });
  const state = { id: 't1', url: 'https://site.acme.dev/?token=sesame-opens-every-door', title: 'A\u202etitle' };
  await steps.note(CALLER, { what: 'click', tab, state, error: null, script: null });
  return vi.waitFor(() => {
    const [one] = told;
    if (one === undefined) throw new Error('nothing is kept yet');
    return one;
  });
}

describe('a recorded step', () => {
  it('is stored with a small picture of the page, its URL without secrets, and its title as text', async () => {
    const { step, jpeg } = await kept(await showing(FORM));
    expect(step).toMatchObject({ session: 'one', what: 'click', at: 1_000, error: null, without: null });
    expect(step.url).toContain('token=REDACTED');
    expect(step.title).toBe('Atitle');
    const { width, height } = jpegSize(jpeg ?? new Uint8Array()) ?? { width: 0, height: 0 };
    expect(Math.max(width, height)).toBe(640);
    expect(jpeg?.byteLength).toBeLessThan(40_000);
  });

  it.each([
    ['asks for a password', '<input type="password">'],
    ['asks for a code', '<label>Verification code <input name="otp"></label>'],
    ['asks for a password in a frame', `<iframe srcdoc="<input type='password'>" width="300" height="200"></iframe>`],
  ])('has no picture of a page that %s', async (_, html) => {
    const { step, jpeg } = await kept(await showing(`${FORM}${html}`));
    expect([step.without, jpeg]).toEqual(['hidden', null]);
  });

  it('has no picture while a user drives, or of a page in which a user typed, but has one of the next page', async () => {
    const tab = await showing(FORM);
    active.tabs.driver.isDriving = true;
    expect((await kept(tab)).step.without).toBe('hidden');
    tab.noteTyped();
    active.tabs.driver.isDriving = false;
    expect((await kept(tab)).step.without).toBe('hidden');
    const next = `data:text/html,${encodeURIComponent('<!doctype html><title>Next</title><p>Done')}`;
    await navigate(tab, next, { waitUntil: 'load', timeoutMs: 60_000 }, AbortSignal.timeout(60_000));
    expect((await kept(tab)).jpeg).not.toBeNull();
  });

  it('has no picture if pictures are off, when the next call waits, or when the tab is gone', async () => {
    const tab = await showing(FORM);
    expect((await kept(tab, { isOn: false })).step.without).toBe('off');
    expect((await kept(tab, { pictures: false })).step.without).toBe('off');
    expect((await kept(tab, { isBusy: true })).step.without).toBe('busy');
    expect((await kept(null)).step.without).toBe('failed');
  });
});
