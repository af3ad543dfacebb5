import * as z from 'zod';
import type { Abilities } from '#core/abilities.ts';
import { isJsonObject } from '#core/text/json.ts';
import type { CallCosts } from '#core/budgets.ts';
import type { ReadPageFacts } from '#core/activity.ts';
import type { Scope, Principal } from '#core/principal.ts';
import type { BrowserPort } from '#browsing/port.ts';
import type { SnapshotDeps } from '#reading/open/cached-snapshots.ts';
import type { CiteDeps } from '#reading/cite/cite.ts';
import type { ChangesDeps } from '#library/changes.ts';
import type { FollowDeps } from '#library/follow.ts';
import type { ViewDeps } from '#reading/view/view-file.ts';
import type { PurgeDeps } from '#reading/purge-snapshots.ts';
import type { CursorRequest, ReaderDeps, ShownCursor } from '#reading/reader.ts';
import type { RecentDeps } from '#reading/recently-opened.ts';
import type { SearchDeps } from '#search/search.ts';
import type { StoredPassagesDeps } from '#search/stored-passages.ts';

/** A link that the user should open before the call continues, and the browser session that the page is about. */
export type LinkToOpen = { url: string; message: string; session: string };

export type ToolAnswer<Structured> = {
  text: string;
  structured: Structured;
  /**
   * A picture in addition to the text. A tool with a picture has no structured result, because some hosts would then
   * drop the picture.
   */
  image?: { base64: string; mimeType: string };
  /** A link that the user is asked to open before the call continues, if the client supports such requests. */
  asksToOpen?: LinkToOpen;
  url?: string | undefined;
  cacheHit?: boolean | undefined;
  read?: readonly ReadPageFacts[];
  resources?: { snapshot: string; url: string }[];
};

type StructuredOf<Output> = Output extends z.ZodObject ? z.output<Output> : null;

/** Options that have no effect while `when` is true. `because` completes the note that the caller gets. */
type IgnoredOptions<Input> = {
  options: readonly (keyof Input & string)[];
  when: (input: Input) => boolean;
  because: string;
};

/**
 * An option, or one of its values, that needs an ability such as a browser. Without the ability it is not listed.
 * `description`: of the option without the value.
 */
type NeedingOption<Input> = {
  ability: keyof Abilities;
  option: keyof Input & string;
  value?: string;
  description?: string;
};

/** An option that needs a further permission when set. `description`: a sentence for the tool's description. */
type OptionScope<Option extends string> = { option: Option; scope: Scope; description: string };

type Definition<Input extends z.ZodObject, Output extends z.ZodObject | null> = {
  name: string;
  toolset: ToolsetName;
  /** The ability without which the tool is not offered, in addition to those of its toolset and permission. */
  ability?: keyof Abilities;
  scope?: Scope;
  optionScopes?: readonly OptionScope<keyof z.output<Input> & string>[];
  costs?: CallCosts;
  /** Budget units in addition to `costs`, by the arguments. May throw the error that refuses the call. */
  costsMore?: (input: z.output<Input>) => CallCosts;
  /**
   * Throws if the arguments contradict each other, which a schema cannot express. Also checks the call that a hint
   * suggests, so that the suggested call cannot fail in the same way.
   */
  check?: (input: z.output<Input>) => void;
  /** The cursor among the arguments. It is looked up while the call is charged, and `run` receives its content. */
  uses?: (input: z.output<Input>) => CursorRequest;
  title: string;
  /**
   * Words for a call in the console, such as "Opened" and (after "Could not") "open". Defaults to the words for its
   * kind.
   */
  historyWords?: HistoryWords;
  /** One to three sentences: what the tool does, when to use it, and when not to. */
  description: string;
  /** The description for a deployment without web search, if different. */
  descriptionWithoutWeb?: string;
  hints: ToolHints;
  input: Input;
  /**
   * Options without effect in certain combinations. A caller who sets one gets a note, so no option is ignored
   * silently.
   */
  unused?: readonly IgnoredOptions<z.output<Input>>[];
  needing?: readonly NeedingOption<z.output<Input>>[];
  /**
   * True to accept more text than `UNRESERVED_BODY_BYTES_MAX`, for which the request reserved memory. Such a tool must
   * open no pages, because each page needs its own memory.
   */
  takesLongText?: boolean;
  /** Schema of the result; `null` for a tool that returns a picture. */
  output: Output;
  run: (input: z.output<Input>, context: ToolContext) => Promise<ToolAnswer<StructuredOf<Output>>>;
};

type HistoryWords = readonly [done: string, failed: string];

/** `idempotent`: true if repeating a call that changes something has no further effect. */
type ToolHints = { readOnly: boolean; destructive: boolean; idempotent?: boolean; openWorld: boolean };

export type JsonSchema = Record<string, unknown>;

type Offer = { description: string; inputSchema: JsonSchema };

