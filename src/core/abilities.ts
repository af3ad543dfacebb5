import type { Config } from './config.ts';

/** What a deployment is able to do beyond reading pages. */
export type Abilities = {
  /** It has a browser: pages are rendered, and sessions opened. */
  browser: boolean;
  /** Callers may run scripts of their own in the pages of that browser. */
  scripts: boolean;
  /** Searches cover the web, not only the pages opened here. */
  webSearch: boolean;
};

/** The one place that reads the settings for it. */
export function abilitiesOf(config: Config): Abilities {
  return {
    browser: config.RENDER_ENABLED,
    scripts: config.EVALUATE_ENABLED,
    webSearch: config.BRAVE_API_KEY !== undefined || config.SEARXNG_URL !== undefined,
  };
}
