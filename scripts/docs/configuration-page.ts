import { globSync, readFileSync } from 'node:fs';
import { describeConfig } from '#core/config/config.ts';
import type { ConfigSetting } from '#core/config/config.ts';
import { code, table } from './markdown.ts';

/** `docs/configuration.md`: every setting of the schema in `src/core/config/config.ts`. */
export function configurationPage(): string {
  const settings = describeConfig();
  const unused = settings.filter(({ name }) => !isRead(name)).map(({ name }) => code(name));
  return [
    '# Configuration',
    '',
    'Made from the schema in `src/core/config/config.ts` by `npm run docs`; edit the schema, not this page.',
    '',
    'On a laptop, `npm start` takes these names from its environment, then from `.dev.vars`, then from `[vars]` in `wrangler.toml`. A deployment takes them from `[vars]` and from secrets (`wrangler secret put NAME`). An empty value means "not set". A value that is not allowed stops the start, and the message names it and says what is allowed.',
    '',
    '## Vars',
    '',
    settingsTable(settings.filter(({ secret }) => !secret)),
    '',
    '## Secrets',
    '',
    settingsTable(settings.filter(({ secret }) => secret)),
    '',
    ...(unused.length === 0
      ? []
      : [
          '## Without effect so far',
          '',
          `These are checked, but nothing in this version reads them: ${unused.join(', ')}.`,
          '',
        ]),
  ].join('\n');
}

function settingsTable(settings: readonly ConfigSetting[]): string {
  return table(
    ['Name', 'What it does', 'Allowed, default'],
    settings.map(({ name, meaning, allowed, fallback }) => [
      code(name),
      meaning,
      allowed.replace(/^a whole number from /, '').replace(/^an? (?=https?|comma)/, '') +
        (fallback === null ? '' : `, ${code(fallback)}`),
    ]),
  );
}

/** Whether some code takes the setting out of a configuration, as `config.NAME` or by destructuring; prose does not. */
function isRead(name: string): boolean {
  sources ??= globSync('src/**/*.{ts,tsx}')
    .filter((file) => !file.endsWith('core/config/config.ts'))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  return new RegExp(`[.{,]\\s*${name}\\b`).test(sources);
}

let sources: string | null = null;
