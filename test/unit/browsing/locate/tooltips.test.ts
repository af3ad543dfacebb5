import { beforeAll, describe, expect, it } from 'vitest';
import type { PageWithRefs } from '#support/page-with-refs.ts';
import { recordedPages } from '#support/recorded/recorded-pages.ts';
import type { RecordedTab } from '#support/recorded/recorded-tab.ts';

const ACCOUNTS = ['GitHub', 'GitLab'];
const PAGE = `<!doctype html><title>T</title>${ACCOUNTS.map(
  (name) => `<div><button class="${name}" title="Disconnect ${name}">Disconnect</button></div>`,
).join('')}<button class="all" title="Leaves GitLab, too">Leave</button>`;

describe('equal buttons with tooltips', () => {
  const pages = recordedPages('locate/tooltips', () => PAGE);
  let page: PageWithRefs<RecordedTab>;
  beforeAll(async () => {
    page = await pages.open('http://site.example/');
  });

  it.each([
    ['button "Disconnect GitLab"', 'GitLab'],
    ['text=Disconnect GitHub', 'GitHub'],
    ['"Disconnect GitHub"', 'GitHub'],
    ['button "GitHub"', 'GitHub'],
    ['button "Leave"', 'all'],
  ])('are found by their tooltips where no name fits: %s', async (target, id) => {
    expect(await page.ask(await page.resolve(target), 'this.className')).toBe(id);
  });

  it('are listed with their tooltips when only their name is passed', async () => {
    const failure = await page.failure('button "Disconnect"');
    const quoted = 'quoted' in failure ? failure.quoted : '';
    for (const name of ACCOUNTS) expect(quoted).toContain(`button "Disconnect" (tooltip "Disconnect ${name}")`);
  });
});
