import { beforeAll, describe, expect, it } from 'vitest';
import { grantFor } from '#support/grants.ts';
import { callTool } from '#support/mcp-call.ts';

let token = '';

beforeAll(async () => {
  token = await grantFor('caller-of-refused-tools', ['web:read', 'browser:use']);
});

async function refusal(tool: string, args: Record<string, unknown>) {
  const { result } = await callTool('modern', tool, args, { token });
  return { text: result?.content?.[0]?.text ?? '', structured: result?.structuredContent ?? {} };
}

describe('browser_navigate', () => {
  it.each([
    ['nothing to go to', {}, 'url'],
    ['a new tab with nothing in it', { new_tab: true }, 'url'],
    ['two ways to go', { url: 'http://login.acme.dev/who', history: 'back' }, 'history'],
    ['the history of a new tab', { history: 'back', new_tab: true }, 'history'],
  ])('refuses %s before any browser is called', async (_, args, field) => {
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
  ])('refuses %j before any browser is called', async (args, field) => {
    const { structured } = await refusal('browser_point', { ...args, session: 'never-started' });
    expect(structured).toMatchObject({ error: 'invalid_argument', field });
  });
});

describe('browser_log', () => {
  it('refuses one request without its id before any browser is called', async () => {
    const { structured } = await refusal('browser_log', { kind: 'request', session: 'never-started' });
    expect(structured).toMatchObject({ error: 'invalid_argument', field: 'id' });
  });
});

describe('browser_wait', () => {
  it.each([{}, { text: 'a', gone_text: 'b' }])('refuses %j before any browser is called', async (args) => {
    const { structured } = await refusal('browser_wait', { ...args, session: 'never-started' });
    expect(structured).toMatchObject({ error: 'invalid_argument', hint: expect.stringContaining('exactly one') });
  });
});

describe('browser_do', () => {
  it('refuses an unreadable line before anything runs', async () => {
    const { text, structured } = await refusal('browser_do', { steps: ['click button "Save"', 'dance'] });
    expect(structured).toMatchObject({ error: 'invalid_argument', field: 'steps' });
    expect(text).toContain('line 2: it begins with no known action');
    expect(text).toContain('click @e12');
  });
});

describe('browser_files', () => {
  it.each([
    [{ action: 'put', name: 'x', text: 'y', file: 'f_0123456789abcdef0123' }, 'does not go with name or text'],
    [{ action: 'put', name: 'x' }, 'needs name and text'],
    [{ action: 'put' }, 'there is nothing to put'],
    [{ action: 'delete' }, 'there is nothing to delete'],
    [{ action: 'put', file: '/etc/passwd', selector: '#one' }, 'not the id of a file'],
  ])('refuses %j before any browser is called, and explains what to do', async (args, words) => {
    const { text } = await refusal('browser_files', { ...args, session: 'never-started' });
    expect(text).toContain(words);
    expect(text).toContain('Hint: ');
  });
});

describe('open_url', () => {
  it.each([
    ['periscope-file:', 'not the id of a file'],
    ['periscope-file:f_../../x', 'not the id of a file'],
    ['PERISCOPE-FILE:f_0123456789abcdef0123', 'There is no file f_0123456789abcdef0123'],
    ['periscope-file://f_0123456789abcdef0123', 'not the id of a file'],
  ])('finds no file at %s', async (url, words) => {
    expect((await refusal('open_url', { url })).text).toContain(words);
  });
});
