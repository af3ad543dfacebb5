import { createRowTest, groupByRoleAndName } from '#browsing/refs/rows.ts';
import { everyElement } from '#browsing/tree/ax-tree.ts';
import type { AxElement } from '#browsing/tree/ax-tree.ts';
import { isInteractive } from './interactive.ts';
import type { Page } from './page/page.ts';
import { readTextOfRow } from '#browsing/view/line/table-row.ts';
import type { RowOfLine } from './view-line.ts';
import { sanitizePageText } from './words.ts';

type RowTest = (part: AxElement) => boolean;

const known = new WeakMap<Page, RowTest>();

/** Returns a test for elements that repeat, such as table rows, cards or list items. */
export function createPageRowTest(page: Page): RowTest {
  const before = known.get(page);
  if (before !== undefined) return before;
  const rows = page.documents.map(({ root }) => {
    const acting = [...everyElement(root)].filter((element) => isInteractive(element, page));
    return createRowTest(acting, groupByRoleAndName(acting));
  });
  const isRow = (part: AxElement) => rows.some((test) => test(part));
  known.set(page, isRow);
  return isRow;
}

/** Finds the row around an element, with the text that identifies it. Results are cached per element. */
export class PageRows {
  readonly #page: Page;
  readonly #isRow: RowTest;
  readonly #known = new Map<AxElement, RowOfLine | null>();

  constructor(page: Page) {
    this.#page = page;
    this.#isRow = createPageRowTest(page);
  }

  /** The innermost row that is or contains the element and has text outside its controls; `null` for none. */
  around(element: AxElement | null): RowOfLine | null {
    const passed: AxElement[] = [];
    let row: RowOfLine | null = null;
    for (let at = element; at !== null && row === null; at = at.parent) {
      const before = this.#known.get(at);
      row = before ?? (before === undefined ? this.#of(at) : null);
      if (before !== undefined) break;
      passed.push(at);
    }
    for (const one of passed) this.#known.set(one, row);
    return row;
  }

  #of(element: AxElement): RowOfLine | null {
    const { backendNodeId: node } = element;
    if (node === null || !this.#isRow(element)) return null;
    const words = readTextOfRow(element, this.#page);
    return words === '' ? null : { node, words: sanitizePageText(words, ROW_WORDS_CHARS_MAX) };
  }
}

/** Maximum characters of the text that identifies a row. */
const ROW_WORDS_CHARS_MAX = 60;
