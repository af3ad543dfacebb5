import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { RealBrowser } from './real-browser.ts';

/** Problems of a page that a user, or axe on behalf of users with a screen reader or a keyboard, would meet. */
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
/** Each width and each scheme once: schemes change only colours, and widths everything else. */
const VIEWS = [
  [DESK, 'light'],
  [PHONE, 'dark'],
] as const;

/**
 * Where the pointer is a finger, as on a phone, buttons are 44 px high; with a mouse, 36 px (WCAG 2.2 asks for 24).
 * Content that is too wide widens a phone's window and `innerWidth`, so the width of the screen is compared.
 */
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
