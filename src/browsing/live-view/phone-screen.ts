import { within } from '#core/flow/abort.ts';
import type { OpenTabs } from '#browsing/tabs/open-tabs.ts';
import type { TabSettings } from '#browsing/tabs/settings.ts';
import { BrowserGone, CdpError } from '#browsing/cdp/connection.ts';
import { LIVE_INPUT_MS_MAX, PHONE_WIDTH } from './limits.ts';

/** The screen of a phone for the pages of a session, while a person drives it from one. */
export class PhoneScreen {
  #own: TabSettings | null = null;
  #last: Promise<unknown> = Promise.resolve();

  /**
   * One change after the other.
   * @param phone the height of the screen; `null`: the pages get their own again
   * @returns whether anything changed
   */
  set(phone: number | null, tabs: OpenTabs): Promise<boolean> {
    const set = this.#last.then(() => this.#set(phone, tabs));
    this.#last = set;
    return set;
  }

  async #set(height: number | null, tabs: OpenTabs): Promise<boolean> {
    if (height === null && this.#own === null) return false;
    this.#own ??= tabs.settings;
    const wanted = height === null ? this.#own : { ...this.#own, width: PHONE_WIDTH, height, mobile: true };
    if (height === null) this.#own = null;
    try {
      await within(tabs.applySettings(wanted), LIVE_INPUT_MS_MAX);
    } catch (error) {
      if (!(error instanceof CdpError) && !(error instanceof BrowserGone)) throw error;
    }
    return true;
  }
}
