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

it('the value of a field can be expected, and is quoted if it differs', async () => {
  expect(await expectValue('textbox "City"', 'Oslo')).toBeNull();
  expect(await expectValue('textbox "City"', 'Paris')).toMatchObject({ words: 'Oslo' });
});

it.each(['otters', 'beavers'])('the value of a secret field cannot be guessed: %s', async (guess) => {
  const unmet = await expectValue('textbox "Password"', guess);
  expect(unmet).toEqual({ problem: 'its value is not shown, because it may be a secret', words: '' });
});
