import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { typeText } from '#browsing/act/fields/type-text.ts';
import type { TypeOptions } from '#browsing/act/fields/type-text.ts';
import { startActing } from '#support/acting.ts';
import { failureOf, patience } from '#support/page-calls.ts';
import type { Acting } from '#support/acting.ts';

/** A field that moves the focus to the element `to` after three characters. */
const movesTo = (
  to: string,
) => `<input id="field" oninput="if (value.length === 3) document.getElementById('to').focus()">
  ${to.replace('>', ` id="to" onclick="window.pressed = true; event.preventDefault()">`)}`;
const boxes = (last: string) =>
  [0, 1, 2].map((at) => `<input id="box${at}" maxlength="1" oninput="this.nextElementSibling?.focus()">`).join('') +
  last;
const VERIFY = '<button id="verify">Verify</button>';

const PAGES = {
  '/button': movesTo('<button>Delete</button>'),
  '/link': movesTo('<a href="#gone">Delete</a>'),
  '/check': movesTo('<input type="checkbox">'),
  '/drawn': movesTo('<div role="button" tabindex="0">Delete</div>'),
  '/other-form': `<form onsubmit="return false">${movesTo('<span></span>')}</form><form onsubmit="window.pressed = true; return false"><button>Pay</button></form>
    <script>field.oninput = () => { if (field.value.length === 3) document.forms[1].elements[0].focus() }</script>`,
  '/at-key': `<input id="field"><button id="to" onclick="window.pressed = true">Delete</button><script>
    field.onkeydown = ({ key }) => { if (key === 'Enter') document.getElementById('to').focus() }</script>`,
  '/form-code': `<form onsubmit="window.sent = true; return false">${boxes(VERIFY)}</form>`,
  '/editor': movesTo('<textarea></textarea>'),
  '/frame-form': `<input id="field" oninput="if (value.length === 3) frame.contentWindow.focus()"><iframe id="frame" src="/form"></iframe>`,
  '/form': `<form onsubmit="parent.pressed = true; return false"><input id="x"><button>Pay</button></form><script>onfocus = () => x.focus()</script>`,
  '/beside': '<input id="field"><button onclick="window.pressed = true">Next</button>',
};

let browser: Awaited<ReturnType<typeof startActing>>;

beforeAll(async () => {
  browser = await startActing(PAGES);
});

afterAll(() => browser.close());

async function type(page: Acting, selector: string, typing: TypeOptions): Promise<void> {
  await typeText(page.tab, await page.find(selector), typing, patience());
}

const MOVED = { code: 'element_not_found', reason: 'focus_moved' };

describe('if the page moves the focus to a control while a text is typed', () => {
  it.each(['/button', '/link', '/check', '/drawn', '/other-form'])(
    'no space and no Enter of the text presses it: %s',
    async (path) => {
      for (const typing of [{ text: 'the lamp is lit' }, { text: 'the\nlamp' }, { text: 'the', submit: true }]) {
        const page = await browser.open(path);
        expect(await failureOf(type(page, '#field', typing))).toMatchObject(MOVED);
        expect(await page.ask('[field.value, window.pressed === true]')).toEqual(['the', false]);
      }
    },
  );

  it('no key of the call presses it after the text', async () => {
    const page = await browser.open('/button');
    expect(await failureOf(type(page, '#field', { text: 'the', key: 'Enter' }))).toMatchObject(MOVED);
    expect(await page.ask('window.pressed')).toBeUndefined();
  });

  it('an Enter whose first event moved the focus does not press it', async () => {
    const page = await browser.open('/at-key');
    expect(await failureOf(type(page, '#field', { text: 'the', submit: true }))).toMatchObject(MOVED);
    expect(await page.ask('window.pressed')).toBeUndefined();
  });
});

it('the Enter that follows a secret does not reach a frame that has taken the focus', async () => {
  const page = await browser.open('/frame-form');
  const secret = { name: 'code', sites: ['http://site.example'], text: 'abc', maskParts: async () => undefined };
  const failure = await failureOf(type(page, '#field', { secret, submit: true }));
  expect(failure).toMatchObject({ code: 'element_not_found', reason: 'focus_taken' });
  expect(await page.ask('[field.value, window.pressed === true]')).toEqual(['abc', false]);
});

describe('keys reach the element with the focus', () => {
  it('if it is the button that submits the form of the field, as after a one-time code', async () => {
    const page = await browser.open('/form-code');
    await type(page, '#box0', { text: '123', submit: true });
    expect(await page.ask(`[document.activeElement.id, window.sent]`)).toEqual(['verify', true]);
  });

  it('if it is another field', async () => {
    const page = await browser.open('/editor');
    await type(page, '#field', { text: 'the lamp\nis lit' });
    expect(await page.ask(`[field.value, document.getElementById('to').value]`)).toEqual(['the', ' lamp\nis lit']);
  });

  it('if the caller moved it there by the Tab key', async () => {
    const page = await browser.open('/beside');
    await type(page, '#field', { text: 'a b', key: 'Tab Space' });
    expect(await page.ask('[field.value, window.pressed]')).toEqual(['a b', true]);
  });
});
