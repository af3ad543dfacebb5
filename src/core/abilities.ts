import type { Config } from './config/config.ts';
import { chooseEngines } from './search-engines.ts';

export type Abilities = {
  browser: boolean;
  /** True if clients may run their own scripts in pages. */
  scripts: boolean;
  /** True if searches cover the web, not only pages opened before. */
  webSearch: boolean;
};

export function abilitiesOf(config: Config): Abilities {
  return {
    browser: config.RENDER_ENABLED,
    scripts: config.EVALUATE_ENABLED,
    webSearch: chooseEngines(config).engines.some((engine) => engine !== 'local'),
  };
}
