import { isBlank } from '#core/text/blank.ts';
import {
  BLOCK_TAGS,
  beginningOfText,
  classOf,
  elementsInside,
  firstInside,
  isElement,
  isText,
  nearestByTag,
  nextInside,
} from '#extract/html/tree.ts';
import type { DomElement, DomNode } from '#extract/html/tree.ts';
import { isInSignedLine } from './diffs.ts';
import { wrapContent } from './looks.ts';

/** Attribute by which MediaWiki's visual comparison marks changed parts. */
export const DIFF_ACTION_ATTRIBUTE = 'data-diff-action';

const MAY_BE_CHANGE = /diff/;
/** Matches classes that only comparisons give to deleted words. */
const DELETED = /(?:^|\s)(?:diff-(?:del|deleted?|removed?|html-removed)|diff_out|diffremoveword)(?:\s|$)/;
const ADDED = /(?:^|\s)(?:diff-(?:ins|inserted|add|added|html-added)|diff_in|diffaddword)(?:\s|$)/;
/** Matches the class of changed words in GitLab, next to one of the others. */
const GITLAB_WORDS = /(?:^|\s)idiff(?:\s|$)/;
const GITLAB_DELETED = /(?:^|\s)deletion(?:\s|$)/;
const GITLAB_ADDED = /(?:^|\s)addition(?:\s|$)/;
/** Matches classes that also mark whole deleted paragraphs. */
const DELETED_BLOCK = /(?:^|\s)(?:diff-del|diff-html-removed)(?:\s|$)/;
/** Matches a label or count of changes, such as `Removed:`, `-$3` or `3 deletions`, which is no deleted word. */
const LABEL =
  /^\s*(?:(?:removed|deleted)\s*(?::|$)|[-+−–▼↓][\s$€£¥.]*\d|\(\d|\d[\d,.]*\s*(?:additions?|insertions?|deletions?|lines?|added|removed|deleted)\b)/i;
const LABEL_CHARS_MAX = 100;
const WORDS: ReadonlySet<string> = new Set('span font a b i u em strong mark small label'.split(' '));
const CELLS: ReadonlySet<string> = new Set(['td', 'th']);

/**
 * Strikes out deleted words of a comparison that only a style sheet shows as deleted, and unmarks added ones. Parts of
 * code become `del` and `ins`. Linear in the tree.
 */
export function strikeDeletedWords(body: DomElement): void {
  const changes: { element: DomElement; isDeleted: boolean }[] = [];
  for (let node = nextInside(body, body); node !== null; node = nextInside(body, node)) {
    if (!isElement(node) || !node.hasAttributes()) continue;
    const isDeleted = changeOf(node);
    if (isDeleted !== null) changes.push({ element: node, isDeleted });
  }
  for (const { element, isDeleted } of changes) {
    if (BLOCK_TAGS.has(element.localName)) {
      if (isDeleted && !LABEL.test(beginningOfText(element, LABEL_CHARS_MAX) ?? '')) strikeBlocks(element);
      continue;
    }
    if (isInSignedLine(element) || isWholeLine(element) || LABEL.test(element.textContent)) continue;
    element.attributes = { ...element.attributes, class: '' };
    if (isDeleted) wrapContent(element, 'del');
    else if (nearestByTag('pre', element) !== null) wrapContent(element, 'ins');
  }
}

/** Returns true for a deleted part, false for an added one, and `null` for all others. */
function changeOf(element: DomElement): boolean | null {
  const action = element.getAttribute(DIFF_ACTION_ATTRIBUTE);
  if (action !== null) return action === 'remove' ? true : action === 'insert' ? false : null;
  const names = classOf(element);
  if (!MAY_BE_CHANGE.test(names)) return null;
  if (!WORDS.has(element.localName)) return DELETED_BLOCK.test(names) ? true : null;
  const isGitLab = GITLAB_WORDS.test(names);
  if (DELETED.test(names) || (isGitLab && GITLAB_DELETED.test(names))) return true;
  return ADDED.test(names) || (isGitLab && GITLAB_ADDED.test(names)) ? false : null;
}

/** True for the whole text of a cell, or for whole lines of code, which get the sign of a line. */
function isWholeLine(element: DomElement): boolean {
  const { parentNode, previousSibling, nextSibling } = element;
  if (nearestByTag('pre', element) !== null) return endsLine(previousSibling, /\n$/) && endsLine(nextSibling, /^\n/);
  const isAlone = [previousSibling, nextSibling].every((node) => node === null || isBlank(node.textContent));
  return isAlone && parentNode !== null && CELLS.has(parentNode.localName);
}

function endsLine(node: DomNode | null, lineEnd: RegExp): boolean {
  if (node === null) return true;
  return isText(node) ? lineEnd.test(node.textContent) : node.localName === 'br';
}

function strikeBlocks(element: DomElement): void {
  const inside = [...elementsInside(element, BLOCK_TAGS)];
  for (const block of inside.length === 0 ? [element] : inside)
    if (firstInside(block, BLOCK_TAGS) === null && !isBlank(block.textContent)) wrapContent(block, 'del');
}
