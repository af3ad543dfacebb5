import { describe, expect, it } from 'vitest';
import { CATALOG, CHATGPT_CATALOG } from '#tools/catalog.ts';

const placeholders: Record<string, unknown> = { string: 'x', integer: 1, number: 1, boolean: true, array: ['x'] };

describe.each([...CATALOG, ...CHATGPT_CATALOG].map((tool) => [tool.toolset, tool.name, tool] as const))(
  'the schema of %s %s',
  (_toolset, _name, tool) => {
    const { properties = {}, required = [] } = tool.inputSchema() as {
      properties?: Record<string, { type: string; enum?: string[]; minimum?: number }>;
      required?: string[];
    };
    const least = Object.fromEntries(
      required.map((name) => {
        const { type = '', enum: choices, minimum } = properties[name] ?? {};
        return [name, choices?.[0] ?? minimum ?? placeholders[type]];
      }),
    );
    const names = Object.keys(properties);
    const optional = names.filter((name) => !required.includes(name));

    it('accepts null for each optional parameter, and for all at once', () => {
      expect(tool.parse(least)).toMatchObject({ ok: true });
      for (const name of optional)
        expect([name, tool.parse({ ...least, [name]: null })]).toMatchObject([name, { ok: true }]);
      const all = Object.fromEntries(optional.map((name) => [name, null]));
      expect(tool.parse({ ...least, ...all })).toMatchObject({ ok: true });
    });

    it('refuses null for a required parameter, for an unknown name, and inside a list', () => {
      for (const name of required) expect(tool.parse({ ...least, [name]: null })).toMatchObject({ ok: false });
      for (const name of ['nope', 'constructor'])
        expect(tool.parse({ ...least, [name]: null })).toMatchObject({ ok: false });
      for (const name of names.filter((one) => properties[one]?.type === 'array'))
        expect(tool.parse({ ...least, [name]: [null] })).toMatchObject({ ok: false });
    });

    it('shows no null type', () => {
      expect(JSON.stringify(tool.inputSchema())).not.toContain('null');
    });
  },
);
