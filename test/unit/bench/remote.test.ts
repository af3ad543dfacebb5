import { describe, expect, it } from 'vitest';
import { measureTools } from '../../../bench/remote/measure.ts';
import { STEPS, unmeasuredTools } from '../../../bench/remote/steps.ts';

type Call = { tool: string; args: Record<string, unknown> };

function serverWith(tools: readonly string[], failing: readonly string[] = []) {
  const calls: Call[] = [];
  return {
    calls,
    told: async () => ({
      instructions: '',
      tools: tools.map((name) => ({ name, description: '', inputSchema: {} })),
    }),
    call: async (call: Call) => {
      calls.push(call);
      const isError = failing.includes(call.tool);
      const text = isError ? 'It is\nswitched off.' : 'Cursor: c_1\nSnapshot: s_1 (fresh)';
      return { text, pictures: [], ms: calls.length, isError };
    },
  };
}

const PLACE = { page: 'https://site.example/page.html?run=1', picture: 'https://site.example/picture.webp' };

describe('the measurement of a deployment', () => {
  it('has calls for every tool of the catalogue', () => {
    expect(unmeasuredTools()).toEqual([]);
  });

  it('distinguishes the first call of a tool from the next ones, and passes earlier results to later tools', async () => {
    const server = serverWith(['open_url', 'scroll']);
    const all = await measureTools(server, PLACE, 2, () => undefined);
    expect(all.filter((times) => !('why' in times))).toEqual([
      { tool: 'open_url', cold: 1, warm: { p50: 2, p95: 3 }, calls: 2 },
      { tool: 'scroll', cold: 4, warm: { p50: 5, p95: 6 }, calls: 2 },
    ]);
    expect(server.calls[3]).toEqual({ tool: 'scroll', args: { cursor: 'c_1', loc: 0 } });
  });

  it('reports for each other tool why it was not measured', async () => {
    const all = await measureTools(serverWith(['find'], ['find']), PLACE, 2, () => undefined);
    expect(all).toHaveLength(STEPS.length);
    expect(all).toContainEqual({ tool: 'find', why: 'It is switched off.' });
    expect(all).toContainEqual({ tool: 'cite', why: 'this token is not offered it' });
  });

  it('opens a browser again before each warm call that closes it', async () => {
    const server = serverWith(['browser_close']);
    await measureTools(server, PLACE, 2, () => undefined);
    const warm = ['browser_launch', 'browser_close'];
    expect(server.calls.map(({ tool }) => tool)).toEqual(['browser_close', ...warm, ...warm]);
  });
});
