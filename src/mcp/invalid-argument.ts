import type { z } from 'zod';
import type { Failure } from '#core/failures/failure.ts';
import { oneLine } from '#core/text/text.ts';
import type { Tool } from '#tools/define-tool.ts';
import { isJsonObject, parseJson } from '#core/text/json.ts';
import { HINT_VALUE_CHARS_MAX } from './limits.ts';
import { nearNames, slipsBetween } from './near-names.ts';

const NAME_CHARS_MAX = 40;
const SHOWN_CHARS_MAX = 40;
/** More are counted: who reads them has the call to send in the hint. */
const PROBLEMS_MAX = 20;

type Problem = { field: string; problem: string };

/**
 * Refused arguments → a failure that names each argument, what it is and what it must be, and shows the corrected call
 *. Nothing is ever coerced: the caller has to send it again.
 */
export function invalidArgument(tool: Tool, given: unknown, issues: readonly z.core.$ZodIssue[]): Failure {
  const properties = propertiesOf(tool);
  const { call, takenAs } = correctedCall(tool, given);
  const places = placesOf(issues);
  const shown = places.slice(0, PROBLEMS_MAX);
  const problems = shown.map((issue) => describe(issue, given, properties, takenAs));
  const first = problems[0] ?? { field: 'arguments', problem: 'are not valid' };
  const rest = problems.slice(1).map(({ field, problem }) => `${field} ${problem}`);
  const more = places.length > shown.length ? [`and ${places.length - shown.length} more`] : [];
  const hasUnknown = issues.some(({ code }) => code === 'unrecognized_keys');
  const known = hasUnknown ? [`the parameters are: ${[...properties.keys()].join(', ')}`] : [];
  return {
    code: 'invalid_argument',
    field: first.field,
    problem: [first.problem, ...rest, ...more, ...known].join('; '),
    hint: `Call ${tool.name} with ${callText(call)}.`,
  };
}

type Issue = Exclude<z.core.$ZodIssue, z.core.$ZodIssueUnrecognizedKeys> | { code: 'unknown'; key: string };

/** One problem for each place: what is of the wrong type has no right length either. */
function placesOf(issues: readonly z.core.$ZodIssue[]): Issue[] {
  const seen = new Set<string>();
  return issues.flatMap((issue): Issue[] => {
    if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => ({ code: 'unknown', key }));
    const place = fieldName(issue.path);
    if (issue.path.length > 0 && seen.has(place)) return [];
    seen.add(place);
    return [issue];
  });
}

function describe(
  issue: Issue,
  given: unknown,
  properties: ReadonlyMap<string, Property>,
  takenAs: ReadonlyMap<string, string>,
): Problem {
  if (issue.code === 'unknown') {
    const meant = takenAs.get(issue.key);
    const problem = meant === undefined ? 'is not a parameter' : `is not a parameter, but ${meant} is`;
    return { field: shownName(issue.key), problem };
  }
  const field = fieldName(issue.path);
  const value = valueAt(given, issue.path);
  switch (issue.code) {
    case 'invalid_type':
      return { field, problem: wrongType(issue, value, properties) };
    case 'too_small':
      return { field, problem: `${bound('at least', issue.origin, issue.minimum)}${notThis(value)}` };
    case 'too_big':
      return { field, problem: `${bound('at most', issue.origin, issue.maximum)}${notThis(value)}` };
    case 'invalid_value':
      return {
        field,
        problem: `${value === undefined ? 'is required and must' : 'must'} be one of: ${issue.values.map(String).join(', ')}${notThis(value)}`,
      };
    default:
      return { field, problem: issue.message };
  }
}

/** `urls[2]`, as callers would write it. */
function fieldName(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'arguments';
  return path.map((key) => (typeof key === 'number' ? `[${key}]` : String(key))).join('');
}

function valueAt(given: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    given,
  );
}

function wrongType(
  issue: z.core.$ZodIssueInvalidType,
  value: unknown,
  properties: ReadonlyMap<string, Property>,
): string {
  const type = expected(issue, properties);
  if (value === undefined && issue.path.length > 0) return `is required and must be ${type}`;
  return `must be ${type}${notThis(value)}`;
}

/** zod calls an integer a number until it has one; the published schema knows better. */
function expected(issue: z.core.$ZodIssueInvalidType, properties: ReadonlyMap<string, Property>): string {
  const declared = issue.path.length === 1 ? properties.get(String(issue.path[0]))?.type : undefined;
  const type = typeof declared === 'string' ? declared : issue.expected;
  return /^(?:int|array|object)/.test(type) ? `an ${type === 'int' ? 'integer' : type}` : `a ${type}`;
}

/** What a limit counts. */
function bound(limit: string, origin: string, amount: number | bigint): string {
  const unit = amount === 1 ? '' : 's';
  if (origin === 'string') return `must have ${limit} ${amount} character${unit}`;
  if (origin === 'array') return `must have ${limit} ${amount === 1 ? '1 entry' : `${amount} entries`}`;
  return `must be ${limit} ${amount}`;
}

/** The value that was sent, where it says something and is short; else what kind of value it is. */
function notThis(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return `, not ${String(value)}`;
  if (typeof value === 'string') {
    if (value.length > SHOWN_CHARS_MAX) return `, not a text of ${value.length} characters`;
    return `, not ${callText({ value }).slice('{"value":'.length, -1)}`;
  }
  if (Array.isArray(value)) return `, not a list of ${value.length}`;
  return isJsonObject(value) ? ', not an object' : '';
}

function shownName(key: string): string {
  return oneLine(key.replace(/[\p{Cc}\p{Cf}]/gu, ''), NAME_CHARS_MAX) || '(an empty name)';
}

