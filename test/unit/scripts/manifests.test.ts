import { describe, expect, it } from 'vitest';
import { REPOSITORY, VERSION } from '#generated/about.ts';
import { manifests } from '#scripts/docs/manifests.ts';
import { repositoryAddress } from '#scripts/package/repository.ts';
import { CATALOG } from '#tools/catalog.ts';
import claudeMarketplace from '../../../.claude-plugin/marketplace.json';
import claudePlugin from '../../../.claude-plugin/plugin.json';
import mcp from '../../../mcp.json';
import lock from '../../../package-lock.json';
import about from '../../../package.json';
import plugin from '../../../plugin.json';
import changelog from '../../../CHANGELOG.md?raw';
import readme from '../../../README.md?raw';
import toolsPage from '../../../docs/tools.md?raw';
import * as z from 'zod';

/** Rules of formats that others own, in our own words: what a field may be, as their pages say it in November 2026. */

const KEBAB = z.string().regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
const ONE_VERSION = z.string().regex(/^\d+\.\d+\.\d+(?:-[\w.]+)?$/);
const WEB = z.url({ protocol: /^https$/ });
const PERSON = z.strictObject({ name: z.string().min(1) });

const described = {
  name: KEBAB,
  version: ONE_VERSION,
  description: z.string().min(1).max(1_024),
  author: PERSON,
  homepage: WEB.optional(),
  repository: WEB.optional(),
  license: z.literal('MIT'),
  keywords: z.array(z.string().min(1)),
};

/** Agent Plugins 1.0.0 knows no other fields. */
const agentPlugin = z.strictObject({
  $schema: z.literal('https://agent-plugins.org/schemas/1.0.0/plugin.schema.json'),
  ...described,
});
const agentMcp = z.strictObject({
  $schema: z.literal('https://agent-plugins.org/schemas/1.0.0/mcp.schema.json'),
  mcpServers: z.record(KEBAB, z.strictObject({ type: z.literal('streamable-http'), url: z.url() })),
});

const claudePluginRules = z.strictObject({
  ...described,
  mcpServers: z.record(KEBAB, z.strictObject({ type: z.literal('http'), url: z.string().endsWith('/mcp') })),
});
const claudeMarketplaceRules = z.strictObject({
  name: KEBAB,
  owner: PERSON,
  plugins: z
    .array(z.strictObject({ name: KEBAB, source: z.string().startsWith('./'), description: z.string().min(1) }))
    .min(1),
});

const input = { description: z.string().min(1), isRequired: z.boolean().optional(), isSecret: z.boolean().optional() };
const serverRules = z.strictObject({
  $schema: z.literal('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'),
  name: z
    .string()
    .min(3)
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version: ONE_VERSION,
  repository: z.strictObject({ url: WEB, source: z.literal('github') }),
  packages: z.array(
    z.strictObject({
      registryType: z.literal('npm'),
      identifier: z.string(),
      version: ONE_VERSION,
      runtimeHint: z.literal('npx'),
      transport: z.strictObject({ type: z.literal('streamable-http'), url: z.url() }),
      environmentVariables: z.array(z.strictObject({ name: z.string().regex(/^[A-Z_]+$/), ...input })),
    }),
  ),
  remotes: z.array(
    z.strictObject({
      type: z.literal('streamable-http'),
      url: z.string(),
      variables: z.record(z.string(), z.strictObject(input)),
    }),
  ),
});

