import type { z } from 'zod';
import { findFailure } from '#core/failures/failure.ts';
import type { Failure } from '#core/failures/failure.ts';
import { oneLine } from '#core/text/text.ts';
import type { JsonSchema, Tool } from '#tools/define-tool.ts';
import { isJsonObject, parseJson } from '#core/text/json.ts';
import { HINT_ARGUMENT_CHARS_MAX } from '#mcp/limits.ts';

const NAME_CHARS_MAX = 40;
const SHOWN_CHARS_MAX = 40;
/** Maximum listed problems. Further problems are only counted, because the hint shows the whole corrected call. */
const PROBLEMS_MAX = 20;

type Problem = { field: string; problem: string };

/**
 * Turns rejected arguments into a failure that names each argument, its value and the expected value, and shows the
 * corrected call. The corrected call is never run: the caller has to send it.
 * @param schema the parameters offered to the caller
 */
export function createInvalidArgumentFailure(
  tool: Tool,
  given: unknown,
  issues: readonly z.core.$ZodIssue[],
  schema = tool.inputSchema(),
): Failure {
  const properties = propertiesOf(schema);
  const { call, takenAs } = correctedCall(tool, given, properties);
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
    hint: refusalOf(tool, call)?.hint ?? `Call ${tool.name} with ${callText(call)}.`,
  };
}

/**
 * Failure of the corrected call if its arguments contradict each other; the schema cannot express such dependencies.
 */
function refusalOf(tool: Tool, call: Record<string, unknown>) {
  const parsed = tool.parse(call);
  if (!parsed.ok) return null;
  try {
    parsed.check();
    return null;
  } catch (error) {
    const failure = findFailure(error);
    if (failure?.code !== 'invalid_argument') throw error;
    return failure;
  }
}

type Issue = Exclude<z.core.$ZodIssue, z.core.$ZodIssueUnrecognizedKeys> | { code: 'unknown'; key: string };

/** One problem per argument, because a value of the wrong type often also has an invalid length. */
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

/** Writes a path in the notation of callers, such as `urls[2]`. */
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

/** The expected type. The published schema comes first, because zod first reports an integer as `number`. */
function expected(issue: z.core.$ZodIssueInvalidType, properties: ReadonlyMap<string, Property>): string {
  const declared = issue.path.length === 1 ? properties.get(String(issue.path[0]))?.type : undefined;
  const type = typeof declared === 'string' ? declared : issue.expected;
  return /^(?:int|array|object)/.test(type) ? `an ${type === 'int' ? 'integer' : type}` : `a ${type}`;
}

function bound(limit: string, origin: string, amount: number | bigint): string {
  const unit = amount === 1 ? '' : 's';
  if (origin === 'string') return `must have ${limit} ${amount} character${unit}`;
  if (origin === 'array') return `must have ${limit} ${amount === 1 ? '1 entry' : `${amount} entries`}`;
  return `must be ${limit} ${amount}`;
}

/** The sent value, as in `, not 12`, if it is short; otherwise its kind and size. */
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

function propertiesOf({ properties }: JsonSchema): Map<string, Property> {
  const entries = isJsonObject(properties) ? Object.entries(properties) : [];
  return new Map(entries.flatMap(([name, property]) => (isJsonObject(property) ? [[name, property]] : [])));
}

/**
 * Builds the call that was probably meant: correct arguments as sent, misspelt names corrected, values fitted to type
 * and range, and placeholders for missing ones. The result fits the tool's schema; arguments that break a rule of the
 * parser alone are replaced or removed once.
 */
