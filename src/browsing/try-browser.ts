import { describeFailure, fail, PeriscopeError } from '#core/errors.ts';
import { BROWSER_VIEWPORT, TRIAL_STEP_MS_MAX } from '#core/limits.ts';
import { BrowserGone, CdpError } from '#browsing/cdp/connection.ts';
import { acquireBrowser, endBrowser, wallOf } from '#browsing/cdp/connect.ts';
import type { Acquired, BrowserBinding } from '#browsing/cdp/connect.ts';
import { guardRequests } from '#browsing/gate/request-gate.ts';
import type { Decide, RequestGate } from '#browsing/gate/request-gate.ts';
import { Refs } from '#browsing/refs/refs.ts';
import type { RenderOutcome } from '#browsing/rendering/renderer-object.ts';
import { takeScreenshot } from '#browsing/see/screenshot.ts';
import { takeView } from '#browsing/view/view.ts';
import type { OpenTab } from '#browsing/tabs/open-tab.ts';
import { OpenTabs } from '#browsing/tabs/open-tabs.ts';
import {
  SEEN,
  TRIAL_ANSWER,
  TRIAL_MADE_BY_SCRIPT,
  TRIAL_PRIVATE_URL,
  TRIAL_URL,
} from '#browsing/rendering/trial-page.ts';

/** One step of trying the browser, in words for its owner. */
export type TrialStep = { name: string; ms: number; works: boolean; found: string };

export type TrialDeps = {
  binding: BrowserBinding;
  allowDomains: readonly string[];
  /** The gate of sessions. */
  decide: Decide;
  /** Has the renderer read a page of ours. */
  render: () => Promise<RenderOutcome>;
  /** Takes an error nobody planned for, and gives the id under which it stands in the log. */
  report: (error: unknown) => string;
};

type Step = <T>(name: string, work: (signal: AbortSignal) => Promise<T>, found: (value: T) => string) => Promise<T>;

/**
 * Does once what every session stands on, on a page of our own that no network is asked for. It ends at the first step
 * that fails; the browser is closed whatever happened, and the renderer is tried in any case.
 */
export async function tryBrowser(deps: TrialDeps): Promise<TrialStep[]> {
  const steps: TrialStep[] = [];
  const step = stepper(steps, deps.report);
  try {
    await trySession(deps, step);
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
  }
  await step(
    'Render a page for reading',
    () => render(deps),
    () => 'Its text came with what its script made.',
  ).catch((error: unknown) => {
    if (!(error instanceof StepFailed)) throw error;
  });
  return steps;
}

async function trySession({ binding, allowDomains, decide }: TrialDeps, step: Step): Promise<void> {
  const browser = await step(
    'Start a browser',
    () => acquireBrowser(binding, allowDomains),
    () => wallWords(allowDomains),
  );
  try {
    const refused: string[] = [];
    const decideHere: Decide = async (url) => (url === TRIAL_URL ? null : decide(url));
    const ownPage = async ({ url }: { url: string }) => (url === TRIAL_URL ? { answer: TRIAL_ANSWER } : null);
    const { connection } = browser;
    const gate = await step(
      'Stand before its requests',
      () => guardRequests(connection.browser, decideHere, ({ url }) => refused.push(url), ownPage),
      gateWords,
    );
    const tabs = new OpenTabs(connection, { viewport: BROWSER_VIEWPORT, mayOpen: () => false });
    const open = async () => {
      await tabs.start(gate);
      return tabs.openContext();
    };
    const context = await step('Open a context of its own', open, () => 'It has cookies and storage of its own.');
    const tab = await step(
      'Open a tab',
      () => tabs.open(context),
      () => 'It was held until it was guarded.',
    );
    await lookAt(tab, refused, step);
    await step(
      'Ask for its version',
      () => connection.browser.send('Browser.getVersion'),
      ({ product }) => named(product),
    );
  } finally {
    await close(binding, browser, step);
  }
}

