import type { z } from 'zod';
import type { Failure } from '#core/errors.ts';
import { oneLine } from '#core/text.ts';
import type { Tool } from '#tools/define-tool.ts';
import { callText, correctedCall, propertiesOf } from './corrected-call.ts';
import { isJsonObject } from '#core/json.ts';
import type { Property } from './fit-value.ts';

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