function correctedCall(tool: Tool, given: unknown, properties: ReadonlyMap<string, Property>) {
  const sent = unwrapped(given, properties);
  const { required = [] } = tool.inputSchema();
  const { values, takenAs } = matched(sent, properties);
  const call: Record<string, unknown> = {};
  for (const [name, property] of properties) {
    if (values.has(name)) call[name] = values.get(name);
    else if (Array.isArray(required) && required.includes(name)) call[name] = placeholder(name, property);
  }
  const parsed = tool.parse(call);
  if (parsed.ok) return { call, takenAs };
  // Some rules are only in the parser, not in the schema. If a value in the corrected call breaks such a rule, a
  // placeholder replaces it, or an optional argument is removed.
  for (const { path } of parsed.issues) {
    const name = String(path[0]);
    if (Array.isArray(required) && required.includes(name)) call[name] = placeholder(name, properties.get(name) ?? {});
    else delete call[name];
  }
  return { call, takenAs };
}

/** Unwraps arguments that were sent as JSON text, or inside one extra object such as `{"arguments": {…}}`. */
function unwrapped(given: unknown, properties: ReadonlyMap<string, Property>): Record<string, unknown> {
  const sent = typeof given === 'string' ? parseJson(given) : given;
  if (!isJsonObject(sent)) return {};
  const [[key, inner] = ['', null], ...others] = Object.entries(sent);
  return others.length === 0 && !properties.has(key) && isJsonObject(inner) ? inner : sent;
}

const UNKNOWN_MAX = 50;

/** Matches sent arguments with parameters. @returns `takenAs` maps each misspelt name to its parameter */
function matched(sent: Record<string, unknown>, properties: ReadonlyMap<string, Property>) {
  const values = new Map<string, unknown>();
  const takenAs = new Map<string, string>();
  for (const [name, property] of properties) {
    const fitted = Object.hasOwn(sent, name) ? fitValue(sent[name], property) : undefined;
    if (fitted !== undefined) values.set(name, fitted);
  }
  const unknown = Object.entries(sent).filter(([key]) => !properties.has(key));
  for (const [key, value] of unknown.slice(0, UNKNOWN_MAX)) {
    const free = [...properties.keys()].filter((name) => !values.has(name) && !isGiven(sent, name));
    const name = misspelt(key, free);
    const fitted = name === undefined ? undefined : fitValue(value, properties.get(name) ?? {});
    if (name === undefined || fitted === undefined) continue;
    values.set(name, fitted);
    takenAs.set(key, name);
  }
  return { values, takenAs };
}

function isGiven(sent: Record<string, unknown>, name: string): boolean {
  return Object.hasOwn(sent, name) && sent[name] !== null;
}

/** Minimum characters of a name that is corrected. Shorter names are similar to too many others. */
const SLIP_CHARS_MIN = 3;

/**
 * Finds the parameter meant by an unknown name, such as `max_results` by `maxResult`. The parameter is a name that is
 * equal apart from case and separators, the only name that differs by one typo, or the only name with more or fewer
 * words.
 */
function misspelt(key: string, parameters: readonly string[]): string | undefined {
  const given = bare(key);
  if (given === '') return undefined;
  const same = parameters.find((name) => bare(name) === given);
  if (same !== undefined) return same;
  const near = given.length < SLIP_CHARS_MIN ? [] : parameters.filter((name) => isOneSlip(given, bare(name)));
  if (near.length > 0) return near.length === 1 ? near[0] : undefined;
  const words = wordsOf(key);
  const sharing = parameters.filter((name) => isPart(wordsOf(name), words) || isPart(words, wordsOf(name)));
  return sharing.length === 1 ? sharing[0] : undefined;
}

