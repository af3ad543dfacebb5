import { CATALOG } from '#tools/catalog.ts';
import type { JsonSchema, Tool, ToolsetName } from '#tools/define-tool.ts';
import { TOOLSETS } from '#tools/define-tool.ts';
import { listTools, TOOLSETS_IN_USE } from './list-tools.ts';
import { code, table } from './markdown.ts';
import { modelTokens } from './token-weights.ts';

/** `docs/tools.md`: everything a client is told about each tool, by toolset. */
export async function toolsPage(): Promise<string> {
  const byDefault = await listTools('');
  const sections = await Promise.all(TOOLSETS_IN_USE.map(toolsetSection));
  return [
    '# Tools',
    '',
    'Made from the catalogue by `npm run docs`; edit the tools, not this page.',
    '',
    `A connection to \`/mcp\` gets ${byDefault.length} tools, of which a model sees ${modelTokens(byDefault)} tokens (o200k: names, descriptions, input schemas). \`/mcp?toolsets=\` takes a comma-separated list of toolsets instead. Tools whose scope a connection was not granted are not listed.`,
    '',
    'Inputs are strict: an unknown parameter, a wrong type or a value out of range is refused, never corrected silently. The text block of a result holds all of it; `test/toolsnaps` has the schemas of arguments and structured results.',
    '',
    ...sections.flat(),
  ].join('\n');
}

/** The table between the markers of the README. */
export function toolsOverview(): string {
  return table(
    ['Tool', 'What it does'],
    CATALOG.map((tool) => [`[${code(tool.name)}](docs/tools.md#${anchorOf(tool)})`, inShort(tool.description)]),
  );
}

/** A heading that comes again gets a number behind its anchor. */
function anchorOf(tool: Tool): string {
  const before = CATALOG.slice(0, CATALOG.indexOf(tool)).filter(({ name }) => name === tool.name).length;
  return before === 0 ? tool.name : `${tool.name}-${before}`;
}

async function toolsetSection(name: ToolsetName): Promise<string[]> {
  const { title, description } = TOOLSETS[name];
  const listed = await listTools(`?toolsets=${name}`);
  const tools = CATALOG.filter((tool) => tool.toolset === name);
  const shared = sharedInputs(tools);
  return [
    `## Toolset ${code(name)}: ${title}`,
    '',
    `${description} A model sees ${modelTokens(listed)} tokens. Scope: ${[...new Set(tools.map(({ scope }) => scope))].map(code).join(', ')}.`,
    '',
    ...(shared.length === 0 ? [] : ['Parameters of many of these tools:', '', parametersTable(shared), '']),
    ...tools.flatMap((tool) => toolSection(tool, shared)),
  ];
}

/** A parameter that this many tools of a toolset have in the same form is described once. */
const SHARED_MIN = 6;

/** Parameters that tools of a toolset share. One that differs between tools is not shared. */
function sharedInputs(tools: readonly Tool[]): readonly Field[] {
  const inputs = Map.groupBy(
    tools.flatMap((tool) => fieldsOf(tool.inputSchema())),
    ({ name }) => name,
  );
  return [...inputs.values()].flatMap(([first, ...others]) => {
    const isShared = others.length + 1 >= SHARED_MIN && others.every((other) => sameForm(first, other));
    return first !== undefined && isShared ? [first] : [];
  });
}

function sameForm(first: Field | undefined, other: Field): boolean {
  return JSON.stringify(first) === JSON.stringify(other);
}

function toolSection(tool: Tool, shared: readonly Field[]): string[] {
  const { name, title, description, hints } = tool;
  const isShared = (field: Field) => shared.some((one) => one.name === field.name);
  const inputs = fieldsOf(tool.inputSchema());
  const own = inputs.filter((field) => !isShared(field));
  const others = inputs.filter(isShared).map((field) => code(field.name));
  return [
    `### ${name}`,
    '',
    `**${title}** (${hints.readOnly ? 'read-only' : hints.destructive ? 'destructive' : 'changes things'}). ${description}`,
    '',
    ...(own.length === 0 ? [] : [parametersTable(own), '']),
    ...(others.length === 0 ? [] : [`Also ${others.join(', ')}.`, '']),
  ];
}

function parametersTable(fields: readonly Field[]): string {
  return table(
    ['Parameter', 'Values', 'Meaning'],
    fields.map((field) => [code(field.name), valuesOf(field), descriptionOf(field)]),
  );
}

function descriptionOf({ field: { description } }: Field): string {
  return typeof description === 'string' ? description : '';
}

/** `integer, 20 to 200, default 80` */
function valuesOf({ field, required }: Field): string {
  const facts = [
    Array.isArray(field['enum']) ? '' : typeOf(field),
    required ? 'required' : '',
    allowed(field),
    field['default'] === undefined ? '' : `default ${code(JSON.stringify(field['default']))}`,
  ];
  return facts.filter((fact) => fact !== '').join(', ');
}

type Field = { name: string; field: JsonSchema; required: boolean };

function fieldsOf(schema: JsonSchema): Field[] {
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  return Object.entries(recordOf(schema['properties']) ?? {}).flatMap(([name, value]) => {
    const field = recordOf(value);
    return field === null ? [] : [{ name, field, required: required.includes(name) }];
  });
}

function typeOf(field: JsonSchema): string {
  const { type } = field;
  if (typeof type !== 'string') return 'any';
  if (type === 'array') return `array of ${typeOf(recordOf(field['items']) ?? {})}`;
  return typeof field['format'] === 'string' ? `${type} (${field['format']})` : type;
}

function allowed(field: JsonSchema): string {
  if (Array.isArray(field['enum'])) return field['enum'].map((value) => code(String(value))).join(' or ');
  const parts = [
    range(field['minimum'], field['maximum'], ''),
    range(field['minLength'], field['maxLength'], ' characters'),
    range(field['minItems'], field['maxItems'], ' items'),
    typeof field['pattern'] === 'string' ? `matches ${code(field['pattern'])}` : '',
    allowedItems(recordOf(field['items'])),
  ];
  return parts.filter((part) => part !== '').join('; ');
}

function allowedItems(items: JsonSchema | null): string {
  const each = items === null ? '' : allowed(items);
  return each === '' ? '' : `each ${each}`;
}

function range(min: unknown, max: unknown, unit: string): string {
  const [low, high] = [min, max].map((value) => (typeof value === 'number' ? String(value) : null));
  if (low !== null && low !== undefined) return `${high ? `${low} to ${high}` : `from ${low}`}${unit}`;
  return high ? `up to ${high}${unit}` : '';
}

/** The first part of a description that says enough to stand alone, on one line of a table. */
function inShort(description: string): string {
  const sentence = /^.*?[.](?=\s|$)/s.exec(description)?.[0] ?? description;
  return (/^.{23,}?(?=[,;:.])/s.exec(sentence.replaceAll(/ \([^)]*\)/g, ''))?.[0] ?? sentence).trim();
}

function recordOf(value: unknown): JsonSchema | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : null;
}
