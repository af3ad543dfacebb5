import { z } from 'zod';
import { PORT_DEFAULT } from '#scripts/local/port.ts';
import { repositoryAddress, type RepositoryAddress } from '#scripts/package/repository.ts';

/**
 * Files about the project for other programs. Name, version and repository come from `package.json` alone; without a
 * `repository` there, nothing links to one, and the files that need one are not made.
 * The formats are Agent Plugins 1.0.0, the plugins of Claude Code, and the MCP registry's of 2025-12-11.
 *
 * @param manifest the text of `package.json`
 */
export function manifests(manifest: string): [file: string, text: string][] {
  const about = aboutSchema.parse(JSON.parse(manifest));
  const files: Record<string, object> = {
    'plugin.json': agentPlugin(about),
    'mcp.json': AGENT_MCP,
    '.claude-plugin/plugin.json': claudePlugin(about),
    '.claude-plugin/marketplace.json': claudeMarketplace(about),
  };
  const repository = repositoryAddress(about);
  if (repository !== null) files['server.json'] = registryServer(about, repository);
  return [
    ...Object.entries(files).map(([file, content]): [string, string] => [
      file,
      `${JSON.stringify(content, null, 2)}\n`,
    ]),
    ['generated/about.ts', aboutModule(about, repository?.web ?? null)],
    ...(repository === null ? [] : [['.github/CODEOWNERS', codeOwners(repository)] satisfies [string, string]]),
  ];
}

const aboutSchema = z.object({
  name: z.string(),
  version: z.string(),
  description: z.string(),
  keywords: z.array(z.string()),
  license: z.string(),
  repository: z.object({ url: z.string() }).optional(),
});
type About = z.infer<typeof aboutSchema>;

const PLUGIN_NAME = 'periscope';
/** The authors that LICENSE names. */
const AUTHOR = { name: 'Periscope contributors' };
const LOCAL_ORIGIN = `http://localhost:${PORT_DEFAULT}`;
const LOCAL_MCP = `${LOCAL_ORIGIN}/mcp`;
/** The registry allows at most 100 characters. */
const SHORT_DESCRIPTION = 'Search, read, cite, drive and see the web, on your laptop or your own Cloudflare account.';

const AGENT_MCP = {
  $schema: 'https://agent-plugins.org/schemas/1.0.0/mcp.schema.json',
  mcpServers: { [PLUGIN_NAME]: { type: 'streamable-http', url: LOCAL_MCP } },
};

function agentPlugin(about: About) {
  return { $schema: 'https://agent-plugins.org/schemas/1.0.0/plugin.schema.json', ...described(about) };
}

/** Only Claude Code expands environment variables in addresses. */
function claudePlugin(about: About) {
  const url = `\${PERISCOPE_URL:-${LOCAL_ORIGIN}}/mcp`;
  return { ...described(about), mcpServers: { [PLUGIN_NAME]: { type: 'http', url } } };
}

function described(about: About) {
  const { version, description, license, keywords } = about;
  const repository = repositoryAddress(about);
  return {
    name: PLUGIN_NAME,
    version,
    description,
    author: AUTHOR,
    ...(repository === null ? {} : { homepage: repository.homepage, repository: repository.web }),
    license,
    keywords,
  };
}

function claudeMarketplace({ description }: About) {
  return { name: PLUGIN_NAME, owner: AUTHOR, plugins: [{ name: PLUGIN_NAME, source: './', description }] };
}

function registryServer({ name, version }: About, { web, mcpName }: RepositoryAddress) {
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: mcpName,
    title: 'Periscope',
    description: SHORT_DESCRIPTION,
    version,
    repository: { url: web, source: 'github' },
    packages: [
      {
        registryType: 'npm',
        identifier: name,
        version,
        runtimeHint: 'npx',
        transport: { type: 'streamable-http', url: LOCAL_MCP },
        environmentVariables: [
          {
            name: 'BRAVE_API_KEY',
            description: 'Key of the Brave Search API. Without a key, only pages opened before are searched.',
            isSecret: true,
          },
        ],
      },
    ],
    remotes: [
      {
        type: 'streamable-http',
        url: 'https://{host}/mcp',
        variables: {
          host: { description: 'Host name of your own deployment, such as periscope.example.com', isRequired: true },
        },
      },
    ],
  };
}

function codeOwners({ owner }: RepositoryAddress): string {
  return `# Made by npm run docs from package.json.\n* @${owner}\n`;
}

/** The Worker's name for itself, in its answers and on its pages. */
function aboutModule({ version }: About, repository: string | null): string {
  return [
    '// Made by npm run docs from package.json.',
    `export const VERSION = '${version}';`,
    '/** Where people find the source and the documentation; `null` while package.json names no repository. */',
    `export const REPOSITORY: string | null = ${repository === null ? 'null' : `'${repository}'`};`,
    '',
  ].join('\n');
}
