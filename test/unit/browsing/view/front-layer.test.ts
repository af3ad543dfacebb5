import { describe, expect, it } from 'vitest';
import { recordedPages } from '#support/recorded/recorded-pages.ts';

const OVERLAY = 'position:fixed;inset:0;background:#eee';
const layer = (index: number, role: string, words: string) =>
  `<div style="${OVERLAY};z-index:${index}"><div ${role}><p>${words}</p><button>Cancel</button></div></div>`;
const PAGE = '<h1>Settings</h1><button>Cancel</button>';
const MODAL = 'role="dialog" aria-modal="true"';

const PAGES: Readonly<Record<string, string>> = {
  '/modals': PAGE + layer(9, MODAL, 'Really delete?') + layer(5, MODAL, 'Edit profile'),
  '/later': PAGE + layer(5, MODAL, 'Edit profile') + layer(5, MODAL, 'Really delete?'),
  '/plain': PAGE + layer(5, '', 'Edit profile') + layer(9, '', 'Really delete?') + '<footer>Imprint</footer>',
  '/app': `<div style="${OVERLAY};z-index:1">${PAGE}<div role="menu"><p role="menuitem">Copy</p></div><p>Words</p></div><button style="position:fixed;right:0;bottom:0;z-index:9">Chat</button>`,
  '/root': `<div style="${OVERLAY}">${PAGE}<p>Words</p></div>`,
};

const pages = recordedPages('view/front-layer', ({ pathname }) => {
  const body = PAGES[pathname];
  return body === undefined ? null : `<!doctype html><title>T</title><body>${body}`;
});

const open = (path: string) => pages.open(`http://site.example${path}`);

describe('the layer in front of the others', () => {
  it.each(['/modals', '/later', '/plain'])('comes first in the view: %s', async (path) => {
    const lines = (await (await open(path)).text()).split('\n').map((line) => line.trim());
    const at = (words: string) => lines.indexOf(words);
    expect(lines.slice(0, 3).join(' ')).toMatch(/^(?:dialog modal )?Really delete\? @e\d+ button "Cancel"/u);
    expect(at('Edit profile')).toBeGreaterThan(at('Really delete?'));
    expect(at('# Settings')).toBeGreaterThan(at('Really delete?'));
  });

  it.each(['/modals', '/later', '/plain'])('has the control that a name means: %s', async (path) => {
    const page = await open(path);
    const element = await page.resolve('button "Cancel"');
    expect(await page.ask(element, 'this.previousElementSibling.textContent')).toBe('Really delete?');
  });

  it('comes after a menu that is open in it', async () => {
    const lines = (await (await open('/app')).text()).split('\n');
    expect(lines.map((line) => line.replace(/@e\d+ /u, ''))).toEqual([
      'menu',
      ' menuitem "Copy"',
      '# Settings',
      'button "Cancel"',
      'Words',
      'button "Chat"',
    ]);
  });

  it('is not the root of an application, over which nothing lies', async () => {
    expect((await (await open('/root')).text()).split('\n')).toEqual(['# Settings', '@e1 button "Cancel"', 'Words']);
  });
});
