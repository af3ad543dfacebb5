import { describe, expect, it } from 'vitest';
import { CdpError } from '#browsing/cdp/connection.ts';
import { PhoneEmulation } from '#browsing/live-view/phone-screen.ts';
import { DEFAULT_TAB_SETTINGS } from '#browsing/tabs/settings.ts';
import type { TabSettings } from '#browsing/tabs/settings.ts';

/** Tabs whose next changes fail, as when one of them closes meanwhile. */
class Tabs {
  settings: TabSettings = DEFAULT_TAB_SETTINGS;
  failing = 0;

  async applySettings(settings: TabSettings): Promise<void> {
    this.failing -= 1;
    if (this.failing >= 0) throw new CdpError('Emulation.setDeviceMetricsOverride', 'gone');
    this.settings = settings;
  }
}

describe('the screen of a phone', () => {
  it('is reset, also when a tab closes meanwhile', async () => {
    const [screen, tabs] = [new PhoneEmulation(), new Tabs()];
    await screen.set(700, tabs);
    await screen.set(400, tabs);
    expect(tabs.settings).toMatchObject({ height: 400, mobile: true });
    tabs.failing = 1;
    await screen.set(null, tabs);
    expect(tabs.settings).toBe(DEFAULT_TAB_SETTINGS);
  });

  it('is reset later if the first reset failed', async () => {
    const [screen, tabs] = [new PhoneEmulation(), new Tabs()];
    await screen.set(700, tabs);
    tabs.failing = 2;
    await screen.set(null, tabs);
    expect(tabs.settings.mobile).toBe(true);
    await screen.set(null, tabs);
    expect(tabs.settings).toBe(DEFAULT_TAB_SETTINGS);
  });

  it('that ended with its browser changes nothing in the next browser', async () => {
    const screen = new PhoneEmulation();
    await screen.set(700, new Tabs());
    const next = new Tabs();
    next.settings = { ...DEFAULT_TAB_SETTINGS, width: 1_920 };
    expect(await screen.set(null, next)).toBe(false);
    expect(next.settings.width).toBe(1_920);
  });
});
