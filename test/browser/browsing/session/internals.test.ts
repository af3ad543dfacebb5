import { describe, expect, it } from 'vitest';
import { fillFields, createFillProgress } from '#browsing/session/operations/filling/fill-fields.ts';
import type { OperationWork } from '#browsing/session/operations/perform.ts';
import { createStepListProgress, runSteps } from '#browsing/session/steps/step-list.ts';
import { parseStepLines } from '#browsing/session/steps/step-lines.ts';
import { inPage } from '#support/page-calls.ts';
import { sessionOn } from '#support/session-work.ts';

/** Components whose roles and states only `ElementInternals` tells. */
const DEFINED = `<script>
  const define = (name, role, toggle) => customElements.define(name, class extends HTMLElement {
    #inner = this.attachInternals();
    connectedCallback() {
      this.#inner.role = role; this.#inner.ariaChecked = this.getAttribute('at') ?? 'false'; this.tabIndex = 0; this.style.display = 'inline-block';
      this.onclick = () => { toggle(this); said.textContent = [...document.querySelectorAll('[id]')].filter((one) => one.state).map((one) => one.id + '=' + one.state).join(' '); };
    }
    get state() { return this.#inner.ariaChecked }
    set state(is) { this.#inner.ariaChecked = is }
  });
  const flip = (one) => { one.state = String(one.state !== 'true') };
  const only = (one) => { for (const other of document.querySelectorAll(one.localName)) other.state = String(other === one) };
  define('x-box', 'checkbox', flip); define('x-switch', 'switch', flip); define('x-radio', 'radio', only); define('x-dead', 'checkbox', () => {});
  customElements.define('x-text', class extends HTMLElement {
    #inner = this.attachInternals();
    connectedCallback() { this.#inner.role = 'textbox'; this.attachShadow({ mode: 'open', delegatesFocus: true }).innerHTML = '<input>' }
  });</script>`;
const BODY = `${DEFINED}<x-box id="news">News</x-box> <x-box id="old" at="true">Old</x-box> <x-switch id="dark">Dark</x-switch> <x-radio id="month">Monthly</x-radio>
  <x-radio id="year">Yearly</x-radio> <x-dead id="dead">Dead</x-dead> <x-text id="nick" aria-label="Nick"></x-text><p id="said"></p>`;
const workOn = sessionOn({ '/': BODY });

async function take(work: OperationWork, ...lines: string[]) {
  const input = { steps: parseStepLines(lines), snapshot: false, expectsDialog: false };
  return runSteps(work, input, createStepListProgress(input), () => false);
}

describe('a control described only by ElementInternals', () => {
  it('is checked, unchecked and read', async () => {
    const work = await workOn('/');
    const lines = [
      'check "News"',
      'uncheck "Old"',
      'check switch "Dark"',
      'check "Yearly"',
      'check "News"',
      'expect checkbox "News" is checked',
    ];
    expect(await take(work, ...lines)).toMatchObject({ done: 6, stopped: null });
    expect(await inPage(work.tab, 'said.textContent')).toContain('news=true old=false dark=true month=false year=true');
  });

  it('ends a list of steps if it does not change', async () => {
    const problem = 'the click did not change its state, which is still off';
    expect(await take(await workOn('/'), 'check "Dead"', 'check "News"')).toMatchObject({
      done: 0,
      stopped: { why: 'unmet', problem },
    });
  });

  it('accepts text in its only field', async () => {
    const work = await workOn('/');
    const given = { targets: ['textbox "Nick"'], values: ['Ann'], snapshot: false };
    const { fields } = await fillFields(work, given, createFillProgress(given));
    expect(fields).toMatchObject([{ value: 'Ann', differs: false }]);
    expect(await inPage(work.tab, `nick.shadowRoot.querySelector('input').value`)).toBe('Ann');
  });
});
