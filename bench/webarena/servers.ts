import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BROWSER_VIEWPORT } from '#core/limits.ts';
import { launchServer } from '#scripts/local/launch.ts';
import type { LaunchedServer } from '#scripts/local/launch.ts';
import { benchChromium } from '../browser/chromium.ts';
import { chromeDevtools, ours, playwright } from '../browser/subjects.ts';
import type { Subject } from '../browser/subjects.ts';

export const SERVERS = ['ours', 'playwright', 'devtools'] as const;
export type ServerName = (typeof SERVERS)[number];

/** Gives each task a server with a new browser. */
export class Servers {
  readonly #appHost: string;
  readonly #home = mkdtempSync(join(tmpdir(), 'periscope-bench-'));
  #launched: LaunchedServer | null = null;

  constructor(appHost: string) {
    this.#appHost = appHost;
  }

  async connect(name: ServerName): Promise<Subject> {
    if (name === 'ours') return ours(await this.#launch());
    const path = benchChromium();
    const browser = { path, viewport: BROWSER_VIEWPORT };
    return name === 'playwright' ? playwright(browser) : chromeDevtools(browser);
  }

  /** Closes the browser of a task, with everything that it has stored. */
  async leave(name: ServerName, subject: Subject): Promise<void> {
    if (name === 'ours') await subject.call({ tool: 'browser_close', args: {} });
    await subject.close();
  }

  async stop(): Promise<void> {
    await this.#launched?.stop();
    rmSync(this.#home, { recursive: true, force: true });
  }

  /** `npm start` with only the toolset that drives browsers, like the other two servers. */
  async #launch(): Promise<LaunchedServer> {
    const path = process.env['CHROMIUM_PATH'];
    this.#launched ??= await launchServer({
      home: this.#home,
      settings: {
        ALLOWED_PRIVATE_HOSTS: this.#appHost,
        BUDGET_CALLS_PER_MINUTE: '100000',
        BUDGET_CALLS_PER_DAY: '1000000',
        ...(path !== undefined && { CHROMIUM_PATH: path }),
      },
    });
    return { ...this.#launched, mcpUrl: `${this.#launched.mcpUrl}?toolsets=browser` };
  }
}
