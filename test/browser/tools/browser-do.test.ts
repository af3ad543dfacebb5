import { beforeAll, describe, expect, it } from 'vitest';
import { grantFor } from '#support/grants.ts';
import { callTool } from '#support/mcp-call.ts';

let token = '';

beforeAll(async () => {
  token = await grantFor('taker-of-steps', ['browser:use', 'browser:evaluate']);
});

const PAGE = `document.body.innerHTML = '<label>Name <input id="n"></label><button onclick="said.textContent = n.value">Save</button>'
  + '<button onclick="window.open(location.href)">Open</button><p id="said"></p>'; return 1`;

async function call(tool: string, args: Record<string, unknown>) {
  const { result } = await callTool('modern', tool, { session: 'takes-steps', ...args }, { token });
  return {
    text: result?.content?.[0]?.text ?? '',
    structured: result?.structuredContent ?? {},
    isError: result?.isError,
  };
}

describe('browser_do', () => {
  it('runs steps, reports each change once, and lists the steps that did not run', async () => {
    await call('browser_navigate', { url: 'http://login.acme.dev/who' });
    await call('browser_evaluate', { script: PAGE });
    const steps = ['fill "Name" = Ann', 'click button "Save"', 'expect text=Ann'];
    const all = await call('browser_do', { steps });
    expect(all.text).toMatch(/^Took all 3 steps\.\n/u);
    expect(all.structured).toMatchObject({ steps_done: 3, steps_total: 3 });
    expect(all.structured).not.toHaveProperty('stopped');
    const some = await call('browser_do', { steps: ['fill "Name" = Bea', 'click button "Send"', ...steps] });
    expect(some.text).toMatch(/^Took 1 of 5 steps\. Step 2 of 5: .*Steps 3–5 were not run\./u);
    expect(some.structured).toMatchObject({ steps_done: 1, stopped: { step: 2, error: 'element_not_found' } });
    const opened = await call('browser_do', { steps: ['click button "Open"', 'press Tab'] });
    expect(opened.text).toMatch(/^Took 1 of 2 steps\. Step 1 opened another tab\. Step 2 was not run\./u);
    await call('browser_close', {});
  });

  it('reports keys typed without a focused field, like browser_type', async () => {
    await call('browser_navigate', { url: 'http://login.acme.dev/who' });
    await call('browser_evaluate', { script: PAGE });
    const typed = await call('browser_type', { text: 'Ann' });
    expect(typed.text).toMatch(/^Typed to the page: no field had the focus\./u);
    const { text } = await call('browser_do', { steps: ['type Ann', 'click "Name"'] });
    expect(text).toContain('Note: Step 1: Typed to the page: no field had the focus.');
    await call('browser_close', {});
  });

  it('shows no value of a step', async () => {
    await call('browser_navigate', { url: 'http://login.acme.dev/who' });
    await call('browser_evaluate', { script: PAGE });
    const { text } = await call('browser_do', { steps: ['fill textbox "Nobody" = hunter2', 'fill "Name" = hunter2'] });
    expect(text).not.toContain('hunter2');
    expect(text).toContain('Step 1 of 2');
    await call('browser_close', {});
  });

  it('passes the gate: the requests of a step are refused like those of any call', async () => {
    await call('browser_navigate', { url: 'http://login.acme.dev/who' });
    const script = `document.body.innerHTML = '<a href="http://169.254.169.254/">Meta</a>'; return 1`;
    await call('browser_evaluate', { script });
    const { text } = await call('browser_do', { steps: ['click "Meta"', 'expect "Meta"'] });
    expect(text).toContain('request refused: http://169.254.169.254/');
    await call('browser_close', {});
  });
});
