import * as z from 'zod';
import { SEARCH_ENGINES } from '#core/search-engines.ts';

const searchEngineSchema = z.enum(SEARCH_ENGINES);

export const booleanSetting = (fallback: boolean) =>
  z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .default(fallback ? 'true' : 'false')
    .transform((value) => value === 'true')
    .meta({ allowed: 'true or false', fallback: String(fallback) });

export const wholeNumberSetting = (fallback: number, min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, `must be a whole number from ${min} to ${max}`)
    .default(String(fallback))
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be a whole number from ${min} to ${max}`)
    .meta({ allowed: `a whole number from ${min} to ${max}`, fallback: String(fallback) });

export const patternSetting = (pattern: RegExp, allowed: string) =>
  z.string().regex(pattern, `must be ${allowed}`).optional().meta({ allowed });
export const secretPatternSetting = (pattern: RegExp, allowed: string) =>
  patternSetting(pattern, allowed).meta({ allowed, secret: true });

export const textSetting = z.string().optional().meta({ allowed: 'text' });
export const secretSetting = z.string().optional().meta({ allowed: 'text', secret: true });

export const ENGINES_ALLOWED = `names of ${SEARCH_ENGINES.join(', ')}, separated by commas`;

export const HOST_NAME = /^(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?$/i;
export const HOST_PORT = /^(?:\[[0-9a-f:.]+\]|[a-z0-9._-]+):\d{1,5}$/i;

export const commaSeparated = z
  .string()
  .default('')
  .transform((value) =>
    value
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  );
const words = commaSeparated.transform((parts) => parts.map((part) => part.toLowerCase()));

export const listSetting = (item: RegExp, example: string) =>
  words
    .refine((parts) => parts.every((part) => item.test(part)), `must be a comma-separated list such as ${example}`)
    .meta({ allowed: `a comma-separated list such as ${example}` });

export const enginesSetting = words
  .pipe(z.array(searchEngineSchema, { error: ENGINES_ALLOWED }))
  .refine((all) => new Set(all).size === all.length, 'must name each provider once');

export const httpUrlSetting = (example: string) =>
  z
    .string()
    .refine(
      (value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol),
      `must be an http or https URL such as ${example}`,
    )
    .optional()
    .meta({ allowed: `an http or https URL such as ${example}` });
