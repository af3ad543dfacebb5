import { describe, expect, it } from 'vitest';
import { callTool, structured } from '#support/mcp-call.ts';

describe('a browser session', () => {
  it('opens a page and shows it with refs', async () => {
    const answer = await callTool('modern', 'browser_navigate', {
      url: 'http://guide.acme.dev/start',
      snapshot: true,
      session: 'slice',
    });
    console.log(answer.result?.content?.[0]?.text);
    expect(structured(answer)['status']).toBe(200);
  });
});
