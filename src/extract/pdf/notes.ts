import { countWithUnit } from '#core/text/text.ts';
import { PDF_ANNOTATIONS_PER_PAGE_MAX } from '#extract/limits.ts';

type Fact = keyof typeof TEXTS;

const PAGES_MAX = 20;

const TEXTS = {
  tables: (pages: string) =>
    `The columns of tables are uncertain on ${pages}: compare the values with the PDF before you use them.`,
  columns: (pages: string) =>
    `A sheet is wider than a page: ${pages} has further columns of the rows on the page before, in the same order.`,
  continued: (pages: string) =>
    `A table continues from the page before on ${pages}: its header is repeated there, although the page does not show it.`,
  rowsOrColumns: (pages: string) =>
    `Short blocks of text next to each other are read as rows on ${pages}, but they may be columns.`,
  lineNumbers: (pages: string) => `The line numbers in the margin are left out on ${pages}.`,
  annotations: (pages: string) =>
    `Links, form fields and comments are left out on ${pages}: there are more than ${PDF_ANNOTATIONS_PER_PAGE_MAX} on a page, or they draw too much.`,
  drawings: (pages: string) => `The text is left out on ${pages}, which draws too much to be read.`,
  pictures: (pages: string) => `No text was found on ${pages}: such a page is a picture or blank.`,
  hidden: (pages: string, count: number) =>
    `The PDF has text that a reader cannot see (white, tiny or in a layer that is switched off). It is left out: ${countWithUnit(count, 'character')} on ${pages}.`,
  unchecked: () =>
    'The PDF was not checked for text that a reader cannot see, because its pages have too many drawing commands.',
};

export class PdfFactCounter {
  private readonly found = new Map<Fact, Map<number, number>>();

  add(fact: Fact, page: number, count = 1): void {
    const pages = this.found.get(fact) ?? new Map<number, number>();
    pages.set(page, (pages.get(page) ?? 0) + count);
    this.found.set(fact, pages);
  }

  has(fact: Fact): boolean {
    return this.found.has(fact);
  }

  isAbout(page: number, fact: Fact): boolean {
    return this.found.get(fact)?.has(page) === true;
  }

  /** Returns the notes about pages up to `last`, because text of later pages is not in the result. */
  texts(last: number): string[] {
    return [...this.found].flatMap(([fact, pages]) => {
      const shown = [...pages].filter(([page]) => page <= last).sort(([one], [other]) => one - other);
      if (shown.length === 0) return [];
      const count = shown.reduce((sum, [, by]) => sum + by, 0);
      return [TEXTS[fact](pagesText(shown.map(([page]) => page)), count)];
    });
  }
}

function pagesText(pages: readonly number[]): string {
  const [first] = pages;
  if (pages.length === 1) return `page ${first}`;
  const more = pages.length > PAGES_MAX ? ` and ${pages.length - PAGES_MAX} more` : '';
  return `pages ${pages.slice(0, PAGES_MAX).join(', ')}${more}`;
}
