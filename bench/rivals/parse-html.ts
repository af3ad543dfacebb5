/** The tree of a page, by linkedom. The rivals are installed separately, so the project has no types for it. */
export type PageNode = {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly localName?: string;
  textContent: string | null;
  readonly childNodes: Iterable<PageNode>;
};

type PageElement = PageNode & {
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement> & { readonly length: number };
  closest(selector: string): PageElement | null;
  remove(): void;
  after(added: PageElement): void;
  prepend(text: string): void;
};

type Page = Pick<PageElement, 'querySelector' | 'querySelectorAll'> & {
  readonly body: PageElement;
  createElement(name: string): PageElement;
  toString(): string;
};

const NAME: string = 'linkedom';
const linkedom: { parseHTML(html: string): { document: Page } } = await import(NAME);

export function parseHTML(html: string): Page {
  return linkedom.parseHTML(html).document;
}
