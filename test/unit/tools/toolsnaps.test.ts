import { exports } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { sortedJson } from '#scripts/docs/sorted-json.ts';

const SNAPS: Record<string, string> = import.meta.glob('../../toolsnaps/*.json', {
  eager: true,
  query: '?raw',
  import: 'default',
});

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

async function listedTools({ protocol, params }: { protocol: string; params: object }) {
  const response = await exports.default.fetch('http://localhost/mcp?structured=on', {
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
  return new Map(result.tools.map((tool) => [`../../toolsnaps/${tool.name}.json`, sortedJson(tool)]));
}

for (const [era, request] of Object.entries(REQUESTS)) {
  describe(`the public surface in ${era}`, async () => {
    const listed = await listedTools(request);

    it('has a snapshot of each tool, and no other', () => {
      expect(Object.keys(SNAPS).toSorted(), 'if that is meant: npm run docs').toEqual([...listed.keys()].toSorted());
    });

    for (const [path, text] of listed) {
      it(`is for ${path.replace(/^.*\//, '').replace('.json', '')} what its snapshot says`, () => {
        expect(text, 'a client sees something else now; if that is meant: npm run docs').toBe(SNAPS[path]);
      });
    }
  });
}
