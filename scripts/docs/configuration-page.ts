import { globSync, readFileSync } from 'node:fs';
import { describeConfig } from '#core/config/config.ts';
import type { ConfigSetting } from '#core/config/config.ts';
import { limitSections } from './limits-page.ts';
import { code } from './markdown.ts';

/** `docs/configuration.md`: every setting of the schema in `src/core/config/config.ts`, and the limits that no setting changes. */
export async function configurationPage(): Promise<string> {
  const settings = describeConfig();
  const unused = settings.filter(({ name }) => !isRead(name)).map(({ name }) => code(name));
  return [
    '# Configuration',
    '',
    'For the person who runs Periscope. Written by `npm run docs` from `src/core/config/config.ts` and `scripts/docs/limits-page.ts`.',
    '',
    'On a laptop, put settings into `.dev.vars`, one `NAME=value` a line; the environment of `npm start` goes before it, `[vars]` in `wrangler.toml` after it. A deployment takes them from `[vars]` and from secrets (`wrangler secret put NAME`). An empty value means "not set". A wrong value stops the start with a message that names what is allowed.',
    '',
    '## Vars',
    '',
    ...settings.filter(({ secret }) => !secret).map(lineOf),
    '',
    '## Secrets',
    '',
    ...settings.filter(({ secret }) => secret).map(lineOf),
    '',
    ...(unused.length === 0
      ? []
      : [
          '## Without effect so far',
          '',
          `These are checked, but nothing in this version reads them: ${unused.join(', ')}.`,
          '',
        ]),
    ...(await limitSections()),
  ].join('\n');
}

function lineOf({ name, meaning, allowed, fallback }: ConfigSetting): string {
  const values = allowed.replace(/^a whole number from /, '').replace(/^an? (?=https?|comma)/, '');
  const byDefault = fallback === null ? '' : `; default ${code(fallback)}`;
  return `- ${code(name)} (${values}${byDefault}): ${meaning}`;
}

/** True if code reads the setting from a configuration, as `config.NAME` or by destructuring; prose does not count. */
function isRead(name: string): boolean {
  sources ??= globSync('src/**/*.{ts,tsx}')
    .filter((file) => !file.endsWith('core/config/config.ts'))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  return new RegExp(`[.{,]\\s*${name}\\b`).test(sources);
}

let sources: string | null = null;
