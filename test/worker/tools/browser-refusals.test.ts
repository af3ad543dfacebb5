import { beforeAll, describe, expect, it } from 'vitest';
import { grantFor } from '#support/grants.ts';
import { callTool } from '#support/mcp-call.ts';

let token = '';

beforeAll(async () => {
  token = await grantFor('caller-of-refused-tools', ['browser:use']);
});

async function refusal(tool: string, args: Record<string, unknown>) {
  const { result } = await callTool('modern', tool, args, { token });
  return { structured: result?.structuredContent ?? {} };
}

describe('browser_navigate', () => {
  it.each([
    ['nothing to go to', {}, 'url'],
    ['a new tab with nothing in it', { new_tab: true }, 'url'],
    ['two ways to go', { url: 'http://login.acme.dev/who', history: 'back' }, 'history'],
    ['the history of a new tab', { history: 'back', new_tab: true }, 'history'],
  ])('refuses %s before a browser is asked', async (_, args, field) => {
    const { structured } = await refusal('browser_navigate', { ...args, session: 'never-started' });
    expect(structured).toMatchObject({ error: 'invalid_argument', field, hint: expect.stringContaining('Pass url') });
  });
});

describe('browser_point', () => {
  it.each([
    [{ action: 'hover' }, 'selector'],
    [{ action: 'hover', selector: 'p', x: 1, y: 1 }, 'selector'],
    [{ action: 'click', x: 1 }, 'y'],
    [{ action: 'drag', selector: 'p' }, 'to_selector'],
    [{ action: 'drag', selector: 'p', to_y: 3 }, 'to_x'],
    [{ action: 'hover', x: -1, y: 0 }, 'x'],
  ])('refuses %j before a browser is asked', async (args, field) => {
    const { structured } = await refusal('browser_point', { ...args, session: 'never-started' });
    expect(structured).toMatchObject({ error: 'invalid_argument', field });
  });
});
