import { HINT_VALUE_CHARS_MAX } from './limits.ts';
import type { Tool } from '#tools/define-tool.ts';
import { isJsonObject, parseJson } from '#core/json.ts';
import { fitValue } from './fit-value.ts';
import type { Property } from './fit-value.ts';
import { nearNames } from './near-names.ts';

/** A call as it should have been. */
export type Corrected = {
  call: Record<string, unknown>;
  /** Unknown names in a call → the parameter that took their value. */
  takenAs: ReadonlyMap<string, string>;
};

/** The parameters of a tool, in their order. */
export function propertiesOf(tool: Tool): Map<string, Property> {
  const { properties } = tool.inputSchema();
  return new Map(isJsonObject(properties) ? Object.entries(properties).filter(isProperty) : []);
}

/**
 * The call that was clearly meant: every argument that is right as it was sent, near names as the parameters they stand
 * for, values of the right type and range, what is missing as a placeholder. It always fits the tool's schema.
 */
export function correctedCall(tool: Tool, given: unknown): Corrected {
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
export function callText(call: Record<string, unknown>): string {
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
