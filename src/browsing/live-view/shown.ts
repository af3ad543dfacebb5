import type { CdpSession } from '#browsing/cdp/connection.ts';
import type { OpenTab } from '#browsing/tabs/open-tab.ts';
import type { OpenTabs } from '#browsing/tabs/open-tabs.ts';

/** The browser of the session, as far as it is shown. */
export type Shown = {
  tabs: OpenTabs;
  browser: CdpSession;
  /** Opens a tab. */
  open: () => Promise<OpenTab>;
  /** Whether somebody is doing something, so that pages may open tabs. */
  acts: (is: boolean) => void;
};
