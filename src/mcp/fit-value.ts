import { slipsBetween } from './near-names.ts';
import { isJsonObject, parseJson } from '#core/json.ts';

/** What the published schema says about one parameter, as far as it helps to fit a value. */
export type Property = {
  type?: unknown;
  enum?: unknown;
  minimum?: unknown;
  maximum?: unknown;
  minLength?: unknown;
  maxLength?: unknown;
  items?: unknown;
  minItems?: unknown;
  maxItems?: unknown;
};

/**
 * The value that a parameter takes and that was clearly meant, or `undefined`. For the call in a hint: nothing is ever
 * run with it.
 */
export function fitValue(value: unknown, property: Property): unknown {
  if (property.type !== 'array' && Array.isArray(value))
    return value.length === 1 ? fitValue(value[0], property) : undefined;
  switch (property.type) {
    case 'integer':
    case 'number':
      return fitNumber(value, property);
    case 'boolean':
      return fitBoolean(value);
    case 'string':
      return Array.isArray(property.enum) ? fitChoice(value, property.enum) : fitText(value, property);
    case 'array':
      return fitList(value, property);
    default:
      return undefined;
  }
}

/** Lines are written as `L12` in our own texts. */
const NUMBER = /^\s*L?([+-]?\d+(?:\.\d+)?)\s*$/i;

function fitNumber(value: unknown, { type, minimum, maximum }: Property): number | undefined {
  const written = typeof value === 'string' ? NUMBER.exec(value)?.[1] : undefined;
  const number = written === undefined ? value : Number(written);
  if (typeof number !== 'number' || !Number.isFinite(number)) return undefined;
  const low = typeof minimum === 'number' ? minimum : Number.NEGATIVE_INFINITY;
  const high = typeof maximum === 'number' ? maximum : Number.POSITIVE_INFINITY;
  return Math.min(high, Math.max(low, type === 'integer' ? Math.round(number) : number)) + 0;
}

const YES: readonly unknown[] = ['true', 'yes', 'on', '1', 1];
const NO: readonly unknown[] = ['false', 'no', 'off', '0', 0];

function fitBoolean(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  const told = typeof value === 'string' ? value.trim().toLowerCase() : value;
  return YES.includes(told) ? true : NO.includes(told) ? false : undefined;
}

function fitText(value: unknown, { minLength, maxLength }: Property): string | undefined {
  if (!['string', 'number', 'boolean'].includes(typeof value)) return undefined;
  const text = String(value);
  if (typeof minLength === 'number' && text.length < minLength) return undefined;
  return typeof maxLength === 'number' && text.length > maxLength ? undefined : text;
}

const CHOICE_SLIPS_MAX = 2;

/** Case, white space and a slip or two do not matter where one choice alone is near. */
function fitChoice(value: unknown, choices: readonly unknown[]): unknown {
  if (choices.includes(value)) return value;
  if (typeof value !== 'string') return undefined;
  const told = value.trim().toLowerCase();
  const ranked = choices
    .map((choice) => ({ choice, slips: slipsBetween(told, String(choice).toLowerCase()) }))
    .sort((a, b) => a.slips - b.slips);
  const [best, second] = ranked;
  if (best === undefined || best.slips > CHOICE_SLIPS_MAX || best.slips >= told.length) return undefined;
  return best.slips === second?.slips ? undefined : best.choice;
}

function fitList(value: unknown, { items, minItems, maxItems }: Property): unknown[] | undefined {
  const item: Property = isJsonObject(items) ? items : {};
  const most = typeof maxItems === 'number' ? maxItems : Infinity;
  const fitted = listOf(value)
    .map((one) => fitValue(one, item))
    .filter((one) => one !== undefined);
  return fitted.length < (typeof minItems === 'number' ? minItems : 1) ? undefined : fitted.slice(0, most);
}

/** Some callers send a list as its JSON, as addresses with commas or spaces between them, or as its one entry. */
function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'string') return [value];
  const parsed = value.trimStart().startsWith('[') ? parseJson(value) : undefined;
  if (Array.isArray(parsed)) return parsed;
  const parts = value.split(/[\s,;]+/u).filter((part) => part !== '');
  return parts.length > 1 && parts.every((part) => ADDRESS.test(part)) ? parts : [value];
}

/** An address or a host name. Such entries of our lists contain no commas. */
const ADDRESS = /^(?:https?:\/\/\S+|(?:[\w-]+\.)+[a-z]{2,})$/i;
