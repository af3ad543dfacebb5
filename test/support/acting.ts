import { ElementRefs } from '#browsing/refs/refs.ts';
import { resolveTarget } from '#browsing/locate/resolve.ts';
import type { PageElement } from '#browsing/tabs/tab.ts';
import type { OpenTab } from '#browsing/tabs/open-tab.ts';
import { inPage, patience } from './page-calls.ts';
import { browserWith } from './pretend-sites.ts';
import type { TestBrowser } from './pretend-sites.ts';

/** Pages of a test by path. Every host serves the same ones. */
export type Pages = Readonly<Record<string, string>>;

export async function startActing(pages: Pages): Promise<TestBrowser & { open: (path: string) => Promise<Acting> }> {
  const browser = await browserWith((url) => {
    const body = pages[url.pathname];
    return body === undefined ? null : `<!doctype html><title>${url.pathname}</title><body>${body}</body>`;
  });
  const context = await browser.openContext();
  return {
    ...browser,
    open: async (path) => new Acting(await browser.openReusedTab(context, `http://site.example${path}`)),
  };
}

export class Acting {
  readonly tab: OpenTab;
  readonly #refs = new ElementRefs();

  constructor(tab: OpenTab) {
    this.tab = tab;
  }

  find(selector: string): Promise<PageElement> {
    return resolveTarget(selector, { tab: this.tab, byId: () => this.tab }, this.#refs, patience());
  }

  ask(expression: string): Promise<unknown> {
    return inPage(this.tab, expression);
  }

  async resize(width: number, height: number): Promise<void> {
    await this.tab.session.send('Emulation.setDeviceMetricsOverride', {
      width,
      height,
      deviceScaleFactor: 1,
      mobile: false,
    });
  }

  log(): Promise<unknown> {
    return this.ask('window.log');
  }
}