function bare(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/** True if one letter was added, dropped or changed, or two were swapped. */
function isOneSlip(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  if (Math.max(left.length, right.length) < 2) return true;
  return left.length === 2 && left[0] === right[1] && left[1] === right[0];
}

function wordsOf(name: string): string[] {
  const spaced = name.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').toLowerCase();
  return spaced.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
}

function isPart(part: readonly string[], whole: readonly string[]): boolean {
  return part.length > 0 && part.every((word) => whole.includes(word));
}

function placeholder(name: string, { type, minimum, enum: choices }: Property): unknown {
  if (type === 'integer' || type === 'number') return typeof minimum === 'number' ? minimum : 0;
  if (type === 'boolean') return false;
  if (type === 'array') return [`<${name}>`];
  return Array.isArray(choices) ? choices[0] : `<${name}>`;
}

/** Maximum characters of a list, as JSON, in a hint. A longer one appears as `["<the urls you sent>"]`. */
const LIST_CHARS_MAX = 4 * HINT_ARGUMENT_CHARS_MAX;

/** Writes a call as JSON on one line, in visible characters. A long value becomes `<the url you sent>`. */
function callText(call: Record<string, unknown>): string {
  const shown = JSON.stringify(call, (key, value: unknown) => {
    if (typeof value === 'string') return value.length > HINT_ARGUMENT_CHARS_MAX ? `<the ${key} you sent>` : value;
    return Array.isArray(value) && JSON.stringify(value).length > LIST_CHARS_MAX ? [`<the ${key} you sent>`] : value;
  });
  return shown.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escaped);
}

function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

/** The keywords of a parameter's JSON Schema that `fitValue` uses. */
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

/** The valid value that was probably meant, such as 10 for `"10"`. Used only in a hint, never to run a call. */
function fitValue(value: unknown, property: Property): unknown {
  if (property.type === 'array') return fitList(value, property);
  if (Array.isArray(value)) {
    const [one] = value;
    return value.length === 1 && !Array.isArray(one) ? fitValue(one, property) : undefined;
  }
  if (property.type === 'integer' || property.type === 'number') return fitNumber(value, property);
  if (property.type === 'boolean') return fitBoolean(value);
  if (property.type !== 'string') return undefined;
  return Array.isArray(property.enum) ? fitChoice(value, property.enum) : fitText(value, property);
}

function fitBoolean(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  return typeof value === 'string' ? YES_OR_NO.get(value.trim().toLowerCase()) : undefined;
}

const YES_OR_NO: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

/** A number as text. An initial `L` is accepted, because this server's own texts write line numbers as `L12`. */
const NUMBER = /^\s*L?([+-]?\d+(?:\.\d+)?)\s*$/i;

function fitNumber(value: unknown, { type, minimum, maximum }: Property): number | undefined {
  const written = typeof value === 'string' ? NUMBER.exec(value)?.[1] : undefined;
  const number = written === undefined ? value : Number(written);
  if (typeof number !== 'number' || !Number.isFinite(number)) return undefined;
  const low = typeof minimum === 'number' ? minimum : Number.NEGATIVE_INFINITY;
  const high = typeof maximum === 'number' ? maximum : Number.POSITIVE_INFINITY;
  return Math.min(high, Math.max(low, type === 'integer' ? Math.round(number) : number)) + 0;
}

function fitText(value: unknown, { minLength, maxLength }: Property): string | undefined {
  if (!['string', 'number', 'boolean'].includes(typeof value)) return undefined;
  const text = String(value);
  if (typeof minLength === 'number' && text.length < minLength) return undefined;
  return typeof maxLength === 'number' && text.length > maxLength ? undefined : text;
}

/** The choice that equals the value apart from case and white space. */
function fitChoice(value: unknown, choices: readonly unknown[]): unknown {
  const told = typeof value === 'string' ? value.trim().toLowerCase() : value;
  return choices.find((choice) => choice === value || String(choice).toLowerCase() === told);
}

/** Fits a list: accepts the list as JSON text, or a single entry without brackets. */
function fitList(value: unknown, { items, minItems, maxItems }: Property): unknown[] | undefined {
  const item: Property = isJsonObject(items) ? items : {};
  const parsed = typeof value === 'string' && value.trimStart().startsWith('[') ? parseJson(value) : value;
  const fitted = (Array.isArray(parsed) ? parsed : [value])
    .map((one) => fitValue(one, item))
    .filter((one) => one !== undefined);
  const most = typeof maxItems === 'number' ? maxItems : Infinity;
  return fitted.length < (typeof minItems === 'number' ? minItems : 1) ? undefined : fitted.slice(0, most);
}
