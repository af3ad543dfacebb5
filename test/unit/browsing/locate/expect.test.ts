import { expect, it } from 'vitest';
import { waitForExpectation } from '#browsing/locate/expect.ts';
import { patience } from '#support/page-calls.ts';
import { recordedPages } from '#support/recorded/recorded-pages.ts';

const PAGE = `<!doctype html><title>S</title>
<label>Password <input type="password" value="otters"></label><label>City <input value="Oslo"></label>`;

const pages = recordedPages('locate/expect', () => PAGE);

async function expectValue(target: string, is: string) {
  const { tab, refs } = await pages.open('http://site.example/');
  const asked = { of: 'value', is, isNot: false } as const;
  return waitForExpectation({ target, asked }, { tab, byId: () => tab }, refs, patience());
}

async function expectText(value: string) {
  const { tab, refs } = await pages.open('http://site.example/');
  const wanted = { kind: 'text', value, isGone: false } as const;
  return waitForExpectation({ wanted }, { tab, byId: () => tab }, refs, patience());
}

it('the value of a field can be expected, and is quoted if it differs', async () => {
  expect(await expectValue('textbox "City"', 'Oslo')).toBeNull();
  expect(await expectValue('textbox "City"', 'Paris')).toMatchObject({ words: 'Oslo' });
});

it.each([
  ['Oslo', 'in field'],
  ['/^Os/', 'in field'],
  ['City', null],
])('a text may be expected on the page or in a field that is not secret: %s', async (value, met) => {
  expect(await expectText(value)).toBe(met);
});

it.each(['otters', 'Paris'])(
  'a text is not expected in a secret field, or where no field has it: %s',
  async (value) => {
    expect(await expectText(value)).toMatchObject({ problem: 'it is not on the page' });
  },
);

it.each(['otters', 'beavers'])('the value of a secret field cannot be guessed: %s', async (guess) => {
  const unmet = await expectValue('textbox "Password"', guess);
  expect(unmet).toEqual({ problem: 'its value is not shown, because it may be a secret', words: '' });
});
