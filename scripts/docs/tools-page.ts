import { CATALOG } from '#tools/catalog.ts';
import type { JsonSchema, Tool } from '#tools/define-tool.ts';
import { TOOLSETS, TOOLSET_NAMES } from '#tools/toolsets.ts';
import type { ToolsetName } from '#tools/toolsets.ts';
import { code, table } from './markdown.ts';
import { modelTokens } from './token-weights.ts';

/** `docs/tools.md`: everything a client is told about each tool, by toolset. */
export function toolsPage(): string {
  return [
    '# Tools',
    '',
    'Made from the catalogue by `npm run docs`; edit the tools, not this page.',
    '',
    `A connection gets every toolset whose scope it was granted: ${weigh(CATALOG)}. \`/mcp?toolsets=${TOOLSET_NAMES[0]}\` takes only the named ones (a comma-separated list).`,
    '',
    'Inputs are strict: an unknown parameter, a wrong type or a value out of range is refused, never corrected silently. Every result has one text block, which holds all of it, and the structured fields listed here.',
    '',
    ...TOOLSET_NAMES.flatMap(toolsetSection),
  ].join('\n');
}

/** The table between the markers of the README. */
export function toolsOverview(): string {
  return table(
    ['Tool', 'Toolset', 'What it does'],
    CATALOG.map(({ name, toolset, description }) => [
      `[${code(name)}](docs/tools.md#${name})`,
      toolset,
      firstSentence(description),
    ]),
  );
}

function toolsetSection(name: ToolsetName): string[] {
  const { title, description, scope } = TOOLSETS[name];
  const tools = CATALOG.filter((tool) => tool.toolset === name);
  return [
    `## Toolset ${code(name)}: ${title}`,
    '',
    `${description} Scope ${code(scope)}; ${weigh(tools)}.`,
    '',
    ...tools.flatMap(toolSection),
  ];
}

function toolSection(tool: Tool): string[] {
  const { name, title, description, scope, hints } = tool;
  return [
    `### ${name}`,
    '',
    `**${title}.** ${description}`,
    '',
    `Scope ${code(scope)}; hints: ${hints.readOnly ? 'reads only' : 'changes things'}, ${hints.destructive ? 'destructive' : 'not destructive'}, ${hints.openWorld ? 'reaches the open web' : 'stays on this server'}. ${weigh([tool])}.`,
    '',
    table(['Parameter', 'Type', 'Required', 'Default', 'Allowed'], inputRows(tool.inputSchema())),
    '',
    table(['Field of the result', 'Type', 'Always there'], outputRows(tool.outputSchema(), '')),
    '',
  ];
}

function weigh(tools: readonly Tool[]): string {
  const seen = tools.map((tool) => ({ ...tool, inputSchema: tool.inputSchema() }));
  const subject = tools.length === 1 ? 'A model sees' : `${tools.length} tools, of which a model sees`;
  return `${subject} ${modelTokens(seen)} tokens (o200k)`;
}

function inputRows(schema: JsonSchema): string[][] {
  return fieldsOf(schema).map(({ name, field, required }) => [
    code(name),
    typeOf(field),
    required ? 'yes' : 'no',
    field['default'] === undefined ? '' : code(JSON.stringify(field['default'])),
    allowed(field),
  ]);
}

/** One row a leaf: `viewport.start`, `matches[].loc`. */
function outputRows(schema: JsonSchema, prefix: string): string[][] {
  return fieldsOf(schema).flatMap(({ name, field, required }) => {
    const path = prefix + name;
    const items = recordOf(field['items']);
    const row = [code(path), typeOf(field), required ? 'yes' : 'no'];
    if (field['type'] === 'object') return [row, ...outputRows(field, `${path}.`)];
    return items?.['type'] === 'object' ? [row, ...outputRows(items, `${path}[].`)] : [row];
  });
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
  if (Array.isArray(field['enum'])) return field['enum'].map((value) => code(String(value))).join(', ');
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

function firstSentence(text: string): string {
  return /^.*?[.](?=\s|$)/s.exec(text)?.[0] ?? text;
}

function recordOf(value: unknown): JsonSchema | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : null;
}
