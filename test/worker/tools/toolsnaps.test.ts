import { exports } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { sortedJson } from '#scripts/docs/sorted-json.ts';
import { CATALOG } from '#tools/catalog.ts';

const FILES: Record<string, string> = import.meta.glob('../../toolsnaps/*/*.json', {
  eager: true,
  query: '?raw',
  import: 'default',
});

const SNAPS = new Map(
  Object.entries(FILES).map(([path, text]) => [path.replace('../../toolsnaps/', '').replace('.json', ''), text]),
);
const TOOLSETS = new Set(CATALOG.map(({ toolset }) => toolset));

const REQUESTS = {
  'the 2025 era': { protocol: '2025-11-25', params: {} },
  'the 2026-07-28 era': {
    protocol: '2026-07-28',
    params: {
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'toolsnaps', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  },
};

async function listedTools(toolset: string, { protocol, params }: { protocol: string; params: object }) {
  const response = await exports.default.fetch(`http://localhost/mcp?toolsets=${toolset}&structured=on`, {
    method: 'POST',
    headers: {
      authorization: 'Bearer a-token-made-for-tests-only',
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': protocol,
      'mcp-method': 'tools/list',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params }),
  });
  const text = await response.text();
  const data = text.startsWith('{') ? text : (/^data: (.*)$/m.exec(text)?.[1] ?? '{}');
  const { result }: { result: { tools: { name: string }[] } } = JSON.parse(data);
  return result.tools.map((tool): [string, string] => [`${toolset}/${tool.name}`, sortedJson(tool)]);
}

for (const [era, request] of Object.entries(REQUESTS)) {
  describe(`the public surface in ${era}`, async () => {
    const listed = new Map((await Promise.all(Array.from(TOOLSETS, (name) => listedTools(name, request)))).flat());

    it('has a snapshot of each tool, and no others', () => {
      expect([...SNAPS.keys()].toSorted(), 'if that is meant: npm run docs').toEqual([...listed.keys()].toSorted());
    });

    for (const [name, text] of listed) {
      it(`matches the snapshot for ${name}`, () => {
        expect(text, 'a client sees something else now; if that is meant: npm run docs').toBe(SNAPS.get(name));
      });
    }
  });
}
