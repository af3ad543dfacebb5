import type { Config } from './config/config.ts';
import { chosenEngines } from './search-engines.ts';

export type Abilities = {
  /** Pages can be rendered and sessions opened. */
  browser: boolean;
  /** Callers may run their own scripts in the browser's pages. */
  scripts: boolean;
  /** Searches cover the web, not only opened pages. */
  webSearch: boolean;
};

export function abilitiesOf(config: Config): Abilities {
  return {
    browser: config.RENDER_ENABLED,
    scripts: config.EVALUATE_ENABLED,
    webSearch: chosenEngines(config).engines.some((engine) => engine !== 'local'),
  };
}
