import * as z from 'zod';
import type { Abilities } from '#core/abilities.ts';
import { isJsonObject } from '#core/text/json.ts';
import type { Costs } from '#core/budgets.ts';
import type { ReadPage } from '#core/activity.ts';
import type { Scope, Principal } from '#core/principal.ts';
import type { BrowserPort } from '#browsing/port.ts';
import type { CachedDeps } from '#reading/open/cached-snapshots.ts';
import type { CiteDeps } from '#reading/cite/cite.ts';
import type { ChangesDeps } from '#library/changes.ts';
import type { FollowDeps } from '#library/follow.ts';
import type { OpenPageDeps } from '#reading/opened.ts';
import type { PurgeDeps } from '#reading/purge-snapshots.ts';
import type { CursorUse, ReaderDeps, ShownCursor } from '#reading/reader.ts';
import type { RecentDeps } from '#reading/recently-opened.ts';
import type { SearchDeps } from '#search/search.ts';
import type { StoredPassagesDeps } from '#search/stored-passages.ts';

/** A link that the person should open before the call goes on, and the browser session that it leads to. */
export type LinkToOpen = { url: string; message: string; session: string };

export type ToolAnswer<Structured> = {
  text: string;
  structured: Structured;
  /** A picture beside the text. Its tool has no structured result, because hosts that prefer one drop the picture. */
  image?: { base64: string; mimeType: string };
  /** A link that the person should be asked to open before the call goes on, where the protocol can. */
  asksToOpen?: LinkToOpen;
  /** The address that was opened, for the log. */
  url?: string | undefined;
  /** Whether the store had the answer, for the counters. */
  cacheHit?: boolean | undefined;
  /** Pages that were shown, for the person's activity. */
  read?: readonly ReadPage[];
  /** Stored pages that the result links to as resources. */
  resources?: { snapshot: string; url: string }[];
};

type StructuredOf<Output> = Output extends z.ZodObject ? z.output<Output> : null;

/** Options that have no effect `when` the other options say so. `because` gives the reason. */
type IgnoredOptions<Input> = {
  options: readonly (keyof Input & string)[];
  when: (input: Input) => boolean;
  because: string;
};

/** An option, or one value of it, that only a deployment with the ability can honour. Others do not offer it. */
type NeedingOption<Input> = { ability: keyof Abilities; option: keyof Input & string; value?: string };

/** An option that needs one more permission when it is set, and the sentence of the description that is about it. */
type OptionScope<Option extends string> = { option: Option; scope: Scope; description: string };

type Definition<Input extends z.ZodObject, Output extends z.ZodObject | null> = {
  name: string;
  toolset: ToolsetName;
  /** Set when the tool needs another permission than its toolset. */
  scope?: Scope;
  optionScopes?: readonly OptionScope<keyof z.output<Input> & string>[];
  /** Budget units in addition to one call. */
  costs?: Costs;
  /** What a call costs beyond that, by what it asks for. It throws what refuses the call. */
  costsMore?: (input: z.output<Input>) => Costs;
  /**
   * Throws if the arguments do not go together, which the schema cannot say. It runs before `run`, and for the call that a
   * hint shows, so that the hint is not refused as well.
   */
  check?: (input: z.output<Input>) => void;
  /** The cursor that a call looks at: it is looked up as the call is paid for, and `run` gets what it shows. */
  uses?: (input: z.output<Input>) => CursorUse;
  title: string;
  /** One to three sentences: what the tool does, when to use it, and when not. */
  description: string;
  /** The description for a deployment without web search, if it differs. */
  descriptionWithoutWeb?: string;
  hints: ToolHints;
  input: Input;
  /**
   * Options that have no effect together with others. A caller who sets one is told, so nothing is ignored in silence.
   */
  unused?: readonly IgnoredOptions<z.output<Input>>[];
  needing?: readonly NeedingOption<z.output<Input>>[];
  /** Takes more text than `BODY_BYTES_WITHOUT_ROOM`; it then opens no pages, which would need memory of their own. */
  takesLongText?: boolean;
  /** `null` for a tool that answers with a picture. */
  output: Output;
  run: (input: z.output<Input>, context: ToolContext) => Promise<ToolAnswer<StructuredOf<Output>>>;
};

/** `idempotent`: for a tool that changes something, whether the same call again changes nothing more. */
type ToolHints = { readOnly: boolean; destructive: boolean; idempotent?: boolean; openWorld: boolean };

export type JsonSchema = Record<string, unknown>;

type Offer = { description: string; inputSchema: JsonSchema };

type ParsedCall =
  | {
      ok: true;
      costs: () => Costs;
      /** Throws what the tool refuses for the arguments alone. */
      check: () => void;
      uses: CursorUse | null;
      run: (context: ToolContext) => Promise<ToolAnswer<Record<string, unknown> | null>>;
    }
  | { ok: false; issues: readonly z.core.$ZodIssue[] };

