import type { z } from 'zod';
import type { Failure } from '#core/errors.ts';
import { oneLine } from '#core/text.ts';
import type { Tool } from '#tools/define-tool.ts';

type Property = {
  type?: unknown;
  enum?: unknown;
  minimum?: unknown;
  maximum?: unknown;
  items?: unknown;
  maxItems?: unknown;
};

const VALUE_CHARS_MAX = 80;
const ITEMS_SHOWN_MAX = 10;

/**
 * Refused arguments → a failure that names the field and shows the corrected call, wherever the right value can be told
 * from what was sent (SPEC §8). Nothing is ever coerced: the caller has to send it again.
 */
export function invalidArgument(tool: Tool, given: unknown, issues: readonly z.core.$ZodIssue[]): Failure {
  const properties = propertiesOf(tool);
  const problems = issues.map((issue) => describe(issue, given, properties));
  const first = problems[0] ?? { field: 'arguments', problem: 'are not valid' };
  const rest = problems.slice(1).map(({ field, problem }) => `${field} ${problem}`);
  return {
    code: 'invalid_argument',
    field: first.field,
    problem: [first.problem, ...rest].join('; '),
    hint: `Call ${tool.name} with ${JSON.stringify(corrected(tool, given, properties))}.`,
  };
}

function propertiesOf(tool: Tool): Map<string, Property> {
  const { properties } = tool.inputSchema();
  return new Map(isRecord(properties) ? Object.entries(properties).filter(isProperty) : []);
}

function describe(
  issue: z.core.$ZodIssue,
  given: unknown,
  properties: ReadonlyMap<string, Property>,
): { field: string; problem: string } {
  const field = issue.path.length === 0 ? 'arguments' : issue.path.join('.');
  switch (issue.code) {
    case 'unrecognized_keys':
      return {
        field: issue.keys.map((key) => oneLine(key, VALUE_CHARS_MAX)).join(', '),
        problem: `is not a parameter; the parameters are: ${[...properties.keys()].join(', ')}`,
      };
    case 'invalid_type':
      return {
        field,
        problem: `${isMissing(field, given) ? 'is required and must' : 'must'} be ${expected(issue, properties)}`,
      };
    case 'too_small':
      return { field, problem: `must be at least ${String(issue.minimum)}` };
    case 'too_big':
      return { field, problem: `must be at most ${String(issue.maximum)}` };
    case 'invalid_value':
      return { field, problem: `must be one of: ${issue.values.map(String).join(', ')}` };
    default:
      return { field, problem: issue.message };
  }
}

function isMissing(field: string, given: unknown): boolean {
  return field !== 'arguments' && isRecord(given) && given[field] === undefined;
}

/** zod calls an integer a number until it has one; the published schema knows better. */
function expected(issue: z.core.$ZodIssueInvalidType, properties: ReadonlyMap<string, Property>): string {
  const declared = issue.path.length === 1 ? properties.get(String(issue.path[0]))?.type : undefined;
  const type = typeof declared === 'string' ? declared : issue.expected;
  return /^(?:int|array|object)/.test(type) ? `an ${type === 'int' ? 'integer' : type}` : `a ${type}`;
}

/** The call as it should have been: known keys only, values of the right type and range, required keys present. */
function corrected(tool: Tool, given: unknown, properties: ReadonlyMap<string, Property>): Record<string, unknown> {
  const sent = isRecord(given) ? given : {};
  const { required } = tool.inputSchema();
  const needed = Array.isArray(required) ? required : [];
  const call: Record<string, unknown> = {};
  for (const [name, property] of properties) {
    const value = valueFor(name, property, sent);
    if (value === undefined && !needed.includes(name)) continue;
    const fixed = fix(value, property);
    if (fixed !== undefined) call[name] = fixed;
    else if (needed.includes(name)) call[name] = placeholder(name, property);
  }
  return call;
}

/** Whoever sends `url` means `urls`, where that is what there is. */
function valueFor(name: string, { type }: Property, sent: Record<string, unknown>): unknown {
  const singular = name.replace(/s$/, '');
  const key = !Object.hasOwn(sent, name) && type === 'array' ? singular : name;
  return Object.hasOwn(sent, key) ? sent[key] : undefined;
}

function fix(value: unknown, property: Property): unknown {
  switch (property.type) {
    case 'integer':
    case 'number':
      return fixNumber(value, property);
    case 'boolean':
      return typeof value === 'boolean' ? value : value === 'true' ? true : value === 'false' ? false : undefined;
    case 'string':
      if (Array.isArray(property.enum)) return property.enum.includes(value) ? value : property.enum[0];
      return typeof value === 'string' && value !== '' ? oneLine(value, VALUE_CHARS_MAX) : undefined;
    case 'array':
      return fixArray(listOf(value), property);
    default:
      return undefined;
  }
}

/** Some callers send a list as its JSON. */
function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'string' || !value.trimStart().startsWith('[')) return [value];
  try {
    const parsed: unknown = JSON.parse(value);
    return Array.isArray(parsed) ? parsed : [value];
  } catch {
    return [value];
  }
}

function fixArray(values: readonly unknown[], { items, maxItems }: Property): unknown[] | undefined {
  const most = typeof maxItems === 'number' ? maxItems : ITEMS_SHOWN_MAX;
  const isText = isRecord(items) && items['type'] === 'string';
  const fixed = values
    .filter((value) => ['string', 'number', 'boolean'].includes(typeof value))
    .map((value) => (isText ? oneLine(String(value), VALUE_CHARS_MAX) : value));
  return fixed.length === 0 ? undefined : fixed.slice(0, most);
}

function fixNumber(value: unknown, { type, minimum, maximum }: Property): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) return undefined;
  const low = typeof minimum === 'number' ? minimum : Number.NEGATIVE_INFINITY;
  const high = typeof maximum === 'number' ? maximum : Number.POSITIVE_INFINITY;
  return Math.min(high, Math.max(low, type === 'integer' ? Math.round(number) : number));
}

function placeholder(name: string, property: Property): unknown {
  switch (property.type) {
    case 'integer':
    case 'number':
      return typeof property.minimum === 'number' ? property.minimum : 0;
    case 'boolean':
      return false;
    case 'array':
      return [`<${name}>`];
    default:
      return `<${name}>`;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isProperty(entry: [string, unknown]): entry is [string, Property] {
  return isRecord(entry[1]);
}
