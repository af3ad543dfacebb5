import type { Model, Run } from './secrets-kit.ts';

/** Facts that a model may find out about a page by testing guesses. */

/** Tries a selector that matches the page and one that does not. @returns the first difference in the kind of answer */
async function tellsApart(
  model: Model,
  right: string,
  wrong: string,
  tools: readonly string[],
): Promise<string | null> {
  for (const tool of tools) {
    const args = (selector: string) =>
      tool === 'browser_fill'
        ? { selectors: [selector], values: ['x'] }
        : tool === 'browser_wait'
          ? { selector, timeout_ms: 300 }
          : tool === 'browser_point'
            ? { action: 'hover', selector }
            : tool === 'browser_files'
              ? { action: 'put', selector, name: 'a.txt', text: 'a' }
              : { selector };
    const [one, other] = [await model.ask(tool, args(right)), await model.ask(tool, args(wrong))];
    const kind = (text: string) => /^Error \w+/.exec(text)?.[0] ?? 'done';
    if (kind(one.text) !== kind(other.text)) return `${tool} ${right}: ${kind(one.text)}, else ${kind(other.text)}`;
  }
  return null;
}

const SELECTING = [
  'browser_wait',
  'browser_html',
  'browser_snapshot',
  'browser_read',
  'browser_screenshot',
  'browser_point',
  'browser_scroll',
  'browser_click',
];

export const GUESSES: Record<string, Run> = {
  'selectors of attributes on a later page': async (model, { site }) => {
    await model.go(`${site.url}/name`);
    await model.fill('#user');
    await model.must('browser_click', { selector: '#go' });
    return tellsApart(model, '[value^="qX"]', '[value^="aX"]', SELECTING);
  },
  'selectors of attributes with comments and escapes': async (model, { site }) => {
    await model.go(`${site.url}/name`);
    await model.fill('#user');
    await model.must('browser_click', { selector: '#go' });
    return (
      (await tellsApart(model, '[value^/**/="qX"]', '[value^/**/="aX"]', SELECTING)) ??
      (await tellsApart(model, '[value/**/^="qX"]', '[value/**/^="aX"]', SELECTING)) ??
      (await tellsApart(model, 'input:has(+a):not([title*="qX" i])', 'input:has(+a):not([title*="aX" i])', SELECTING))
    );
  },
  'names and texts': async (model, { site }) => {
    await model.go(`${site.url}/name`);
    await model.fill('#user');
    await model.must('browser_click', { selector: '#go' });
    for (const [right, wrong] of [
      ['text=There is no qX', 'text=There is no aX'],
      ['role=heading[name=/qX/]', 'role=heading[name=/aX/]'],
      ['There is no qX', 'There is no aX'],
      ['heading "There is no qX7vbN2lmK9rtZ4w"', 'heading "There is no aX7vbN2lmK9rtZ4w"'],
    ] as const) {
      const apart = await tellsApart(model, right, wrong, ['browser_wait', 'browser_snapshot', 'browser_click']);
      if (apart !== null) return apart;
    }
    return null;
  },
  'words that are waited for or searched': async (model, { site }) => {
    await model.go(`${site.url}/name`);
    await model.fill('#user');
    await model.must('browser_click', { selector: '#go' });
    for (const [tool, args] of [
      ['browser_wait', (text: string) => ({ text: `There is no ${text}`, timeout_ms: 500 })],
      ['browser_snapshot', (text: string) => ({ find: text })],
      ['browser_log', (text: string) => ({ kind: 'requests', filter: text })],
      ['browser_log', (text: string) => ({ kind: 'console', filter: text })],
    ] as const) {
      const [one, other] = [await model.ask(tool, args('qX')), await model.ask(tool, args('aX'))];
      const bare = (text: string) => text.replaceAll(/[qa]X|\d+|[0-9a-f]{16}/g, '');
      if (bare(one.text) !== bare(other.text))
        return `${tool}: ${one.text.slice(0, 300)} | ${other.text.slice(0, 300)}`;
    }
    return null;
  },
};