/** A call as it should have been. */
type Corrected = {
  call: Record<string, unknown>;
  /** Unknown names in a call → the parameter that took their value. */
  takenAs: ReadonlyMap<string, string>;
};

/** The parameters of a tool, in their order. */
function propertiesOf(tool: Tool): Map<string, Property> {
  const { properties } = tool.inputSchema();
  return new Map(isJsonObject(properties) ? Object.entries(properties).filter(isProperty) : []);
}

/**
 * The call that was clearly meant: every argument that is right as it was sent, near names as the parameters they stand
 * for, values of the right type and range, what is missing as a placeholder. It always fits the tool's schema.
 */
function correctedCall(tool: Tool, given: unknown): Corrected {
  const properties = propertiesOf(tool);
  const sent = unwrapped(given, properties);
  const required = requiredOf(tool);
  const { values, takenAs } = matched(sent, properties, required);
  const call: Record<string, unknown> = {};
  for (const [name, property] of properties) {
    if (values.has(name)) call[name] = values.get(name);
    else if (required.includes(name)) call[name] = placeholder(name, property);
  }
  return { call: fitting(tool, call, properties, required), takenAs };
}

/** Some callers send the arguments as text, or inside an argument of their own. */
function unwrapped(given: unknown, properties: ReadonlyMap<string, Property>): Record<string, unknown> {
  const sent = typeof given === 'string' ? parseJson(given) : given;
  if (!isJsonObject(sent)) return {};
  const inner = Object.entries(sent).flatMap(([key, value]) =>
    WRAPPERS.includes(key.toLowerCase()) && !properties.has(key) && isJsonObject(value) ? [value] : [],
  );
  return Object.assign({}, ...inner, sent);
}

const WRAPPERS: readonly string[] = ['arguments', 'args', 'input', 'params', 'parameters'];

/** Nobody means one of our parameters by more names than this. */
const UNKNOWN_MAX = 50;

/** A regular expression under a name of its own says two things at once. */
const REGEX_NAMES: readonly string[] = ['regex', 'regexp', 're'];

function matched(
  sent: Record<string, unknown>,
  properties: ReadonlyMap<string, Property>,
  required: readonly string[],
): { values: Map<string, unknown>; takenAs: Map<string, string> } {
  const values = new Map<string, unknown>();
  const takenAs = new Map<string, string>();
  for (const [name, property] of properties) {
    const fitted = Object.hasOwn(sent, name) ? fitValue(sent[name], property) : undefined;
    if (fitted !== undefined) values.set(name, fitted);
  }
  const unknown = Object.entries(sent).filter(([key]) => !properties.has(key));
  for (const [key, value] of unknown.slice(0, UNKNOWN_MAX)) {
    const free = [...properties.keys()].filter((name) => !values.has(name) && !Object.hasOwn(sent, name));
    // A value that fits as it is says more about what was meant than a parameter that has to be there.
    const suits = (name: string) =>
      (callText({ name: fitValue(value, properties.get(name) ?? {}) }) === callText({ name: value }) ? 2 : 0) +
      (required.includes(name) ? 1 : 0);
    const inOrder = nearNames(key, free).sort((a, b) => suits(b) - suits(a));
    for (const name of inOrder) {
      const fitted = fitValue(value, properties.get(name) ?? {});
      if (fitted === undefined) continue;
      values.set(name, fitted);
      takenAs.set(key, name);
      if (REGEX_NAMES.includes(key.toLowerCase()) && name === 'pattern' && !values.has('is_regex'))
        values.set('is_regex', true);
      break;
    }
  }
  return { values, takenAs };
}

/** What the schema still refuses, for a reason that it does not publish, goes. */
function fitting(
  tool: Tool,
  call: Record<string, unknown>,
  properties: ReadonlyMap<string, Property>,
  required: readonly string[],
): Record<string, unknown> {
  const parsed = tool.parse(call);
  if (parsed.ok) return call;
  const wrong = new Set(parsed.issues.map(({ path }) => String(path[0])));
  return Object.fromEntries(
    Object.entries(call).flatMap(([name, value]) => {
      if (!wrong.has(name)) return [[name, value]];
      return required.includes(name) ? [[name, placeholder(name, properties.get(name) ?? {})]] : [];
    }),
  );
}

function requiredOf(tool: Tool): string[] {
  const { required } = tool.inputSchema();
  return Array.isArray(required) ? required.map(String) : [];
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
      return Array.isArray(property.enum) ? property.enum[0] : `<${name}>`;
  }
}

/** A list that is longer than this, as JSON, is named in a hint, not repeated. */
const LIST_CHARS_MAX = 4 * HINT_VALUE_CHARS_MAX;

/**
 * A call as JSON on one line, in characters that can be seen. Values stand as they were sent, to the character, but for
 * those that are too long for a hint: they are named.
 */
function callText(call: Record<string, unknown>): string {
  const shown = JSON.stringify(call, (key, value: unknown) => {
    if (typeof value === 'string') return value.length > HINT_VALUE_CHARS_MAX ? `<the ${key} you sent>` : value;
    return Array.isArray(value) && JSON.stringify(value).length > LIST_CHARS_MAX ? [`<the ${key} you sent>`] : value;
  });
  return shown.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escaped);
}

function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

function isProperty(entry: [string, unknown]): entry is [string, Property] {
  return isJsonObject(entry[1]);
}

/** What the published schema says about one parameter, as far as it helps to fit a value. */
type Property = {
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
function fitValue(value: unknown, property: Property): unknown {
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
