import { SECOND_MS } from '#core/limits.ts';
import { abortable } from '#core/flow/abort.ts';
import { failureMessage } from '#core/failures/describe-failure.ts';
import { fail, PeriscopeError } from '#core/failures/failure.ts';
import { BrowserGone, CdpError } from '#browsing/cdp/connection.ts';
import { acquireBrowser, closeBrowserAndConnection, toAllowedHostPatterns } from '#browsing/cdp/connect.ts';
import type { AcquiredBrowser, BrowserBinding } from '#browsing/cdp/connect.ts';
import { installRequestGate } from '#browsing/gate/request-gate.ts';
import type { DecideUrl, RequestGate } from '#browsing/gate/request-gate.ts';
import { ElementRefs } from '#browsing/refs/refs.ts';
import type { RenderedPage } from '#browsing/rendering/render-browser.ts';
import type { RenderReply } from '#browsing/rendering/renderer-object.ts';
import { takeScreenshot } from '#browsing/see/screenshot.ts';
import { takeView } from '#browsing/view/view.ts';
import type { OpenTab } from '#browsing/tabs/open-tab.ts';
import { OpenTabs } from '#browsing/tabs/open-tabs.ts';
import {
  BROWSER_TRIAL_HEADING,
  BROWSER_TRIAL_RESPONSE,
  BROWSER_TRIAL_SCRIPT_TEXT,
  BROWSER_TRIAL_FORBIDDEN_URL,
  BROWSER_TRIAL_PAGE_URL,
} from '#browsing/rendering/trial-page.ts';

/** Time for one step of the trial. Starting a browser may take two attempts and a wait; other steps take a second. */
const TRIAL_STEP_MS_MAX = 40 * SECOND_MS;

export type BrowserTrialStep = { name: string; ms: number; works: boolean; found: string };

type TrialDeps = {
  binding: BrowserBinding;
  allowDomains: readonly string[];
  decide: DecideUrl;
  render: () => Promise<RenderReply<RenderedPage>>;
  report: (error: unknown) => string;
};

type Step = <T>(name: string, work: (signal: AbortSignal) => Promise<T>, found: (value: T) => string) => Promise<T>;

/**
 * Tries every browser feature that sessions need, on a built-in page that needs no network. Stops at the first step
 * that fails. In any case, the browser is closed and the renderer is tried.
 */