/** A tool as the catalogue, the runner and the generated documents use it. */
export type Tool = {
  name: string;
  toolset: ToolsetName;
  scope: Scope;
  optionScopes: readonly OptionScope<string>[];
  costs: Costs;
  title: string;
  /** With all its options, where there is a web search. */
  description: string;
  hints: ToolHints;
  takesLongText: boolean;
  /** The strict schemas that clients see. They are computed on first use, because that takes a millisecond. */
  inputSchema: () => JsonSchema;
  /** What a caller is offered: not what this deployment cannot honour, nor options that need a permission it lacks. */
  offer: (abilities: Abilities, scopes: readonly Scope[]) => Offer;
  /** `null` for a tool without a structured result. */
  outputSchema: (() => JsonSchema) | null;
  /** Parses without coercion. `run` is bound to the parsed input. */
  parse: (input: unknown) => ParsedCall;
  /** Whether a structured result matches the output schema. */
  accepts: (structured: unknown) => boolean;
};

export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject | null>(
  definition: Definition<Input, Output>,
): Tool {
  const { name, toolset, title, hints, input, output, needing = [], optionScopes = [] } = definition;
  const inputSchema = once(() => toJsonSchema(input, 'input'));
  const describe = (words: string, options: readonly { description: string }[]) =>
    [words, ...options.map((option) => option.description)].join(' ');
  return {
    name,
    toolset,
    scope: definition.scope ?? TOOLSETS[toolset].scope,
    optionScopes,
    costs: { calls: 1, ...definition.costs },
    title,
    description: describe(definition.description, optionScopes),
    hints,
    takesLongText: definition.takesLongText ?? false,
    inputSchema,
    offer: (abilities, scopes) => {
      const { description, descriptionWithoutWeb = description } = definition;
      const [granted = [], missing = []] = [true, false].map((is) =>
        optionScopes.filter(({ scope }) => scopes.includes(scope) === is),
      );
      const left = [...needing.filter(({ ability }) => !abilities[ability]), ...missing];
      return {
        description: describe(abilities.webSearch ? description : descriptionWithoutWeb, granted),
        inputSchema: left.reduce<JsonSchema>(withoutOption, inputSchema()),
      };
    },
    outputSchema:
      output === null ? null : once(() => toJsonSchema(output, toolset === 'reader' ? 'output' : 'open output')),
    parse: (value) => {
      const given = withoutNulls(value, input.shape);
      const parsed = input.safeParse(given);
      if (!parsed.success) return { ok: false, issues: parsed.error.issues };
      const notes = unusedNotes(definition.unused ?? [], given, parsed.data);
      const costs = () => definition.costsMore?.(parsed.data) ?? {};
      return {
        ok: true,
        costs,
        check: () => {
          costs();
          definition.check?.(parsed.data);
        },
        uses: definition.uses?.(parsed.data) ?? null,
        run: async (context) => {
          definition.check?.(parsed.data);
          return withNotes(await definition.run(parsed.data, context), notes);
        },
      };
    },
    accepts: (structured) => (output === null ? structured === null : output.safeParse(structured).success),
  };
}

function once<T>(make: () => T): () => T {
  let value: T | undefined;
  return () => (value ??= make());
}

/**
 * `null` for an optional parameter counts as absent: clients that build calls from typed objects send one for every parameter
 * that is not set (CrewAI, Langflow, OpenAI's strict mode). A required parameter keeps its null, which is refused.
 */
function withoutNulls(value: unknown, shape: z.core.$ZodShape): unknown {
  if (!isJsonObject(value)) return value;
  const isAbsent = (name: string, one: unknown) =>
    one === null && Object.hasOwn(shape, name) && z.safeParse(shape[name] ?? z.never(), undefined).success;
  return Object.fromEntries(Object.entries(value).filter(([name, one]) => !isAbsent(name, one)));
}

function unusedNotes<Input>(unused: readonly IgnoredOptions<Input>[], given: unknown, input: Input): string[] {
  if (typeof given !== 'object' || given === null) return [];
  return unused.flatMap(({ options, when, because }) => {
    const idle = options.filter((option) => Object.hasOwn(given, option));
    return idle.length > 0 && when(input) ? [`${idle.join(' and ')} had no effect: ${because}.`] : [];
  });
}

/**
 * Notes go to the beginning of the text, because a long result is cut at its end. They also go into the structure if it
 * has a place for them.
 */
function withNotes<Structured extends Record<string, unknown> | null>(
  answer: ToolAnswer<Structured>,
  notes: readonly string[],
): ToolAnswer<Record<string, unknown> | null> {
  if (notes.length === 0) return answer;
  const before = (text: string) => `${notes.map((note) => `Note: ${note}`).join('\n')}\n\n${text}`;
  const { structured } = answer;
  const withStructuredNotes =
    structured !== null && Array.isArray(structured['notes']) ? { notes: [...notes, ...structured['notes']] } : {};
  const shown =
    structured !== null && typeof structured['render'] === 'string' ? { render: before(structured['render']) } : {};
  return {
    ...answer,
    text: before(answer.text),
    structured: structured === null ? null : { ...structured, ...withStructuredNotes, ...shown },
  };
}

