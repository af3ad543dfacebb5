import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { RealBrowser } from './real-browser.ts';

/** What a person, or axe on behalf of people who use a screen reader or a keyboard, would trip over on a page. */
export async function troublesOf(browser: RealBrowser): Promise<string[]> {
  const troubles: string[] = [];
  for (const [width, scheme] of VIEWS) {
    await browser.view(width, scheme);
    const found = [...(await seen(browser, width)), ...(await foundByAxe(browser))];
    troubles.push(...found.map((trouble) => `${trouble} at ${width} px, ${scheme}`));
  }
  return troubles;
}

const DESK = 1280;
const PHONE = 360;
/** Each width and each scheme once: schemes change colours alone, and widths everything else. */
const VIEWS = [
  [DESK, 'light'],
  [PHONE, 'dark'],
] as const;

/** On a phone, and wherever the pointer is a finger, buttons are 44 px high; with a mouse, 36 px (WCAG 2.2 asks for 24). On a phone the window grows with what is too wide, and `innerWidth` with it: the screen does not. */
function seen(browser: RealBrowser, width: number): Promise<string[]> {
  return browser.see(`[
    ...(document.documentElement.scrollWidth > ${width} ? ['wider than the screen'] : []),
    ...[...document.querySelectorAll('input:not([type=hidden]):not([hidden])')]
      .filter((field) => field.labels.length === 0 && !field.hasAttribute('aria-label'))
      .map((field) => 'a field without a label: ' + field.name),
    ...[...document.querySelectorAll('button')].filter((button) => button.checkVisibility()
      && !button.classList.contains('quiet') && button.getBoundingClientRect().height < ${width === PHONE ? 44 : 36})
      .map((button) => 'too small to touch: ' + button.textContent),
    ...[...document.querySelectorAll('th, td, button, .state')].filter((cell) => cell.clientHeight > 160)
      .map((cell) => 'letters below each other: ' + cell.textContent.slice(0, 40)),
    ...[...document.querySelectorAll('.chip')].filter((chip) => chip.scrollWidth > chip.clientWidth)
      .map((chip) => 'cut: ' + chip.textContent),
    ...[...document.querySelectorAll('[hidden]')].filter((element) => element.checkVisibility())
      .map((element) => 'shown, but hidden: ' + element.id),
    ...(getComputedStyle(document.body).backgroundColor === 'rgba(0, 0, 0, 0)' ? ['without its style'] : []),
    ...[...document.images].filter((image) => image.complete && image.naturalWidth === 0 && image.loading !== 'lazy')
      .map((image) => 'a broken picture: ' + image.src),
  ]`);
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

async function foundByAxe(browser: RealBrowser): Promise<string[]> {
  const isThere = await browser.see<boolean>(`typeof axe === 'object'`);
  if (!isThere) await browser.see(`${AXE}; true`);
  return browser.see(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html.slice(0, 200))))`);
}