export async function runBrowserTrial(deps: TrialDeps): Promise<BrowserTrialStep[]> {
  const steps: BrowserTrialStep[] = [];
  const step = stepper(steps, deps.report);
  try {
    await trySession(deps, step);
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
  }
  await step(
    'Render a page for reading',
    () => render(deps),
    () => 'Its text includes what its script added.',
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
    const decideHere: DecideUrl = async (url) => (url === BROWSER_TRIAL_PAGE_URL ? null : decide(url));
    const ownPage = async ({ url }: { url: string }) =>
      url === BROWSER_TRIAL_PAGE_URL ? { answer: BROWSER_TRIAL_RESPONSE } : null;
    const { connection } = browser;
    const gate = await step(
      'Guard its requests',
      () => installRequestGate(connection.browser, decideHere, ({ url }) => refused.push(url), ownPage),
      gateWords,
    );
    const tabs = new OpenTabs(connection, { mayOpen: () => false });
    const open = async () => {
      await tabs.start(gate);
      return tabs.openContext();
    };
    const context = await step('Open an isolated context', open, () => 'It has cookies and storage of its own.');
    const tab = await step(
      'Open a tab',
      () => tabs.open(context),
      () => 'It was held until its guards were installed.',
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
    () => 'It was shown, and its request to a private address was blocked.',
  );
  const look = async (signal: AbortSignal) => {
    const { text } = (await takeView(tab, new ElementRefs(), null, {}, signal)).view;
    if (!text.includes(BROWSER_TRIAL_HEADING))
      fail({ code: 'render_failed', reason: 'the tree does not say what the page shows' });
  };
  await step('Read its accessibility tree', look, () => 'It says what the page shows.');
  await step(
    'Take a screenshot',
    (signal) => takeScreenshot(tab, {}, signal),
    ({ width, height, bytes }) => `${width} × ${height} pixels, ${Math.ceil(bytes / 1_000)} KB.`,
  );
}

/** Shows the trial page, which requests a private URL. Fails if the gate does not refuse this request. */
async function show(tab: OpenTab, refused: readonly string[]): Promise<void> {
  const { promise: loaded, resolve } = Promise.withResolvers<void>();
  const stop = tab.session.on('Page.loadEventFired', () => {
    if (tab.main().url === BROWSER_TRIAL_PAGE_URL) resolve();
  });
  const { errorText } = await tab.session.send('Page.navigate', { url: BROWSER_TRIAL_PAGE_URL });
  if (errorText !== undefined) fail({ code: 'render_failed', reason: 'the page that the gate serves was not shown' });
  await loaded;
  stop();
  if (refused.includes(BROWSER_TRIAL_FORBIDDEN_URL)) return;
  fail({ code: 'render_failed', reason: 'the gate did not see the requests of the page' });
}

async function close(binding: BrowserBinding, browser: AcquiredBrowser, step: Step): Promise<void> {
  const end = async () => {
    if (await closeBrowserAndConnection(binding, browser)) return;
    fail({
      code: 'render_failed',
      reason: 'the browser service did not confirm it; it closes idle browsers automatically',
    });
  };
  await step('Close the browser', end, () => 'The service confirmed it.');
}

async function render(deps: TrialDeps): Promise<void> {
  const outcome = await deps.render();
  if ('failure' in outcome) fail(outcome.failure);
  if (outcome.result.html.includes(BROWSER_TRIAL_SCRIPT_TEXT)) return;
  fail({ code: 'render_failed', reason: 'the text that the page adds by script is missing' });
}

class StepFailed extends Error {}

function stepper(steps: BrowserTrialStep[], report: TrialDeps['report']): Step {
  return async (name, work, found) => {
    const since = Date.now();
    const done = (works: boolean, words: string) =>
      void steps.push({ name, ms: Date.now() - since, works, found: words });
    const late = AbortSignal.timeout(TRIAL_STEP_MS_MAX);
    try {
      const value = await abortable(work(late), late);
      done(true, found(value));
      return value;
    } catch (error) {
      done(false, late.aborted ? TOO_LONG : failureWords(error, report));
      throw new StepFailed(name, { cause: error });
    }
  };
}

const TOO_LONG = `It took longer than ${TRIAL_STEP_MS_MAX / 1_000} s.`;

function failureWords(error: unknown, report: TrialDeps['report']): string {
  if (error instanceof PeriscopeError) return failureMessage(error.failure);
  if (error instanceof CdpError) return `The browser service refuses the command ${error.method}.`;
  if (error instanceof BrowserGone) return 'The browser ended.';
  return `It failed; the log has the error as ${report(error)}.`;
}

function gateWords({ isOn }: RequestGate): string {
  if (isOn === 'browser') return 'It guards the browser as a whole.';
  return 'The service does not let the browser be guarded as a whole, so each tab is guarded instead; docs/security.md says what that weakens.';
}

function wallWords(allowDomains: readonly string[]): string {
  if (allowDomains.length === 0) return 'It started, and accepts a connection.';
  if (toAllowedHostPatterns(allowDomains) !== null)
    return 'It started, and the service restricts it to ALLOWLIST_DOMAINS.';
  return 'It started. ALLOWLIST_DOMAINS is longer than the service accepts, so only the gate of this server enforces it.';
}

function named(product: string): string {
  return /^[\w./ -]{1,80}$/u.test(product) ? `${product}.` : 'The name it reports is not that of a browser.';
}
