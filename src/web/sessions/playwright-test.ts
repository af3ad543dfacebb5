import type { ScriptedCall, ScriptStep, ScriptTarget, ScriptValue } from '#core/script-steps.ts';
import { sanitizeText } from '#core/text/plain.ts';

/**
 * Writes the steps of a session as a Playwright test. Texts of pages and models are always string literals, so they
 * cannot become code.
 * @param calls `null` for a step of which only the tool's name was stored
 */
export function playwrightTest(session: string, calls: readonly (ScriptedCall | null)[]): string {
  const writer = new Writer();
  for (const call of calls) writer.add(call);
  return [
    "import { expect, test } from '@playwright/test';",
    '',
    ...writer.variables(),
    `test(${literal(`the session ${session}`)}, async ({ page }) => {`,
    ...writer.lines.map((line) => `  ${line}`),
    '});',
    '',
  ].join('\n');
}

class Writer {
  readonly lines: string[] = [];
  readonly #variables = new Set<string>();
  #withheld = 0;
  #url: string | null = null;

  add(call: ScriptedCall | null): void {
    if (call === null) {
      this.lines.push('// A step of which only the name is stored.');
      return;
    }
    for (const step of call.steps) this.lines.push(...(hasNoName(step) ? [NAMELESS] : this.#step(step)));
    const { url, text } = call;
    if (url !== null && url !== this.#url && !isMasked(url))
      this.lines.push(`await expect(page).toHaveURL(${literal(url)});`);
    this.#url = url;
    if (text !== null && !isMasked(text)) this.lines.push(`await ${seen(text, false)};`);
  }

  variables(): string[] {
    if (this.#variables.size === 0) return [];
    return [`// Set ${[...this.#variables].join(', ')} in the environment.`, ''];
  }

  #step(step: ScriptStep): string[] {
    switch (step.do) {
      case 'go':
        return [`await page.goto(${this.#value({ text: step.url })});`];
      case 'history':
        return [HISTORY[step.to]];
      case 'click':
        return [`await ${locator(step.at)}.${clickOf(step)};`];
      case 'hover':
        return [`await ${locator(step.at)}.hover();`];
      case 'drag':
        return [`await ${locator(step.at)}.dragTo(${locator(step.to)});`];
      case 'fill':
        return this.#fill(step);
      case 'type':
        return this.#type(step);
      case 'see':
        return isMasked(step.text) ? [] : [`await ${seen(step.text, step.isGone)};`];
      case 'other':
        return [`// Not a part of this test: ${comment(step.what)}.`];
    }
  }

  #fill({ at, field, value }: Extract<ScriptStep, { do: 'fill' }>): string[] {
    const where = locator(at);
    const given = this.#value(value);
    if (field === 'text') return [`await ${where}.fill(${given});`, `await expect(${where}).toHaveValue(${given});`];
    if (field === 'choice') return [`await ${where}.selectOption(${given});`];
    const isOn = 'text' in value && /^(?:true|yes|on|1)$/iu.test(value.text.trim());
    return [`await ${where}.setChecked(${isOn});`, `await expect(${where}).toBeChecked({ checked: ${isOn} });`];
  }

  #type({ at, text, keys }: Extract<ScriptStep, { do: 'type' }>): string[] {
    const where = at === null ? 'page.keyboard' : locator(at);
    const typed =
      text === null ? [] : [`await ${where}.${at === null ? 'type' : 'pressSequentially'}(${this.#value(text)});`];
    return [...typed, ...keys.filter((key) => !isMasked(key)).map((key) => `await ${where}.press(${literal(key)});`)];
  }

  #value(value: ScriptValue): string {
    if ('text' in value && !isMasked(value.text)) return literal(value.text);
    let name = 'secret' in value ? variableOf(value) : '';
    if (name === '') {
      this.#withheld += 1;
      name = `TYPED_${this.#withheld}`;
    }
    this.#variables.add(name);
    return `process.env.${name} ?? ''`;
  }
}

function seen(text: string, isGone: boolean): string {
  return `expect(page.getByText(${literal(text)}).first()).${isGone ? 'toBeHidden' : 'toBeVisible'}()`;
}

const NAMELESS = '// Not a part of this test: what was acted on has no name, or one that holds a secret.';

function hasNoName(step: ScriptStep): boolean {
  const targets = 'to' in step && typeof step.to === 'object' ? [step.to] : [];
  const at = 'at' in step && step.at !== null ? [step.at, ...targets] : [];
  return at.some(({ name, nth }) => isMasked(name) || (name === '' && nth === null));
}

const HISTORY = {
  back: 'await page.goBack();',
  forward: 'await page.goForward();',
  reload: 'await page.reload();',
} as const;

function clickOf({ button, count, modifiers }: Extract<ScriptStep, { do: 'click' }>): string {
  const options = {
    ...(button === 'left' ? {} : { button }),
    ...(count === 1 || count === 2 ? {} : { clickCount: count }),
    ...(modifiers.length === 0 ? {} : { modifiers }),
  };
  return `${count === 2 ? 'dblclick' : 'click'}(${Object.keys(options).length === 0 ? '' : literal(options)})`;
}

function locator({ role, name, nth, frame }: ScriptTarget): string {
  const top = frame === null || isMasked(frame) ? 'page' : `page.frame({ url: ${literal(frame)} })`;
  const isNamed = name !== '' && !isMasked(name);
  const exact = isNamed ? `, { name: ${literal(name)}, exact: true }` : '';
  const found = ARIA_ROLES.has(role)
    ? `getByRole(${literal(role)}${exact})`
    : isNamed
      ? `getByText(${literal(name)}, { exact: true })`
      : `locator('body')`;
  return `${top}.${found}${nth === null ? '' : `.nth(${nth})`}`;
}

/** Roles in a session's snapshots that are ARIA roles, so that `getByRole` finds them. */
const ARIA_ROLES: ReadonlySet<string> = new Set(
  'button checkbox combobox gridcell heading img link listbox listitem menuitem menuitemcheckbox menuitemradio option radio row searchbox slider spinbutton switch tab textbox treeitem'.split(
    ' ',
  ),
);

function variableOf({ secret, wantsCode }: Extract<ScriptValue, { secret: string }>): string {
  const name = secret.toUpperCase().replaceAll(/[^A-Z0-9]/gu, '_');
  return `SECRET_${name}${wantsCode ? '_OTP' : ''}`;
}

/** True for text with a masked secret, because such text does not match the text of the page. */
function isMasked(text: string): boolean {
  return text.includes('••') || text.includes('REDACTED');
}

/**
 * A JavaScript literal. Escapes U+2028 and U+2029, which older JavaScript refuses in strings, and `<`, so that
 * `</script` in it cannot end a script element.
 */
function literal(value: unknown): string {
  const written: string = JSON.stringify(value, (_, one: unknown) =>
    typeof one === 'string' ? sanitizeText(one) : one,
  );
  return written
    .replaceAll('<', String.raw`\u003c`)
    .replaceAll('\u2028', String.raw`\u2028`)
    .replaceAll('\u2029', String.raw`\u2029`);
}

function comment(words: string): string {
  return words.replaceAll(/[^\p{L}\p{N} ,.-]/gu, ' ');
}
