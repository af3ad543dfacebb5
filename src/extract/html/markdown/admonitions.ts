import { classOf } from '#extract/html/dom.ts';
import type { DomElement } from '#extract/html/dom.ts';

const NAMED =
  /(?:^|\s)(?:admonition|markdown-alert|custom-block|theme-admonition\S*|callout|admonitionblock|confluence-information-macro|starlight-aside)(?:\s|$)/;
/** Words that mean an admonition only with the role of a note. */
const NOTED = /(?:^|\s)(?:alert|alert-\w+|notice|note|tip|warning|hint)(?:\s|$)/;
const TITLE =
  /(?:^|\s)(?:admonition-title|markdown-alert-title|custom-block-title|callout-title|callout-title-container|admonition-heading|starlight-aside__title)(?:\s|$)|admonitionHeading/;
/** Engines that call its title just `title`. */
const AROUND_TITLE = '.admonitionblock, .confluence-information-macro';

/** Whether a box is set apart from the text as a note, tip or warning. */
export function isAdmonition(element: DomElement): boolean {
  const name = element.localName;
  if (name !== 'div' && name !== 'aside') return false;
  const className = classOf(element);
  return NAMED.test(className) || (NOTED.test(className) && element.getAttribute('role') === 'note');
}

export function isAdmonitionTitle(element: DomElement): boolean {
  const className = classOf(element);
  if (className === '') return false;
  return TITLE.test(className) || (className === 'title' && element.closest(AROUND_TITLE) !== null);
}

/** The name of an admonition whose title is drawn only; empty when the title is written. */
export function untitledLabel(element: DomElement): string {
  const label = element.getAttribute('aria-label') ?? '';
  if (label === '') return '';
  for (const child of element.children) if (isAdmonitionTitle(child)) return '';
  return label;
}