type ParsedCall =
  | {
      ok: true;
      costs: () => CallCosts;
      check: () => void;
      uses: CursorRequest | null;
      run: (context: ToolContext) => Promise<ToolAnswer<Record<string, unknown> | null>>;
    }
  | { ok: false; issues: readonly z.core.$ZodIssue[] };

export type Tool = {
  name: string;
  toolset: ToolsetName;
  ability: keyof Abilities | null;
  scope: Scope;
  optionScopes: readonly OptionScope<string>[];
  costs: CallCosts;
  title: string;
  historyWords: HistoryWords | null;
  /** Description with all options, for a deployment with web search. */
  description: string;
  hints: ToolHints;
  takesLongText: boolean;
  /** The strict schemas that clients see. Computed at first use, because computing one takes a millisecond. */
  inputSchema: () => JsonSchema;
  /**
   * The tool as a caller sees it: without options that the deployment does not support or the caller has no permission
   * for.
   */
  offer: (abilities: Abilities, scopes: readonly Scope[]) => Offer;
  /** Schema of the structured result; `null` for a tool without one. */
  outputSchema: (() => JsonSchema) | null;
  /** Parses the input without coercion. The result's `run` uses the parsed input. */
  parse: (input: unknown) => ParsedCall;
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
    ability: definition.ability ?? null,
    scope: definition.scope ?? TOOLSETS[toolset].scope,
    optionScopes,
    costs: { calls: 1, ...definition.costs },
    title,
    historyWords: definition.historyWords ?? null,
    description: describe(definition.description, optionScopes),
    hints,
    takesLongText: definition.takesLongText ?? false,
    inputSchema,
    offer: (abilities, scopes) => {
      const { description, descriptionWithoutWeb = description } = definition;
      const [granted = [], missing = []] = [true, false].map((is) =>
        optionScopes.filter(({ scope }) => scopes.includes(scope) === is),
      );
      const unable = needing.filter(({ ability }) => !abilities[ability]);
      return {
        description: describe(abilities.webSearch ? description : descriptionWithoutWeb, granted),
        inputSchema: [...unable, ...missing.map(({ option }) => ({ option }))].reduce(withoutOption, inputSchema()),
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
 * Drops `null` for optional parameters, so that it counts as absent. Some clients send null for every unset parameter
 * (CrewAI, Langflow, OpenAI's strict mode). Null for a required parameter stays, and is refused.
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
 * Adds notes before the text, because a long result is cut at its end. They are also added to the field `notes` of a
 * structured result that has one.
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

type LeftOutOption = { option: string; value?: string; description?: string };

function withoutOption(schema: JsonSchema, { option, value, description }: LeftOutOption): JsonSchema {
  const { [option]: left, ...others } = listedOptions.parse(schema['properties']);
  if (left === undefined || value === undefined) return { ...schema, properties: others };
  const values = z.array(z.unknown()).parse(left['enum']);
  const fewer = {
    ...left,
    enum: values.filter((one) => one !== value),
    ...(description === undefined ? {} : { description }),
  };
  return { ...schema, properties: { ...listedOptions.parse(schema['properties']), [option]: fewer } };
}

/**
 * Output schemas that clients see with some fields or none, to save tokens. `description` refers to the full schema.
 */
export const shortenedSchemas = z.registry<{ description: string; fields?: readonly string[] }>();

/**
 * Removes details that cost a model tokens but give it no information: the safe-integer bounds that zod writes into
 * every integer, and length limits, because an error names these when a text is too long. An "open output" schema also
 * lets later versions add fields, and lists required fields only for the result itself.
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
  const brief = shortenedSchemas.get(zodSchema);
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

/**
 * Notice that a session has begun to wait for its user. `reason`: the model's text or, for an approval question, this
 * server's text. `isQuestion`: true for an approval question, which the user answers without taking over the browser.
 */
export type HandoffRequested = { reason: string; link: string; isQuestion?: true };

export type ToolServices = ReaderDeps &
  ViewDeps &
  SearchDeps &
  StoredPassagesDeps &
  SnapshotDeps &
  PurgeDeps &
  RecentDeps &
  CiteDeps &
  FollowDeps &
  ChangesDeps & {
    browser: BrowserPort;
    /** Notifies the recipients that the owner has configured, such as a webhook. The call does not wait for it. */
    handoffAsked: (asked: HandoffRequested) => void;
  };

export type ToolContext = {
  principal: Principal;
  services: ToolServices;
  /** Aborts at the call's deadline, or when the caller disconnects. */
  signal: AbortSignal;
  /** The content of the cursor named by `uses`; `null` if the cursor is unknown or expired. */
  shown: ShownCursor | null;
  /** `canAsk`: the client can ask the user to open a link. `said`: the user's response; `null` before the question. */
  links: { canAsk: boolean; said: 'accept' | 'decline' | 'cancel' | null };
  progress: (done: number, total: number) => void;
};

/** Groups of tools for `?toolsets=`. Each group needs a permission. */
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
