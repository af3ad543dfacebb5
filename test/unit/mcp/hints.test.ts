import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PeriscopeError } from '#core/failures/failure.ts';
import type { Failure } from '#core/failures/failure.ts';
import { describeFailure } from '#core/failures/describe-failure.ts';
import { HINT_ARGUMENT_CHARS_MAX } from '#mcp/limits.ts';
import { createInvalidArgumentFailure } from '#mcp/run/invalid-argument.ts';
import { CATALOG, CHATGPT_CATALOG } from '#tools/catalog.ts';
import type { Tool } from '#tools/define-tool.ts';

type Property = {
  type: 'string' | 'integer' | 'number' | 'boolean' | 'array';
  enum?: string[];
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  maxItems?: number;
  minItems?: number;
  items?: Property;
};
type Call = Record<string, unknown>;

const TOOLS = [...CATALOG, ...CHATGPT_CATALOG.map((tool) => ({ ...tool, name: `chatgpt ${tool.name}` }))];

const propertiesOf = (tool: Tool) =>
  Object.entries((tool.inputSchema()['properties'] ?? {}) as Record<string, Property>);
const requiredOf = (tool: Tool) => (tool.inputSchema()['required'] ?? []) as string[];

/** Texts that have a form of their own. */
const FORMS: Readonly<Record<string, string>> = {
  base_url: 'https://a.dev/',
  country: 'US',
  domain: 'a.dev',
  'domain_allowlist entry': 'a.dev',
  'domain_denylist entry': 'b.dev',
  freshness: 'pd',
  geolocation: '52.5, 13.4',
  locale: 'de-DE',
  search_lang: 'en',
  since: '2026-11-24T08:00:00Z',
  'steps entry': 'click "{}"',
  timezone: 'Europe/Berlin',
  ui_lang: 'en-US',
};

/** Parameters that do not go with the others of a tool. */
const APART: Readonly<Record<string, readonly string[]>> = {
  browser_files: ['name', 'text'],
  browser_navigate: ['history'],
  browser_point: ['x', 'y', 'to_x', 'to_y'],
  browser_wait: ['gone_text', 'selector', 'gone_selector'],
};

/** A value that fits, and that says where it came from. */
function fitting(name: string, property: Property): unknown {
  switch (property.type) {
    case 'string':
      return property.enum?.at(-1) ?? FORMS[name] ?? `the ${name}`;
    case 'integer':
    case 'number':
      return Math.min(property.maximum ?? Infinity, Math.max(property.minimum ?? 0, 1) + 1);
    case 'boolean':
      return true;
    case 'array':
      return [fitting(`${name} entry`, property.items ?? { type: 'string' })];
  }
}

const together = (tool: Tool) => propertiesOf(tool).filter(([name]) => APART[tool.name]?.includes(name) !== true);

const fullCall = (tool: Tool): Call =>
  Object.fromEntries(together(tool).map(([name, property]) => [name, fitting(name, property)]));

function without(call: Call, name: string): Call {
  const { [name]: _, ...rest } = call;
  return rest;
}

/** The refusal of a call for its arguments alone; `null` when it would begin to work. */
function objection(tool: Tool, call: unknown): Failure | null {
  const parsed = tool.parse(call);
  if (!parsed.ok) return createInvalidArgumentFailure(tool, call, parsed.issues);
  try {
    parsed.check();
    return null;
  } catch (error) {
    if (error instanceof PeriscopeError) return error.failure;
    throw error;
  }
}

/** The refused field, the reason, and the call that the hint shows, which the tool has to take. `null` for a hint without one. */
function refuse(tool: Tool, given: unknown) {
  const parsed = tool.parse(given);
  if (parsed.ok) throw new Error(`${tool.name} took ${JSON.stringify(given)}`);
  const { message, hint } = describeFailure(createInvalidArgumentFailure(tool, given, parsed.issues));
  const [, json] = /^Call [\w ]+ with (\{.*\})(?:\.| to see )/su.exec(hint) ?? [];
  const call = json === undefined ? null : (JSON.parse(json) as Call);
  if (call !== null) expect([hint, objection(tool, call)]).toEqual([hint, null]);
  return { message, hint, call };
}

/** Tools whose own hint says how arguments go together, and may show another call. */
const OWN_HINTS = new Set(['browser_do', 'browser_fill']);

/** That the hint keeps what was right, if it shows the call at all. */
function expectKept(tool: Tool, shown: Call | null, kept: Call, name: string): void {
  if (shown === null || OWN_HINTS.has(tool.name)) return;
  expect(without(shown, name)).toEqual(without(kept, name));
}

function refusal(tool: Tool, given: unknown) {
  const { message, hint, call } = refuse(tool, given);
  if (call === null) throw new Error(`no call in: ${hint}`);
  return { message, hint, call };
}

