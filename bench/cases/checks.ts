import type { Answer } from '../browser/subjects.ts';

/** The end of a case: the answers of its calls, and the last page, as a view and as a document. */
export type End = {
  answers: readonly Answer[];
  view: string;
  /** The value of an expression in the page. */
  ask: (expression: string) => Promise<unknown>;
};

type Check = (end: End) => boolean | Promise<boolean>;

const OUTPUT = `document.querySelector('output').textContent`;

/** The condition that must hold at the end, by case. */
export const CHECKS: Readonly<Record<string, Check>> = {
  '01-type-into-body': async ({ answers, ask }) => {
    const isRefused = answers[2]?.isError === true && (await ask('s.value')) === 'Hi';
    return isRefused || (await ask('o.textContent')) === 'to=ann@example.com subject=Hi body=secret text';
  },
  '03-labels-that-are-tags': async ({ ask }) => {
    const fields = await ask(`[...document.querySelectorAll('[name]')].map((e) => e.name + '=' + e.value).join(' ')`);
    const wanted =
      'title=x address=y time=a summary=a body=a code=a details=a link=a source=a label=a section=B name=a search=a menu=a data=a map=a';
    return fields === wanted;
  },
  '04-buttons-inside-link': ({ answers }) => {
    const [, cards = '', nested = ''] = ['', ...answers.map(({ text }) => text)];
    return (
      count(cards, /@e\d+ button "Save to wishlist"/g) === 2 &&
      count(cards, /@e\d+ combobox "Guests"/g) > 0 &&
      ['Add to cart', 'Save Lamp', '♥ Like', 'Remove'].every((name) =>
        new RegExp(`@e\\d+ button "${name}"`).test(nested),
      )
    );
  },
  '05-iframe-click': async ({ answers, view, ask }) => {
    const isRefused = answers[1]?.isError === true;
    const toggled = /toggled (\d+) times/.exec(String(await ask('o.textContent')))?.[1];
    return view.includes('"Lesson video"') && toggled === (isRefused ? '0' : '1');
  },
  '06-plain-suggestions': async ({ answers, ask }) => {
    const hasEnded = answers[1]?.text.includes('Took 0 of 3 steps') === true;
    return hasEnded || (await ask(OUTPUT)) === 'ok 10 Main Street, Shelbyville';
  },
  '08-editcontext': async ({ answers, ask }) => {
    const [view = '', , type = ''] = answers.map(({ text }) => text);
    const isShown = ['function a() {', '  return 1;', '}'].every((line) => view.includes(line));
    return isShown && type !== '' && (await ask(OUTPUT)) === '"abcX"';
  },
  '10-internals-controls': async ({ ask }) =>
    (await ask('o.textContent')) === 'Newsletter=true Dark mode=true Monthly=false Yearly=true',
  '12-multi-select': async ({ answers, ask }) => {
    if (/^i[=,]1 ; i[=,]3 ; t[=,]Blue$/.test(String(await ask('o.textContent')))) return true;
    return answers
      .slice(1)
      .every(({ text, isError }) => isError && !text.includes('drop-down') && /several options/.test(text));
  },
  '13-download-names': ({ answers }) => {
    const told = answers.map(({ text }) => text).join('\n');
    return ['Report Q1 2025.zip', 'Rechnung März.pdf', 'from-js.zip'].every((name) => told.includes(name));
  },
  '14-editor-placeholder': ({ answers }) => {
    const [, , cleared = '', expected = ''] = answers.map(({ text }) => text);
    return !cleared.includes('the field holds') && expected.includes('Took the step');
  },
  '15-lazy-frame': ({ answers }) => /Comments by Threads|Post comment/.test(answers[0]?.text ?? ''),
  '16-cover-named': ({ answers }) => {
    const { text = '', isError = false } = answers[1] ?? {};
    return isError && !text.includes('footer') && text.includes('div');
  },
  '17-virtual-500': async ({ ask }) => String(await ask('document.body.innerText')).includes('"sr":"v321"'),
  '18-copy-button': async ({ answers, ask }) =>
    (await ask('c.textContent')) === 'wrote' && answers[1]?.text.includes('copied!') === true,
};

function count(text: string, pattern: RegExp): number {
  return [...text.matchAll(pattern)].length;
}
