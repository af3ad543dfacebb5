import { CATALOG } from '#tools/catalog.ts';
import type { JsonSchema, Tool, ToolsetName } from '#tools/define-tool.ts';
import { TOOLSETS } from '#tools/define-tool.ts';
import { listTools, TOOLSETS_IN_USE } from './list-tools.ts';
import { code, table } from './markdown.ts';
import { modelTokens } from './token-weights.ts';

/** `docs/tools.md`: what each tool does and takes, by toolset. */
export async function toolsPage(): Promise<string> {
  const byDefault = await listTools('');
  const sections = await Promise.all(TOOLSETS_IN_USE.map(toolsetSection));
  return [
    '# Tools',
    '',
    'For people who write prompts or clients. Written from the catalogue by `npm run docs`.',
    '',
    `A connection to \`/mcp\` gets ${byDefault.length} tools, of which a model sees ${modelTokens(byDefault)} tokens (o200k: names, descriptions, input schemas). \`/mcp?toolsets=reader,library\` takes only the toolsets it names, and \`?toolsets=chatgpt\` the two tools that ChatGPT expects of a knowledge source. \`?structured=on\` or \`off\` sends results with or without structured content; by default both, except to hosts that show a page twice. Tools whose scope a connection was not granted are not listed.`,
    '',
    'Three [skills](../skills) teach a model to cite, to drive a browser and to see what changed. In Claude Code, in a clone: `/plugin marketplace add ./`, then `/plugin install periscope@periscope`. `PERISCOPE_URL` names another server than the one on your laptop.',
    '',
    'Resources are the opened pages of a person: `resource://cache/{sha256}` (Markdown) and `resource://meta/{sha256}` (metadata). The prompts `docs_summarize_for_coding` and `docs_extract_api_surface` take a `url` or a `snapshot`.',
    '',
    'An unknown parameter, a wrong type or a value out of range is refused. Parameters are text, unless they say otherwise; booleans are `false` by default. The exact schemas are in `test/toolsnaps`.',
    '',
    ...sections.flat(),
  ].join('\n');
}

/** The table between the markers of the README: the toolsets of a default connection. */
export async function toolsOverview(): Promise<string> {
  const rows = TOOLSETS_IN_USE.filter((name) => name !== 'chatgpt').map(async (name) => {
    const listed = await listTools(`?toolsets=${name}`);
    const { title, description } = TOOLSETS[name];
    const link = `[${title}](docs/tools.md#${anchorOf(name)})`;
    const sentence = /^.*?[.](?=\s|$)/s.exec(description)?.[0] ?? description;
    return [link, sentence.slice(0, -1), String(listed.length), String(modelTokens(listed))];
  });
  return table(['Toolset', 'What it does', 'Tools', 'Tokens'], await Promise.all(rows));
}

/** The anchor that GitHub makes of a toolset's heading. */
function anchorOf(name: ToolsetName): string {
  return `toolset-${name}-${TOOLSETS[name].title
    .toLowerCase()
    .replaceAll(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-')}`;
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
    ...(shared.length === 0 ? [] : ['Parameters of several of these tools:', '', ...shared.map(lineOf), '']),
    ...tools.flatMap((tool) => toolSection(tool, shared)),
  ];
}

/** A parameter that this many tools of a toolset have in the same form is described only once. */
const SHARED_MIN = 2;

/** Parameters that tools of a toolset share, each in its most frequent form. */
function sharedInputs(tools: readonly Tool[]): readonly Field[] {
  const forms = Map.groupBy(
    tools.flatMap((tool) => fieldsOf(tool.inputSchema())),
    (field) => JSON.stringify(field),
  );
  const shared = [...forms.values()]
    .filter((same) => same.length >= SHARED_MIN)
    .toSorted((a, b) => b.length - a.length)
    .flatMap(([first]) => first ?? []);
  return shared.filter(({ name }, index) => shared.findIndex((other) => other.name === name) === index);
}

function toolSection(tool: Tool, shared: readonly Field[]): string[] {
  const { name, description, hints } = tool;
  const isShared = (field: Field) => shared.some((one) => JSON.stringify(one) === JSON.stringify(field));
  const own = fieldsOf(tool.inputSchema()).filter((field) => !isShared(field));
  return [
    `### ${name}`,
    '',
    `${hints.readOnly ? 'Read-only' : hints.destructive ? 'Destructive' : 'Changes things'}. ${withoutSynonyms(description)}`,
    '',
    ...own.map(lineOf),
    '',
  ];
}

/** Leaves out words in brackets, which help models to find a tool and which people do not need. */
function withoutSynonyms(description: string): string {
  return description.replaceAll(/ \((?![@.])[a-z][^()]*\)/g, '');
}

function lineOf(parameter: Field): string {
  const { name, field } = parameter;
  const values = valuesOf(parameter);
  const meaning = typeof field['description'] === 'string' ? withCode(field['description'], field) : '';
  return `- ${code(name)}${values === '' ? '' : ` (${values})`}${meaning === '' ? '' : `: ${meaning}`}`;
}

/** Marks values of a parameter that begin a sentence of its description. */
function withCode(meaning: string, { enum: values }: JsonSchema): string {
  const words = Array.isArray(values) ? values : ['true', 'false'];
  return meaning.replaceAll(/(?<=^|\. )\w+/g, (word) => (words.includes(word) ? code(word) : word));
}

/** For example `integer, 20 to 200, default 80`. */
function valuesOf({ field, required }: Field): string {
  const facts = [
    required ? 'required' : '',
    allowed(field) || typeOf(field),
    isPlain(field['default']) ? '' : `default ${code(JSON.stringify(field['default']))}`,
  ];
  return facts.filter((fact) => fact !== '').join(', ');
}

/** True for a default that readers expect. */
function isPlain(value: unknown): boolean {
  return value === undefined || value === false || (Array.isArray(value) && value.length === 0);
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
  return type === 'string' ? '' : type === 'array' ? 'list' : type;
}

function allowed(field: JsonSchema): string {
  if (Array.isArray(field['enum'])) return field['enum'].map((value) => code(String(value))).join(' or ');
  const parts = [
    range(field['minimum'], field['maximum'], ''),
    range(field['minItems'], field['maxItems'], ' items'),
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

function recordOf(value: unknown): JsonSchema | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : null;
}