const camel = (name: string) => name.replace(/_(\w)/gu, (_, letter: string) => letter.toUpperCase());
const swapped = (name: string) => name.slice(0, 1) + (name[2] ?? '') + (name[1] ?? '') + name.slice(3);

describe.each(TOOLS.map((tool) => [tool.name, tool] as const))('the argument check of %s', (_, tool) => {
  const properties = together(tool);
  const call = fullCall(tool);

  it('accepts the call that these tests begin with', () => {
    expect([call, objection(tool, call)]).toEqual([call, null]);
  });

  it('reports missing parameters and keeps the others', () => {
    for (const name of requiredOf(tool)) {
      const missing = refuse(tool, without(call, name));
      expect(missing.message).toContain(`${name}: is required`);
      expectKept(tool, missing.call, call, name);
    }
  });

  it('reports unknown parameters and keeps the others', () => {
    const refused = refusal(tool, { ...call, qzxjkv: 'more' });
    expect(refused.message).toContain('qzxjkv: is not a parameter');
    expect(refused.call).toEqual(call);
    for (const [name] of properties) expect(refused.message).toContain(name);
  });

  it.each([
    ['in another case', (name: string) => name.toUpperCase()],
    [
      'in camel case',
      (name: string) => camel(name).replace(/^./u, (letter) => (name.includes('_') ? letter : letter.toUpperCase())),
    ],
    ['with hyphens', (name: string) => `-${name.replaceAll('_', '-')}`],
    ['with a slip', (name: string) => (name.length > 4 ? swapped(name) : `${name}_`)],
    ['with one letter more', (name: string) => (name.length > 3 ? `${name}x` : `${name}-`)],
  ])('accepts a name %s for the parameter, with its value', (_way, change) => {
    for (const [name] of properties) {
      const other = change(name);
      if (properties.some(([known]) => known === other)) continue;
      const refused = refusal(tool, { ...without(call, name), [other]: call[name] });
      expect(refused.message).toContain(other);
      expect(refused.message).toContain(`is not a parameter, but ${name} is`);
      expect(refused.call).toEqual(call);
    }
  });

  it('reports a value of another type, converts unambiguous values, and keeps the others', () => {
    for (const [name, property] of properties) {
      const value = call[name];
      const clear: unknown[] =
        property.type === 'array'
          ? [JSON.stringify(value), (value as unknown[])[0]]
          : property.type === 'string'
            ? [[value]]
            : [String(value), [value]];
      for (const given of clear) {
        const refused = refusal(tool, { ...call, [name]: given });
        expect(refused.message).toContain(`${name}: must be `);
        expect(refused.call).toEqual(call);
      }
      for (const given of [null, {}, { a: 1 }, { toString: false }, [], [[]], [1, 2]]) {
        if (tool.parse({ ...call, [name]: given }).ok) continue;
        const wrong = refuse(tool, { ...call, [name]: given });
        expect(wrong.message).toContain(name);
        expectKept(tool, wrong.call, call, name);
      }
    }
  });

  it('reports a value out of range with the range, and corrects it', () => {
    for (const [name, property] of properties) {
      const wrong: [unknown, string, unknown][] = [];
      if (property.minimum !== undefined)
        wrong.push([
          property.minimum - 1,
          `at least ${property.minimum}, not ${property.minimum - 1}`,
          property.minimum,
        ]);
      if (property.maximum !== undefined)
        wrong.push([
          property.maximum + 1,
          `at most ${property.maximum}, not ${property.maximum + 1}`,
          property.maximum,
        ]);
      for (const [value, words, moved] of wrong) {
        const refused = refusal(tool, { ...call, [name]: value });
        expect(refused.message).toContain(`${name}: must be ${words}`);
        expect(refused.call).toEqual({ ...call, [name]: moved });
      }
      if (property.enum !== undefined) {
        const [first = ''] = property.enum;
        const refused = refusal(tool, { ...call, [name]: ` ${first.toUpperCase()} ` });
        expect(refused.message).toContain(`${name}: must be one of: ${property.enum.join(', ')}`);
        expect(refused.call).toEqual({ ...call, [name]: first });
        const unknown = refusal(tool, { ...call, [name]: 'nothing of the kind' });
        expect(unknown.message).toContain('not "nothing of the kind"');
        expect(without(unknown.call, name)).toEqual(without(call, name));
      }
      if (property.maxLength !== undefined) {
        const refused = refusal(tool, { ...call, [name]: 'x'.repeat(property.maxLength + 1) });
        expect(refused.message).toContain(`${name}: must have at most ${property.maxLength} characters, not a text of`);
        expect(without(refused.call, name)).toEqual(without(call, name));
      }
      if (property.maxItems !== undefined) {
        const many = Array.from({ length: property.maxItems + 1 }, () => (call[name] as unknown[])[0]);
        const long = refuse(tool, { ...call, [name]: many });
        expect(long.message).toContain(`${name}: must have at most ${property.maxItems} entries, not a list of`);
        if (!OWN_HINTS.has(tool.name)) expect(long.call).toEqual({ ...call, [name]: many.slice(0, property.maxItems) });
      }
      if (property.minItems !== undefined) {
        const { message } = refuse(tool, { ...call, [name]: [] });
        expect(message).toContain(`${name}: must have at least 1 entry, not a list of 0`);
      }
    }
  });

  it('suggests a valid call, whatever was sent', () => {
    const names = fc.oneof(
      fc.constantFrom(...properties.map(([name]) => name)),
      fc.string(),
      fc.constantFrom('q', 'id', 'line', '__proto__', 'toString'),
    );
    const given = fc.oneof(fc.dictionary(names, fc.jsonValue()), fc.jsonValue());
    fc.assert(
      fc.property(given, (sent) => {
        // `refuse` tries the call that the hint shows.
        expect(tool.parse(sent).ok || refuse(tool, sent).message !== '').toBe(true);
      }),
    );
  });
});

