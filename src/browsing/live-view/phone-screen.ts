import { resolveWithin } from '#core/flow/abort.ts';
import type { OpenTabs } from '#browsing/tabs/open-tabs.ts';
import type { TabSettings } from '#browsing/tabs/settings.ts';
import { isTargetGone } from '#browsing/cdp/connection.ts';
import { LIVE_INPUT_CONFIRM_MS_MAX } from './limits.ts';

/**
 * Width of a phone screen in CSS pixels, for which most mobile pages are designed. The next constants limit its height.
 */
const PHONE_WIDTH_PX = 390;

type Screens = Pick<OpenTabs, 'settings' | 'applySettings'>;

/** Gives the pages of a session a phone screen while a person drives the session from a phone. */
export class PhoneEmulation {
  /** The pages' own settings, keyed by the phone settings that replaced them. Settings made elsewhere have no entry. */
  readonly #own = new WeakMap<TabSettings, TabSettings>();
  #last: Promise<unknown> = Promise.resolve();

  /**
   * Changes the screen of all tabs, one change at a time.
   * @param phone height of the phone screen in CSS pixels; `null` restores the pages' own screen
   * @returns false if there was nothing to restore; otherwise true, even if the browser refused the change
   */
  set(phone: number | null, tabs: Screens): Promise<boolean> {
    const set = this.#last.then(() => this.#set(phone, tabs));
    this.#last = set;
    return set;
  }

  async #set(height: number | null, tabs: Screens): Promise<boolean> {
    const own = this.#own.get(tabs.settings) ?? null;
    if (height === null) {
      if (own === null) return false;
      // A tab that closes meanwhile makes the change fail for all tabs, so a failed change is tried again.
      if (!(await isApplied(own, tabs))) await isApplied(own, tabs);
      return true;
    }
    const before = own ?? tabs.settings;
    const phone = { ...before, width: PHONE_WIDTH_PX, height, mobile: true };
    this.#own.set(phone, before);
    await isApplied(phone, tabs);
    return true;
  }
}

async function isApplied(settings: TabSettings, tabs: Screens): Promise<boolean> {
  try {
    await resolveWithin(tabs.applySettings(settings), LIVE_INPUT_CONFIRM_MS_MAX);
    return true;
  } catch (error) {
    if (!isTargetGone(error)) throw error;
    return false;
  }
}
