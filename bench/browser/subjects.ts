import { createRequire } from 'node:module';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { LaunchedServer } from '#scripts/local/launch.ts';

/** One call as a model makes it and reads it. */
export type Call = { tool: string; args: Record<string, unknown> };
export type Picture = { data: string; mimeType: string };
export type Answer = { text: string; pictures: readonly Picture[]; ms: number; isError: boolean };

/** A tool in the form that a model gets. */
export type ToldTool = { name: string; description: string; inputSchema: Record<string, unknown> };

/** The role of a form field, for tools that require it. */
export type Field = { label: string; kind: 'textbox' | 'combobox' | 'checkbox' | 'radio'; value: string };

/** A server under test, and the way a model would use it. */
export type Subject = {
  name: string;
  /** The server's options, for the report. */
  given: string;
  call: (call: Call) => Promise<Answer>;
  /** The text for a model before its first call: about the server, and its tools. */
  told: () => Promise<{ instructions: string; tools: ToldTool[] }>;
  navigate: (url: string) => Call;
  snapshot: () => Call;
  /** Shows the rest of a long snapshot that comes in parts. */
  more?: (text: string) => Call | null;
  /** Opens a page so that its elements can be used: one call or two. */
  open: (url: string) => Call[];
  /** Clicks, and shows the result. */
  click: (ref: string) => Call[];
  /** Sets fields that are on one screen. */
  fill: (fields: readonly (Field & { ref: string })[]) => Call[];
  /** The current page in an answer: without earlier content and without the server's own words. */
  shown: (answer: string) => string;
  /** The ref of the first element with this label in an answer. A label is `Save` or `button "Save"`. */
  refOf: (answer: string, label: string) => string | null;
  close: () => Promise<void>;
};

export type Browser = { path: string; viewport: { width: number; height: number } };

export async function ours({ mcpUrl, token }: Pick<LaunchedServer, 'mcpUrl' | 'token'>): Promise<Subject> {
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  const connected = await connect(new StreamableHTTPClientTransport(new URL(mcpUrl), { requestInit }));
  return {
    name: 'periscope',
    given: 'npm start, over loopback HTTP, with its gate, its proxy and its parking on',
    ...connected,
    navigate: (url) => ({ tool: 'browser_navigate', args: { url } }),
    snapshot: () => ({ tool: 'browser_snapshot', args: {} }),
    more: (text) => {
      const after = /^Next: browser_snapshot (\{.*"after".*\})$/m.exec(text)?.[1];
      return after === undefined ? null : { tool: 'browser_snapshot', args: JSON.parse(after) };
    },
    open: (url) => [{ tool: 'browser_navigate', args: { url, snapshot: true } }],
    click: (ref) => [{ tool: 'browser_click', args: { selector: ref, snapshot: true } }],
    fill: (fields) => [
      {
        tool: 'browser_fill',
        args: { selectors: fields.map(({ ref }) => ref), values: fields.map(({ value }) => value) },
      },
    ],
    shown: (answer) => answer.replaceAll(/^- .*$/gm, ''),
    refOf: (answer, label) => {
      const line = lineWith(answer, label, /@e\d+/);
      return line.slice(0, line.indexOf(label)).match(/@e\d+/g)?.at(-1) ?? null;
    },
  };
}