const values = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    'x',
    '@e1',
    'https://a.dev/',
    'a.dev',
    '2026-01-01',
    'pd',
    'US',
    'de-DE',
    '1,2',
    'click @e1',
  ),
  fc.constantFrom(0, 1, 50, true, false, [], ['x'], ['x', 'y']),
);

it.each(['*', '[::1]', 'https://*', 'a*b', '*.docs.acme.dev', 'https://docs.acme.dev/x', ''])(
  'a hint for the domain %j shows a domain that is accepted',
  (domain) => {
    const tool = CATALOG.find(({ name }) => name === 'cache_purge');
    if (tool === undefined) throw new Error('no cache_purge');
    expect(refuse(tool, { domain, dry_run: 'yes' }).call).not.toBeNull();
  },
);

describe('a tool that refuses conflicting arguments', () => {
  class Begun extends Error {}
  const services = new Proxy({}, { get: () => fail(new Begun()) });
  const fail = (error: Error) => {
    throw error;
  };
  const context = { services, principal: { subject: 'x', scopes: [] }, shown: null, progress: () => undefined };

  it.each(CATALOG.map((tool) => [tool.name, tool] as const))(
    'refuses them before %s runs, also in hints',
    async (_, tool) => {
      const calls = fc.record(
        Object.fromEntries(
          propertiesOf(tool).map(([name, { enum: choices }]) => [name, choices ? fc.constantFrom(...choices) : values]),
        ),
        { requiredKeys: requiredOf(tool) },
      );
      const objectsBefore = fc.asyncProperty(calls, async (call) => {
        const parsed = tool.parse(call);
        if (!parsed.ok) return true;
        // Runs only checks that touch no service.
        const ran: unknown = await parsed
          .run({ ...context, signal: new AbortController().signal, links: { canAsk: false, said: null } } as never)
          .catch((error: unknown) => error);
        const isRefused = ran instanceof PeriscopeError && ran.failure.code === 'invalid_argument';
        return !isRefused || objection(tool, call)?.code === 'invalid_argument';
      });
      await expect(fc.assert(objectsBefore, { numRuns: 200 })).resolves.toBeUndefined();
    },
  );

  it.each([
    [
      'cache_purge',
      { olderThan: 'x' },
      'Call cache_purge with {"older_than_seconds":604800} to see what is older than a week.',
    ],
    [
      'cache_purge',
      { dry_run: 'no' },
      'Call cache_purge with {"older_than_seconds":604800} to see what is older than a week.',
    ],
    [
      'browser_wait',
      { seconds: 3 },
      'Pass exactly one of text, gone_text, selector and gone_selector, such as {"text": "Saved"}.',
    ],
    ['browser_type', { value: 7, submit: 'no' }, 'Pass text, key, or both.'],
    [
      'web_search',
      { query: 'x', count: 500, freshness: 'yesterday' },
      'Pass "pd", "pw", "pm" or "py" (past day, week, month, year), or dates such as "2026-01-01to2026-03-31".',
    ],
  ])('explains the conflict: %s %j', (name, given, hint) => {
    const tool = CATALOG.find((candidate) => candidate.name === name);
    if (tool === undefined) throw new Error(`no tool ${name}`);
    expect(refuse(tool, given).hint).toBe(hint);
  });
});

