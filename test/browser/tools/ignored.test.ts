import { beforeAll, describe, expect, it } from 'vitest';
import { grantFor } from '#support/grants.ts';
import { callTool } from '#support/mcp-call.ts';

let token = '';
beforeAll(async () => {
  token = await grantFor('gives-too-much', ['web:read', 'browser:use', 'browser:evaluate']);
});

async function call(tool: string, args: Record<string, unknown>) {
  const { result } = await callTool('modern', tool, args, { token });
  return {
    text: result?.content?.map((block) => block.text ?? '').join('\n') ?? '',
    structured: result?.structuredContent ?? {},
  };
}

describe('an option that has no effect', () => {
  it('of a browser tool is reported in the text and in the structured result', async () => {
    const session = 'gives-too-much';
    const opened = await call('browser_navigate', { url: 'http://login.acme.dev/who', dialog_text: 'x', session });
    expect(opened.text).toContain('dialog_text had no effect: dialogs are dismissed');
    expect(opened.structured['notes']).toEqual([expect.stringContaining('dialog_text had no effect')]);
    for (const [tool, args, words] of [
      [
        'browser_navigate',
        { history: 'reload', wait_until: 'load' },
        'wait_until had no effect: history has its own wait',
      ],
      [
        'browser_navigate',
        { url: 'http://login.acme.dev/who', new_tab: true, tab: 't1' },
        'tab had no effect: new_tab opens another tab',
      ],
      [
        'browser_scroll',
        { selector: 'body', into_view: true, direction: 'up', amount: 2 },
        'direction and amount had no effect',
      ],
      [
        'browser_point',
        { action: 'hover', selector: '#cart', to_x: 4 },
        'to_x had no effect: only a drag has a destination',
      ],
      ['browser_log', { kind: 'console', id: 'r1' }, 'id had no effect: it needs kind "request"'],
      ['browser_type', { key: 'Escape', slowly: true }, 'slowly had no effect: there is no text'],
      [
        'browser_screenshot',
        { selector: 'body', full_page: true },
        'full_page had no effect: selector captures one element',
      ],
    ] as const) {
      expect((await call(tool, { ...args, session })).text).toContain(words);
    }
    await call('browser_close', { session });
  });
});
