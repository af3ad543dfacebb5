import * as z from 'zod';

/** A tool as documents may call it. `words`: the parameters of every deployment, and their listed values. */
export type CallableTool = { words: ReadonlySet<string>; accepts: (input: unknown) => boolean };

const options = z.record(z.string(), z.looseObject({ enum: z.array(z.string()).optional() }));

/** The names of the properties of an input schema, and their listed values. */
export function wordsOfSchema(schema: Readonly<Record<string, unknown>>): Set<string> {
  const properties = Object.entries(options.parse(schema['properties'] ?? {}));
  return new Set(properties.flatMap(([name, { enum: values = [] }]) => [name, ...values]));
}

/**
 * Calls in a document that the server would refuse: `tool {"a": 1}` with arguments that its schema does not accept, and
 * "`tool` with `a` and `b`" or "`a` of `tool`" with a parameter that the tool does not have.
 */
export function wrongCalls(file: string, text: string, tools: ReadonlyMap<string, CallableTool>): string[] {
  const written = Array.from(text.matchAll(WRITTEN), ([, name = '', json = '']) => ({ name, json }))
    .filter(({ name }) => tools.has(name))
    .filter(({ name, json }) => tools.get(name)?.accepts(parsed(json)) !== true)
    .map(({ name, json }) => `${file}: ${name} refuses ${json}.`);
  const named = [
    ...Array.from(text.matchAll(WITH), ([, name = '', list = '']) => spansOf(list).map((span) => ({ name, span }))),
    ...Array.from(text.matchAll(OF), ([, span = '', name = '']) => [{ name, span }]),
  ].flat();
  return [...written, ...named.flatMap(({ name, span }) => unknownParameter(file, span, [name], tools))];
}

/**
 * Stricter rule for a guide that models follow: each plain name in code format must also be a tool, or a parameter of a
 * tool that the same paragraph or list item names.
 * @param others words that are neither
 */
export function wrongGuide(
  file: string,
  text: string,
  tools: ReadonlyMap<string, CallableTool>,
  others: ReadonlySet<string>,
): string[] {
  return text
    .split(/\n(?=\d+\. |- |\n)/)
    .flatMap((item) => {
      const spans = spansOf(item);
      const named = spans.filter((span) => tools.has(span));
      return spans
        .filter((span) => PARAMETER.test(span) && !tools.has(span) && !others.has(span))
        .flatMap((span) => unknownParameter(file, span, named, tools));
    })
    .concat(wrongCalls(file, text, tools));
}

/** `follow {"url": "…"}`, in one pair of backquotes, in two, or in a fence. */
const WRITTEN = /\b([a-z_]+)`?(?: with)? `?(\{"[^\n`]*\})/g;
const WITH = /`([a-z_]+)` with ((?:(?:, | and | or )?(?:the |a |its )?`[a-z_]+(?:: [^`]+)?`)+)/g;
const OF = /`([a-z_]+)(?:: [^`]+)?` of `([a-z_]+)`/g;
/** A parameter with or without a value. */
const PARAMETER = /^[a-z]+(?:_[a-z]+)*(?:: .+)?$/;

function spansOf(text: string): string[] {
  return Array.from(text.matchAll(/`([^`\n]+)`/g), ([, span = '']) => span);
}

function unknownParameter(
  file: string,
  span: string,
  names: readonly string[],
  tools: ReadonlyMap<string, CallableTool>,
): string[] {
  const parameter = span.replace(/:.*/, '');
  const known = names.flatMap((name) => tools.get(name) ?? []);
  if (known.length === 0 && names.length > 0) return [];
  if (known.some(({ words }) => words.has(parameter))) return [];
  const of = names.length === 0 ? 'names no tool' : `belongs to ${names.join(', ')}, which does not have it`;
  return [`${file}: the parameter ${parameter} ${of}.`];
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}