describe('every call in a hint of the source', () => {
  const sources: Record<string, string> = import.meta.glob('../../../src/**/*.{ts,tsx}', {
    eager: true,
    query: '?raw',
    import: 'default',
  });
  const shown = Object.values(sources).flatMap((source) =>
    Array.from(
      source.matchAll(/\b(?:Call|call|with) (\w+) with (\{[^{}$]*\})/gu),
      ([, name = '', json = '']) => [name, json] as const,
    ),
  );

  it('is valid for its tool', () => {
    expect(shown.length).toBeGreaterThan(2);
    for (const [name, json] of shown) {
      const tool = CATALOG.find((candidate) => candidate.name === name);
      expect([name, json, tool === undefined ? 'no such tool' : objection(tool, JSON.parse(json))]).toEqual([
        name,
        json,
        null,
      ]);
    }
  });
});

describe('names and values of other tools and servers', () => {
  it.each<[string, Call, Call]>([
    ['open_result', { cursor_id: 'c_1', resultId: '3' }, { cursor: 'c_1', result_id: 3 }],
    ['open_result', { cursor: 'c_1', result: 4, loc: 'L20' }, { cursor: 'c_1', result_id: 4, loc: 20 }],
    ['search', { search_query: 'x', top_n: '3' }, { query: 'x', topn: 3 }],
    ['open_url', { page_url: 'https://a.dev/', lines: 50 }, { url: 'https://a.dev/', num_lines: 50 }],
    ['web_open', { Url: 'https://a.dev/', maxAge: 60 }, { url: 'https://a.dev/', max_age_seconds: 60 }],
    ['web_batch_open', { url: 'https://a.dev/' }, { urls: ['https://a.dev/'] }],
    ['web_batch_open', { urls: '["https://a.dev/","https://b.dev/"]' }, { urls: ['https://a.dev/', 'https://b.dev/'] }],
    ['cache_purge', { older_than: 60, dryRun: 'False' }, { older_than_seconds: 60, dry_run: false }],
    ['browser_evaluate', { scirpt: '1 + 1', timeout: 500 }, { script: '1 + 1', timeout_ms: 500 }],
    ['browser_close', { session_id: 'work' }, { session: 'work' }],
    ['open_url', { arguments: { url: 'https://a.dev/' } }, { url: 'https://a.dev/' }],
  ])('are translated: %s %j', (name, given, meant) => {
    const tool = CATALOG.find((candidate) => candidate.name === name);
    if (tool === undefined) throw new Error(`no tool ${name}`);
    expect(refusal(tool, given).call).toEqual(meant);
  });

  it('are not assigned to a parameter that has its own value, or to two parameters', () => {
    const tool = CATALOG.find(({ name }) => name === 'open_url');
    if (tool === undefined) throw new Error('no tool open_url');
    const refused = refusal(tool, { url: 'https://a.dev/', URL: 'https://b.dev/', Loc: 3, LOC: 4 });
    expect(refused.call).toEqual({ url: 'https://a.dev/', loc: 3 });
    expect(refused.message).toContain('URL: is not a parameter; Loc is not a parameter, but loc is');
  });
});

describe('a call repeated in a hint', () => {
  const open = CATALOG.find(({ name }) => name === 'open_url');
  if (open === undefined) throw new Error('no tool open_url');

  it('has the exact arguments, with invisible characters escaped', () => {
    const url = 'https://a.dev/\u202e?q=\u200b%20é\n"x"';
    const refused = refusal(open, { url, lines: 50 });
    expect(refused.call).toEqual({ url, num_lines: 50 });
    expect(refused.hint).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });

  it('names an argument that is too long to repeat', () => {
    const refused = refusal(open, { url: `https://a.dev/${'x'.repeat(HINT_ARGUMENT_CHARS_MAX)}`, lines: 50 });
    expect(refused.call).toEqual({ url: '<the url you sent>', num_lines: 50 });
  });

  it('is short for a value in any number of lists', () => {
    const nested: unknown = JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`);
    for (const [name, value] of [
      ['search', { query: nested }],
      ['browser_fill', { selectors: ['a'], values: nested }],
      ['browser_do', { steps: nested }],
    ] as const) {
      const tool = CATALOG.find((one) => one.name === name);
      if (tool === undefined) throw new Error(`no tool ${name}`);
      const { message, hint } = refuse(tool, value);
      expect(message.length + hint.length).toBeLessThan(1_000);
    }
  });

  it('is short however many names and entries were sent, and reports how many are omitted', () => {
    const unknown = Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`k${n}`, n]));
    const names = refusal(open, { url: 'https://a.dev/', ...unknown });
    expect(names.message).toContain('and 49980 more');
    expect(names.call).toMatchObject({ url: 'https://a.dev/' });

    const batch = CATALOG.find(({ name }) => name === 'web_batch_open');
    if (batch === undefined) throw new Error('no tool web_batch_open');
    const entries = refusal(batch, { urls: Array.from({ length: 100_000 }, () => 7) });
    expect(entries.message.length + entries.hint.length + names.message.length + names.hint.length).toBeLessThan(
      10_000,
    );
  });
});
