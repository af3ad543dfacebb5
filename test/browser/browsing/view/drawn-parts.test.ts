import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PageWithRefs } from '#support/page-with-refs.ts';
import { browserWith } from '#support/pretend-sites.ts';
import type { TestBrowser } from '#support/pretend-sites.ts';

let browser: TestBrowser;
let context: string;
let body = '';

const INNER: Readonly<Record<string, string>> = {
  '/talk': '<button>Post</button>',
};

beforeAll(async () => {
  browser = await browserWith(
    ({ pathname }) => `<!doctype html><meta charset="utf-8"><body>${INNER[pathname] ?? body}`,
  );
  context = await browser.openContext();
});

afterAll(() => browser.close());

async function openPage(html: string): Promise<PageWithRefs> {
  body = html;
  return new PageWithRefs(await browser.openTab(context, 'http://site.example/'));
}

describe('a frame that loads when scrolled into view', () => {
  it('is a line that says how to load it, and then its content', async () => {
    const page = await openPage(
      '<h2>Report</h2><div style="height:9000px"></div><iframe loading="lazy" title="Talk" src="/talk"></iframe>',
    );
    expect((await page.text()).split('\n')).toEqual([
      '## Report',
      '@e1 iframe "Talk" (not loaded yet: browser_scroll {"selector":"@e1","into_view":true} loads it)',
    ]);
    await page.run('document.querySelector("iframe").scrollIntoView()');
    await expect.poll(() => page.text()).toContain('@e1 iframe "Talk"\n @e2 button "Post"');
  });
});

describe('a choice that the page marks with a class alone', () => {
  it('names the class in the line of the control, for a drawn box, a chip and a list item', async () => {
    const page = await openPage(
      `<style>label,li{cursor:pointer}.box{display:inline-block;width:9px;height:9px}</style>
       <label><div class="box checked"><svg width="9" height="9"></svg></div><span>Research</span></label>
       <label><div class="box"></div><span>Legal</span></label>
       <button class="chip chip--selected">Full-time</button><button class="chip">Part-time</button>
       <ul><li class="is-chosen" onclick="0">Monday</li><li class="active" onclick="0">Sunday</li></ul>`,
    );
    expect((await page.text()).split('\n').map((line) => line.replace(/^ *(?:- )?/u, ''))).toEqual([
      '@e1 clickable "Research" (class "checked")',
      '@e2 clickable "Legal"',
      '@e3 button "Full-time" (class "chip--selected")',
      '@e4 button "Part-time"',
      '@e5 listitem "Monday" (class "is-chosen")',
      '@e6 listitem "Sunday"',
    ]);
  });

  it('names the class of the only active one of several siblings, such as the open tab', async () => {
    const page = await openPage(
      `<div><a href="#a" class="tab active">Daily</a><a href="#b" class="tab">Weekly</a></div>
       <ul><li><a href="#c" class="nav-link">Home</a></li><li><a href="#d" class="nav-link is-active">Team</a></li></ul>
       <ul><li><a href="#e">Old</a></li><li class="current"><a href="#f">New</a></li></ul>
       <p><button class="active">One</button><button class="active">Two</button><button>Three</button></p>
       <button class="active">Alone</button>`,
    );
    const marked = (await page.text()).split('\n').filter((line) => line.includes('(class '));
    expect(marked.map((line) => line.replace(/^.*?(@\S+)/u, '$1').replace(/ #\w$/u, ''))).toEqual([
      expect.stringMatching(/Daily.*\(class "active"\)/u),
      expect.stringMatching(/Team.*\(class "is-active"\)/u),
      expect.stringMatching(/New.*\(class "current"\)/u),
    ]);
  });

  it('is no part of a control, such as the current one of two prices in a link', async () => {
    const price = (title: string) =>
      `<a href="#${title}"><b>${title}</b><div><span class="price--old">9 €</span><span class="price--current">5 €</span></div></a>`;
    const page = await openPage(
      `${price('Lamp')}${price('Desk')}
       <button><span class="icon icon--active">A</span><span class="icon">B</span></button><button>Other</button>
       <button><i class="dot active"></i>Daily</button><button><i class="dot"></i>Weekly</button>`,
    );
    const marked = (await page.text()).split('\n').filter((line) => line.includes('(class '));
    expect(marked).toEqual([expect.stringMatching(/Daily" \(class "active"\)/u)]);
  });

  it('is no news where ARIA says it', async () => {
    const page = await openPage(
      '<button class="selected" aria-pressed="true">Bold</button><p class="checked">Only a text</p>',
    );
    expect((await page.text()).split('\n')).toEqual(['@e1 button "Bold" pressed', 'Only a text']);
  });
});

describe('a check box or radio button that CSS does not display', () => {
  it('is shown by its label, with its state, and found by its role', async () => {
    const page = await openPage(
      `<style>input{display:none}</style><label><input type="radio" name="plan">Basic <b>5 €</b></label>
       <label><input type="radio" name="plan" checked>Pro <b>9 €</b></label>
       <label><span style="display:none"><input type="checkbox"></span>Gift</label>
       <input type="checkbox" id="far" disabled checked><label for="far">Locked</label>
       <label style="display:none"><input type="checkbox">Unseen</label>`,
    );
    const shown = (await page.text()).match(/@e\d+ \w+ "[^"]*"(?: checked)?(?: disabled)?/gu);
    expect(shown).toEqual([
      '@e1 radio "Basic 5 €"',
      '@e2 radio "Pro 9 €" checked',
      '@e3 checkbox "Gift"',
      '@e4 checkbox "Locked" checked disabled',
    ]);
    const basic = await page.resolve('radio "Basic 5 €"');
    expect(await page.ask(basic, 'this.localName')).toBe('label');
  });
});
