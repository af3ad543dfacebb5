import { describe, expect, it } from 'vitest';
import { mapScriptTexts } from '#core/script-steps.ts';
import type { ScriptedCall, ScriptTarget } from '#core/script-steps.ts';
import { playwrightTest } from '#web/sessions/playwright-test.ts';

const HOSTILE = [
  '`${evil()}`',
  "'); evil(); ('",
  '"); evil(); ("',
  '*/ evil() /*',
  '\n evil()',
  '\u2028evil()',
  '\\',
  '</script>',
];

const target = (name: string, more: Partial<ScriptTarget> = {}): ScriptTarget => {
  return { role: 'button', name, nth: null, frame: null, ...more };
};
const call = (steps: ScriptedCall['steps'], url: string | null = null, text: string | null = null): ScriptedCall => {
  return { steps, url, text };
};

describe('the steps of a session as a Playwright test', () => {
  it.each(HOSTILE)('contain page text only as text: %j', async (words) => {
    const at = target(words, { frame: `http://a.example/${words}` });
    const text = playwrightTest(words, [
      call([
        { do: 'click', at, button: 'left', count: 1, modifiers: [] },
        { do: 'fill', at, field: 'text', value: { text: words } },
        { do: 'type', at: null, text: null, keys: [words] },
        { do: 'see', text: words, isGone: false },
        { do: 'other', what: words },
      ]),
    ]);
    const outside = text
      .split('\n')
      .map((line) => line.replace(/^\s*\/\/.*$/u, '').replaceAll(/"(?:[^"\\]|\\.)*"/gu, '""'))
      .join('\n');
    expect(outside).not.toContain('evil');
    expect(outside).not.toContain('`');
    expect(text.split('\n')).toHaveLength(11);
  });

  it('find elements by role and name, take secrets from the environment and expect the visible text', () => {
    const text = playwrightTest('default', [
      call([{ do: 'go', url: 'http://site.example/' }], 'http://site.example/'),
      call([
        { do: 'fill', at: target('Name', { role: 'textbox' }), field: 'text', value: { text: 'Ann' } },
        {
          do: 'fill',
          at: target('Key', { role: 'textbox' }),
          field: 'text',
          value: { secret: 'my-bank', wantsCode: false },
        },
        { do: 'fill', at: target('Gift', { role: 'checkbox' }), field: 'check', value: { text: 'true' } },
      ]),
      call(
        [{ do: 'click', at: target('Delete', { nth: 1 }), button: 'right', count: 1, modifiers: ['Shift'] }],
        'http://site.example/?token=REDACTED',
        'Saved',
      ),
      null,
    ]);
    for (const line of [
      'await page.goto("http://site.example/");',
      'await page.getByRole("textbox", { name: "Name", exact: true }).fill("Ann");',
      'await page.getByRole("textbox", { name: "Key", exact: true }).fill(process.env.SECRET_MY_BANK ?? \'\');',
      'await expect(page.getByRole("checkbox", { name: "Gift", exact: true })).toBeChecked({ checked: true });',
      'await page.getByRole("button", { name: "Delete", exact: true }).nth(1).click({"button":"right","modifiers":["Shift"]});',
      'await expect(page.getByText("Saved").first()).toBeVisible();',
      '// Set SECRET_MY_BANK in the environment.',
    ])
      expect(text).toContain(line);
    expect(text).not.toContain('REDACTED');
  });

  it('have every text of a page or a model masked', () => {
    const at = target('hunter2', { frame: 'http://a.example/hunter2' });
    const said = mapScriptTexts(
      call(
        [
          { do: 'go', url: 'http://a.example/hunter2' },
          { do: 'click', at, button: 'left', count: 1, modifiers: [] },
          { do: 'hover', at },
          { do: 'drag', at, to: at },
          { do: 'fill', at, field: 'text', value: { text: 'hunter2' } },
          { do: 'type', at, text: { text: 'hunter2' }, keys: ['hunter2'] },
          { do: 'see', text: 'hunter2', isGone: false },
        ],
        'http://a.example/hunter2',
        'hunter2',
      ),
      (text) => text.replaceAll('hunter2', '••••'),
    );
    expect(JSON.stringify(said)).not.toContain('hunter2');
    expect(playwrightTest('s', [said])).not.toContain('••');
  });
});