async function lookAt(tab: OpenTab, refused: readonly string[], step: Step): Promise<void> {
  await step(
    'Show a page',
    () => show(tab, refused),
    () => 'It was shown, and kept from a private address.',
  );
  const look = async (signal: AbortSignal) => {
    const { text } = await takeView(tab, new Refs(), null, {}, signal);
    if (!text.includes(SEEN)) fail({ code: 'render_failed', reason: 'the tree does not say what the page shows' });
  };
  await step('Read its accessibility tree', look, () => 'It says what the page shows.');
  await step(
    'Take a screenshot',
    (signal) => takeScreenshot(tab, {}, signal),
    ({ width, height, bytes }) => `${width} × ${height} pixels, ${Math.ceil(bytes / 1_000)} KB.`,
  );
}

/** The page asks for a private address: one that is not refused got past the gate. */
async function show(tab: OpenTab, refused: readonly string[]): Promise<void> {
  const { promise: loaded, resolve } = Promise.withResolvers<void>();
  const stop = tab.session.on('Page.loadEventFired', () => {
    if (tab.main().url === TRIAL_URL) resolve();
  });
  const { errorText } = await tab.session.send('Page.navigate', { url: TRIAL_URL });
  if (errorText !== undefined) fail({ code: 'render_failed', reason: 'the page that the gate answers was not shown' });
  await loaded;
  stop();
  if (refused.includes(TRIAL_PRIVATE_URL)) return;
  fail({ code: 'render_failed', reason: 'the gate did not see what the page asks the network for' });
}

async function close(binding: BrowserBinding, browser: Acquired, step: Step): Promise<void> {
  const end = async () => {
    if (await endBrowser(binding, browser)) return;
    fail({
      code: 'render_failed',
      reason: 'the browser service did not confirm it; it ends a browser that is idle by itself',
    });
  };
  await step('Close the browser', end, () => 'The service confirmed it.');
}

async function render(deps: TrialDeps): Promise<void> {
  const outcome = await deps.render();
  if ('failure' in outcome) fail(outcome.failure);
  if (outcome.rendered.html.includes(TRIAL_MADE_BY_SCRIPT)) return;
  fail({ code: 'render_failed', reason: 'what the script of the page made is missing' });
}

/** The trial goes on no further; what went wrong is told in the step. */
class StepFailed extends Error {}

function stepper(steps: TrialStep[], report: TrialDeps['report']): Step {
  return async (name, work, found) => {
    const since = Date.now();
    const done = (works: boolean, words: string) =>
      void steps.push({ name, ms: Date.now() - since, works, found: words });
    const late = AbortSignal.timeout(TRIAL_STEP_MS_MAX);
    try {
      const value = await Promise.race([work(late), rejected(late)]);
      done(true, found(value));
      return value;
    } catch (error) {
      done(false, late.aborted ? TOO_LONG : failureWords(error, report));
      throw new StepFailed(name, { cause: error });
    }
  };
}

const TOO_LONG = `It was not done within ${TRIAL_STEP_MS_MAX / 1_000} s.`;

function rejected(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

function failureWords(error: unknown, report: TrialDeps['report']): string {
  if (error instanceof PeriscopeError) return describeFailure(error.failure).message;
  if (error instanceof CdpError) return `The browser service refuses the command ${error.method}.`;
  if (error instanceof BrowserGone) return 'The browser ended.';
  return `It did not work; the log has the error as ${report(error)}.`;
}

function gateWords({ isOn }: RequestGate): string {
  if (isOn === 'browser') return 'It stands on the browser as a whole.';
  return 'The service refuses to have the browser watched as a whole, so each tab is; docs/security.md says what is then weaker.';
}

function wallWords(allowDomains: readonly string[]): string {
  if (allowDomains.length === 0) return 'It started, and can be connected to.';
  if (wallOf(allowDomains) !== null) return 'It started, and the service holds it to ALLOWLIST_DOMAINS.';
  return 'It started. ALLOWLIST_DOMAINS is longer than the service takes, so only our own gate holds it to them.';
}

/** As Chromium says it, if that is what it looks like. */
function named(product: string): string {
  return /^[\w./ -]{1,80}$/u.test(product) ? `${product}.` : 'It has a name that is none of a browser.';
}