describe('the manifests of the project', () => {
  it.each([
    ['plugin.json', agentPlugin, plugin],
    ['mcp.json', agentMcp, mcp],
    ['.claude-plugin/plugin.json', claudePluginRules, claudePlugin],
    ['.claude-plugin/marketplace.json', claudeMarketplaceRules, claudeMarketplace],
  ])('have a valid format: %s', (_, rules, manifest) => {
    expect(rules.safeParse(manifest).error?.issues ?? []).toEqual([]);
  });

  it('have the same version', () => {
    const versions = [about, lock, lock.packages[''], plugin, claudePlugin].map(({ version }) => version);
    expect([...versions, /^## (\d\S*)/m.exec(changelog)?.[1]]).toEqual(Array(6).fill(VERSION));
  });

  it('link to the repository in package.json, and to none if it has none', () => {
    expect(REPOSITORY).toBe(repositoryOf(about));
    const made = new Map(manifests(withRepository(undefined)));
    expect([...made.keys()].filter((file) => /server\.json|CODEOWNERS/.test(file))).toEqual([]);
    expect([...made.values()].join('\n')).not.toContain('github.com');
  });

  it('are refused with a repository that is not on GitHub', () => {
    expect(() => manifests(withRepository('https://elsewhere.example/periscope'))).toThrow(/must look like git\+https/);
  });

  describe('with a repository', () => {
    const made = new Map(manifests(withRepository('git+https://github.com/acme/periscope.git')));
    const server = serverRules.parse(JSON.parse(made.get('server.json') ?? ''));

    it('link to it from every file that may', () => {
      for (const file of ['plugin.json', '.claude-plugin/plugin.json']) {
        expect(JSON.parse(made.get(file) ?? '')).toMatchObject({
          homepage: 'https://github.com/acme/periscope#readme',
          repository: 'https://github.com/acme/periscope',
        });
      }
      expect(made.get('generated/about.ts')).toContain("= 'https://github.com/acme/periscope';");
      expect(made.get('.github/CODEOWNERS')).toContain('* @acme\n');
    });

    it('give the registry server a name derived from it', () => {
      expect(server).toMatchObject({ name: 'io.github.acme/periscope', version: VERSION });
      expect(server.packages).toMatchObject([{ identifier: about.name, version: VERSION }]);
    });

    it('explain every variable of a URL, and no other', () => {
      for (const { url, variables } of server.remotes) {
        expect(Object.keys(variables)).toEqual(Array.from(url.matchAll(/\{(\w+)\}/g), ([, name]) => name));
      }
    });
  });
});

function repositoryOf(manifest: object): string | null {
  const { repository } = z.object({ repository: z.object({ url: z.string() }).optional() }).parse(manifest);
  return repositoryAddress({ repository })?.web ?? null;
}

function withRepository(url: string | undefined): string {
  return JSON.stringify({ ...about, repository: url === undefined ? undefined : { type: 'git', url } });
}

describe('the install links of the README', () => {
  const links = Array.from(
    readme.matchAll(/\((https:\/\/(?:cursor\.com|insiders\.vscode\.dev)\/[^)\s]+)\)/g),
    ([, link = '']) => new URL(link),
  );

  it('are one for Cursor and one for VS Code', () => {
    expect(links.map(({ hostname }) => hostname).sort()).toEqual(['cursor.com', 'insiders.vscode.dev']);
  });

  it.each(links.map((link): [string, URL] => [link.hostname, link]))(
    'use the URL of npm start: %s',
    (host, { searchParams }) => {
      expect(searchParams.get('name')).toBe('periscope');
      const config = searchParams.get('config') ?? '';
      const { url } = z.object({ url: z.string() }).parse(JSON.parse(host === 'cursor.com' ? atob(config) : config));
      expect(url).toBe(mcp.mcpServers.periscope.url);
    },
  );
});

const FAILURES: Record<string, string> = import.meta.glob('../../../src/core/failures/*.ts', {
  eager: true,
  query: '?raw',
  import: 'default',
});
const SKILLS: Record<string, string> = import.meta.glob('../../../skills/*/SKILL.md', {
  eager: true,
  query: '?raw',
  import: 'default',
});
describe('a skill', () => {
  const skills = Object.entries(SKILLS).map(([path, text]): [string, string] => [path.split('/').at(-2) ?? '', text]);
  const known = new Set([toolsPage, ...Object.values(FAILURES)].join('\n').match(/\w+/g));
  const tools = new Set<string>(CATALOG.map(({ name }) => name));

  it('covers each of the three tasks of models', () => {
    expect(skills.map(([name]) => name).sort()).toEqual([
      'drive-a-browser',
      'research-with-citations',
      'see-what-changed',
    ]);
  });

  it.each(skills)('has a valid and short header: %s', (name, text) => {
    const [, head = '', body = ''] = /^---\n(.*?)\n---\n(.*)$/s.exec(text) ?? [];
    const fields = Object.fromEntries(head.split('\n').map((line) => /^(\w+): (.*)$/.exec(line)?.slice(1) ?? []));
    expect(fields).toMatchObject({ name, license: 'MIT' });
    expect(KEBAB.max(64).safeParse(fields.name).success).toBe(true);
    expect(fields.description.length).toBeLessThanOrEqual(1_024);
    expect(fields.description).toMatch(/\bUse (?:for|when)\b/);
    expect(body.split('\n').length).toBeLessThan(40);
  });

  it.each(skills)('names only existing tools, arguments and errors: %s', (_, text) => {
    const named = Array.from(text.matchAll(/`([a-z][a-z_]+)`/g), ([, word = '']) => word);
    expect(named.filter((word) => !known.has(word))).toEqual([]);
    expect(named.filter((word) => tools.has(word)).length).toBeGreaterThan(3);
    expect(named.filter((word) => word.startsWith('browser_') && !tools.has(word))).toEqual([]);
  });
});
