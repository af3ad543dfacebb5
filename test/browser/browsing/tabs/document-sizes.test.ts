import { expect, it } from 'vitest';
import * as pageScripts from '#generated/page-scripts.js';
import { sessionOn } from '#support/session-work.ts';

const WORDS = 'kelp '.repeat(20);
const DEPTH = 400;
const ids = Array.from({ length: DEPTH }, (_, at) => `n${at}`);
const workOn = sessionOn({
  '/nested': `${ids.map((id) => `<div id="${id}">${WORDS}`).join('')}${'</div>'.repeat(DEPTH)}${ids.map((id) => `<i aria-labelledby="${id}"></i>`).join('')}`,
  '/hidden': `<div style="display:none">${ids.map((id) => `<input type="checkbox" id="${id}">`).join('')}</div><label for="n9">Gift</label>`,
  '/labels': ids.map((id) => `<label for="${id}">${WORDS}</label><input id="${id}" aria-describedby="${id}">`).join(''),
});

/** Counts the characters and labels that page scripts read. */
const COUNT = `(() => {
  self.counted = { chars: 0, labels: 0 };
  const count = (prototype, name, add) => {
    const { get } = Object.getOwnPropertyDescriptor(prototype, name);
    Object.defineProperty(prototype, name, { configurable: true, get() { const read = get.call(this); add(read); return read; } });
  };
  for (const name of ['textContent', 'nodeValue']) count(Node.prototype, name, (text) => { self.counted.chars += (text ?? '').length; });
  count(HTMLInputElement.prototype, 'labels', () => { self.counted.labels += 1; });
})()`;

it.each(['/nested', '/labels'])(
  'a document is measured in time proportional to its size, with references: %s',
  async (path) => {
    const { tab } = await workOn(path);
    const frame = tab.main();
    const contextId = await tab.world(frame);
    const run = (expression: string) =>
      tab.session.send('Runtime.evaluate', { contextId, expression, returnByValue: true });
    await run(COUNT);
    await tab.sizes.count(frame);
    const { value } = (await run('self.counted')).result;
    expect(value).toMatchObject({ labels: 0 });
    expect(Reflect.get(Object(value), 'chars')).toBeLessThan(5 * DEPTH * WORDS.length);
    expect(await tab.sizes.count(frame)).toBeGreaterThan(path === '/nested' ? 8_000 : DEPTH * 3 - 1);
  },
);

it('the labels of boxes that are not displayed are found without a search for each box', async () => {
  const { tab } = await workOn('/hidden');
  const contextId = await tab.world(tab.main());
  const run = (expression: string) =>
    tab.session.send('Runtime.evaluate', { contextId, expression, returnByValue: true });
  await run(COUNT);
  const facts = await run(`(${pageScripts.collectDomFacts})(99, 99, 99, 99).hints.map(({ words }) => words)`);
  expect(facts.result.value).toEqual(['checkbox false']);
  expect((await run('self.counted')).result.value).toMatchObject({ labels: 0 });
});