const listedOptions = z.record(z.string(), z.record(z.string(), z.unknown()));

function withoutOption(schema: JsonSchema, { option, value }: { option: string; value?: string }): JsonSchema {
  const { [option]: left, ...others } = listedOptions.parse(schema['properties']);
  if (left === undefined || value === undefined) return { ...schema, properties: others };
  const values = z.array(z.unknown()).parse(left['enum']);
  const fewer = { ...left, enum: values.filter((one) => one !== value) };
  return { ...schema, properties: { ...listedOptions.parse(schema['properties']), [option]: fewer } };
}

/**
 * Schemas that clients see shortened: without their fields, or with some of them. The description says where the others are.
 */
export const shortened = z.registry<{ description: string; fields?: readonly string[] }>();

/**
 * Leaves out what costs a model tokens and tells it nothing: the safe-integer bounds that zod writes into every integer, and
 * the length limits of texts (a text over its limit is refused with the limit). An open output schema lets later versions
 * add fields, and says for the result itself, not for the objects in it, which fields are always there. The reader's
 * schemas are closed, because their design fixes every field.
 */
function toJsonSchema(schema: z.ZodObject, kind: 'input' | 'output' | 'open output'): JsonSchema {
  const { $schema: _, ...shape } = z.toJSONSchema(schema, {
    io: kind === 'input' ? 'input' : 'output',
    override: ({ zodSchema, jsonSchema, path }) => {
      if (kind === 'open output') shortenOutput(zodSchema, jsonSchema, path.length === 0);
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      delete jsonSchema.minLength;
      delete jsonSchema.maxLength;
    },
  });
  return shape;
}

function shortenOutput(zodSchema: z.core.$ZodType, jsonSchema: z.core.JSONSchema.BaseSchema, isResult: boolean): void {
  delete jsonSchema.additionalProperties;
  const brief = shortened.get(zodSchema);
  if (brief !== undefined) {
    const { description, fields = [] } = brief;
    const isShown = ([field]: [string, unknown]) => fields.includes(field);
    const properties = Object.fromEntries(Object.entries(jsonSchema.properties ?? {}).filter(isShown));
    jsonSchema.description = description;
    if (fields.length > 0) jsonSchema.properties = properties;
    else delete jsonSchema.properties;
    jsonSchema.required = (jsonSchema.required ?? []).filter((field) => fields.includes(field));
  }
  if (!isResult) delete jsonSchema.required;
}

/** Everything the features need. `compose.ts` makes it once per request. */
/** A model asks its person to take over, for the first time. `reason` is the model's. */
export type HandoffAsked = { reason: string; link: string };

export type Services = ReaderDeps &
  OpenPageDeps &
  SearchDeps &
  StoredPassagesDeps &
  CachedDeps &
  PurgeDeps &
  RecentDeps &
  CiteDeps &
  FollowDeps &
  ChangesDeps & {
    browser: BrowserPort;
    /** Tells whom the owner has told to be told. Nobody waits for it. */
    handoffAsked: (asked: HandoffAsked) => void;
  };

export type ToolContext = {
  principal: Principal;
  services: Services;
  /** Aborts at the call's deadline, or when the caller disconnects. */
  signal: AbortSignal;
  /** What the cursor shows that the tool uses; `null` when it is unknown or expired. */
  shown: ShownCursor | null;
  /** Whether the person can be asked over the protocol to open a link, and what they said; `null` before they were asked. */
  links: { canAsk: boolean; said: 'accept' | 'decline' | 'cancel' | null };
  /** Reports progress to callers that asked for it. */
  progress: (done: number, total: number) => void;
};

/** Groups of tools that a connection can ask for with `?toolsets=`. Each needs a permission. */
export const TOOLSETS = {
  reader: {
    title: 'Reader',
    description: 'Search, open, scroll and find with cursors and citations.',
    scope: 'web:read',
  },
  web: {
    title: 'Web',
    description: 'Search with filters, open pages whole or several at once, and manage the cache of snapshots.',
    scope: 'web:read',
  },
  browser: {
    title: 'Browser',
    description:
      'Drive a real browser in named sessions: navigate, snapshot with element refs, click, fill, screenshot.',
    scope: 'browser:use',
  },
  library: {
    title: 'Library',
    description: 'Follow pages and sites, search them as one library, and see what changed in them.',
    scope: 'library:follow',
  },
  chatgpt: {
    title: 'ChatGPT',
    description: 'search and fetch in the shapes that ChatGPT requires of a knowledge source.',
    scope: 'web:read',
  },
} as const satisfies Record<string, { title: string; description: string; scope: Scope }>;

export type ToolsetName = keyof typeof TOOLSETS;

/** The toolsets of the catalogue. A connection that asks for none gets these. */
export const TOOLSET_NAMES = ['reader', 'web', 'library', 'browser'] as const satisfies readonly ToolsetName[];
