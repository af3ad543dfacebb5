import { readFileSync } from 'node:fs';
import { z } from 'zod';

/**
 * What other programs read about the project: its name, version and addresses come from `package.json` alone.
 * The formats are Agent Plugins 1.0.0, the plugins of Claude Code, and the MCP registry's of 2025-12-11.
 */
export function manifests(): [file: string, text: string][] {
  const about = aboutSchema.parse(JSON.parse(readFileSync('package.json', 'utf8')));
  const files: Record<string, object> = {
    'plugin.json': agentPlugin(about),
    'mcp.json': AGENT_MCP,
    '.claude-plugin/plugin.json': claudePlugin(about),
    '.claude-plugin/marketplace.json': claudeMarketplace(about),
    'server.json': registryServer(about),
  };
  return [
    ...Object.entries(files).map(([file, content]): [string, string] => [
      file,
      `${JSON.stringify(content, null, 2)}\n`,
    ]),
    ['.github/CODEOWNERS', codeOwners(about)],
  ];
}

const aboutSchema = z.object({
  name: z.string(),
  version: z.string(),
  mcpName: z.string(),
  description: z.string(),
  keywords: z.array(z.string()),
  license: z.string(),
  homepage: z.string(),
  repository: z.object({ url: z.string() }),
});
type About = z.infer<typeof aboutSchema>;

const PLUGIN_NAME = 'periscope';
/** As LICENSE names them. */
const AUTHOR = { name: 'Periscope contributors' };
const LOCAL_MCP = 'http://localhost:8787/mcp';
/** The registry takes at most 100 characters. */
const SHORT_DESCRIPTION = 'Search, read, cite, drive and see the web, on your laptop or your own Cloudflare account.';

const AGENT_MCP = {
  $schema: 'https://agent-plugins.org/schemas/1.0.0/mcp.schema.json',
  mcpServers: { [PLUGIN_NAME]: { type: 'streamable-http', url: LOCAL_MCP } },
};

function agentPlugin(about: About) {
  return { $schema: 'https://agent-plugins.org/schemas/1.0.0/plugin.schema.json', ...described(about) };
}

/** Only Claude Code puts settings of the environment into addresses. */
function claudePlugin(about: About) {
  const url = '${PERISCOPE_URL:-http://localhost:8787}/mcp';
  return { ...described(about), mcpServers: { [PLUGIN_NAME]: { type: 'http', url } } };
}

function described({ version, description, homepage, license, keywords, repository }: About) {
  return {
    name: PLUGIN_NAME,
    version,
    description,
    author: AUTHOR,
    homepage,
    repository: webAddress(repository.url),
    license,
    keywords,
  };
}

function claudeMarketplace({ description }: About) {
  return { name: PLUGIN_NAME, owner: AUTHOR, plugins: [{ name: PLUGIN_NAME, source: './', description }] };
}

function registryServer({ name, version, mcpName, repository }: About) {
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: mcpName,
    title: 'Periscope',
    description: SHORT_DESCRIPTION,
    version,
    repository: { url: webAddress(repository.url), source: 'github' },
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

function codeOwners({ repository }: About): string {
  const [, owner = ''] = new URL(webAddress(repository.url)).pathname.split('/');
  return `# Made by npm run docs from package.json.\n* @${owner}\n`;
}

/** `git+https://HOST/OWNER/NAME.git` as a browser opens it. */
function webAddress(url: string): string {
  return url.replace(/^git\+/, '').replace(/\.git$/, '');
}