export async function playwright({ path, viewport }: Browser): Promise<Subject> {
  const output = mkdtempSync(join(tmpdir(), 'periscope-bench-'));
  const flags = [
    '--headless',
    '--isolated',
    ...asRoot('--no-sandbox'),
    '--viewport-size',
    `${viewport.width}x${viewport.height}`,
  ];
  const args = [programOf('@playwright/mcp', 'cli.js'), ...flags, '--executable-path', path, '--output-dir', output];
  const connected = await connect(
    new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore', cwd: output }),
  );
  const snapshot = () => ({ tool: 'browser_snapshot', args: {} });
  return {
    name: '@playwright/mcp',
    given: `over stdio, ${flags.join(' ')}`,
    ...connected,
    close: async () => {
      await connected.close();
      rmSync(output, { recursive: true, force: true });
    },
    navigate: (url) => ({ tool: 'browser_navigate', args: { url } }),
    snapshot,
    open: (url) => [{ tool: 'browser_navigate', args: { url } }, snapshot()],
    click: (ref) => [{ tool: 'browser_click', args: { target: ref } }, snapshot()],
    fill: (fields) => [
      {
        tool: 'browser_fill_form',
        args: {
          fields: fields.map(({ ref, label, kind, value }) => ({ target: ref, name: label, type: kind, value })),
        },
      },
    ],
    shown: (answer) => /^(?:Found|```yaml)[^]*/m.exec(answer)?.[0] ?? '',
    refOf: (answer, label) => /\[ref=(\w+)\]/.exec(lineWith(answer, label, /\[ref=/))?.[1] ?? null,
  };
}

export async function chromeDevtools({ path, viewport }: Browser): Promise<Subject> {
  const size = `${viewport.width}x${viewport.height}`;
  const own = '--headless --isolated --no-usage-statistics --no-performance-crux --no-page-id-routing --viewport';
  const flags = [...own.split(' '), size, ...asRoot('--chromeArg=--no-sandbox')];
  const program = programOf('chrome-devtools-mcp', 'build/src/bin/chrome-devtools-mcp.js');
  const args = [program, ...flags, '--executablePath', path];
  const connected = await connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
  const snapshot = () => ({ tool: 'take_snapshot', args: {} });
  return {
    name: 'chrome-devtools-mcp',
    given: `over stdio, ${flags.join(' ')}`,
    ...connected,
    navigate: (url) => ({ tool: 'navigate_page', args: { url } }),
    snapshot,
    open: (url) => [{ tool: 'navigate_page', args: { url } }, snapshot()],
    click: (ref) => [{ tool: 'click', args: { uid: ref, includeSnapshot: true } }],
    fill: (fields) => [
      { tool: 'fill_form', args: { elements: fields.map(({ ref, value }) => ({ uid: ref, value })) } },
    ],
    shown: (answer) => /^uid=[^]*/m.exec(answer)?.[0] ?? '',
    // Names keep their spaces in these snapshots.
    refOf: (answer, label) => /uid=(\w+)/.exec(lineWith(answer.replaceAll('" ', '"'), label, /uid=/))?.[1] ?? null,
  };
}

async function connect(transport: StdioClientTransport | StreamableHTTPClientTransport) {
  const client = new Client({ name: 'browser-bench', version: '1' });
  await client.connect(transport);
  return {
    call: async ({ tool, args }: Call): Promise<Answer> => {
      const from = performance.now();
      const { content, isError } = await client.callTool({ name: tool, arguments: args });
      const ms = performance.now() - from;
      const blocks = Array.isArray(content) ? content : [];
      const text = blocks.map((block: { text?: string }) => block.text ?? '').join('\n');
      const pictures = blocks.flatMap((block: { type?: string } & Partial<Picture>) =>
        block.type === 'image' && block.data !== undefined && block.mimeType !== undefined
          ? [{ data: block.data, mimeType: block.mimeType }]
          : [],
      );
      return { text, pictures, ms, isError: isError === true };
    },
    told: async () => {
      const { tools } = await client.listTools();
      return {
        instructions: client.getInstructions() ?? '',
        tools: tools.map(({ name, description, inputSchema }) => ({
          name,
          description: description ?? '',
          inputSchema,
        })),
      };
    },
    close: () => client.close(),
  };
}

/** Rivals are installed in their own folder, not with the project. */
function programOf(packageName: string, file: string): string {
  const require = createRequire(join(import.meta.dirname, '../rivals/package.json'));
  return join(dirname(require.resolve(`${packageName}/package.json`)), file);
}

function asRoot(flag: string): string[] {
  return process.getuid?.() === 0 ? [flag] : [];
}

function lineWith(text: string, label: string, mark: RegExp): string {
  return text.split('\n').find((line) => line.includes(label) && mark.test(line)) ?? '';
}
