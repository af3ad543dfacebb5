import { compile } from 'css-select';
import { Parser } from 'htmlparser2';

const ELEMENT = 1;
const TEXT = 3;
const SPACES = /\s+/;

type Node = Element | Text;
type Attributes = Record<string, string>;

/**
 * The links between nodes. Other trees also keep what events and scripts need, which is most of their cost and is never
 * read here.
 */
class Placed {
  parentNode: Element | null = null;
  nextSibling: Node | null = null;
  previousSibling: Node | null = null;

  get parentElement(): Element | null {
    return this.parentNode;
  }
}

class Text extends Placed {
  readonly nodeType = TEXT;
  readonly firstChild = null;
  readonly textContent: string;

  constructor(textContent: string) {
    super();
    this.textContent = textContent;
  }
}

class Element extends Placed {
  readonly nodeType = ELEMENT;
  localName: string;
  firstChild: Node | null = null;
  private lastChild: Node | null = null;
  private readonly attributes: Attributes;

  constructor(localName: string, attributes: Attributes) {
    super();
    this.localName = localName;
    this.attributes = attributes;
  }

  append(node: Node): void {
    node.parentNode = this;
    node.previousSibling = this.lastChild;
    if (this.lastChild === null) this.firstChild = node;
    else this.lastChild.nextSibling = node;
    this.lastChild = node;
  }

  /** Removes it from its parent. */
  remove(): void {
    const { parentNode: parent, previousSibling: before, nextSibling: after } = this;
    if (parent === null) return;
    if (before === null) parent.firstChild = after;
    else before.nextSibling = after;
    if (after === null) parent.lastChild = before;
    else after.previousSibling = before;
    this.parentNode = null;
    this.previousSibling = null;
    this.nextSibling = null;
  }

  getAttribute(name: string): string | null {
    // Properties that every object has are not attributes.
    const value: unknown = this.attributes[name];
    return typeof value === 'string' ? value : null;
  }

  hasAttribute(name: string): boolean {
    return this.getAttribute(name) !== null;
  }

  get textContent(): string {
    let text = '';
    for (let node = following(this, this); node !== null; node = following(this, node)) {
      if (node.nodeType === TEXT) text += node.textContent;
    }
    return text;
  }

  get children(): readonly Element[] {
    return childrenOf(this).filter(isElement);
  }

  get nextElementSibling(): Element | null {
    let next = this.nextSibling;
    while (next !== null && next.nodeType !== ELEMENT) next = next.nextSibling;
    return next;
  }

  querySelector(selector: string): Element | null {
    return firstOf(this, testOf(selector));
  }

  querySelectorAll(selector: string): readonly Element[] {
    const fits = testOf(selector);
    const found: Element[] = [];
    for (let node = following(this, this); node !== null; node = following(this, node)) {
      if (node.nodeType === ELEMENT && fits(node)) found.push(node);
    }
    return found;
  }

  closest(selector: string): Element | null {
    return closestOf(this, testOf(selector));
  }
}

/** A page as a tree. */
export class PageTree {
  readonly documentElement: Element;
  readonly head: Element;
  readonly body: Element;

  /** @param html well nested, with `html`, `head` and `body` */
  constructor(html: string) {
    const around = new Element('', {});
    read(html, around);
    this.documentElement = partOf(around, 'html');
    this.documentElement.remove();
    this.head = partOf(this.documentElement, 'head');
    this.body = partOf(this.documentElement, 'body');
  }

  querySelector(selector: string): Element | null {
    const root = this.documentElement;
    const fits = testOf(selector);
    return fits(root) ? root : firstOf(root, fits);
  }

  querySelectorAll(selector: string): readonly Element[] {
    const root = this.documentElement;
    const found = root.querySelectorAll(selector);
    return testOf(selector)(root) ? [root, ...found] : found;
  }
}

function read(html: string, root: Element): void {
  let open = root;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (attributes['class'] !== undefined) attributes['class'] = namesIn(attributes['class']);
        const element = new Element(name, attributes);
        open.append(element);
        open = element;
      },
      ontext(text) {
        open.append(new Text(text));
      },
      onclosetag() {
        open = open.parentNode ?? open;
      },
    },
    { lowerCaseAttributeNames: false, decodeEntities: true },
  );
  parser.write(html);
  parser.end();
}

/** The class names, each once, separated by single spaces. */
function namesIn(value: string): string {
  return /\s/.test(value) ? [...new Set(value.split(SPACES))].filter((name) => name !== '').join(' ') : value;
}

function partOf(parent: Element, name: string): Element {
  const found = parent.children.find(({ localName }) => localName === name);
  if (found !== undefined) return found;
  const part = new Element(name, {});
  parent.append(part);
  return part;
}

/** The next node in document order inside `root`. */
function following(root: Element, node: Node): Node | null {
  if (node.firstChild !== null) return node.firstChild;
  for (let at: Node | null = node; at !== null && at !== root; at = at.parentNode) {
    if (at.nextSibling !== null) return at.nextSibling;
  }
  return null;
}

function firstOf(root: Element, fits: (element: Element) => boolean): Element | null {
  for (let node = following(root, root); node !== null; node = following(root, node)) {
    if (node.nodeType === ELEMENT && fits(node)) return node;
  }
  return null;
}

function closestOf(element: Element, fits: (element: Element) => boolean): Element | null {
  let at: Element | null = element;
  while (at !== null && !fits(at)) at = at.parentNode;
  return at;
}

function childrenOf(node: Node): Node[] {
  const children: Node[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) children.push(child);
  return children;
}

function isElement(node: Node): node is Element {
  return node.nodeType === ELEMENT;
}

/** @throws for an invalid selector */
function testOf(selector: string): (element: Element) => boolean {
  return compile<Node, Element>(selector, { adapter: ADAPTER, xmlMode: false });
}

const ADAPTER = {
  isTag: isElement,
  getAttributeValue: (element: Element, name: string) => element.getAttribute(name) ?? undefined,
  getChildren: childrenOf,
  getName: ({ localName }: Element) => localName,
  getParent: ({ parentNode }: Element) => parentNode,
  getSiblings: (node: Node) => (node.parentNode === null ? [node] : childrenOf(node.parentNode)),
  getText: ({ textContent }: Node) => textContent,
  hasAttrib: (element: Element, name: string) => element.hasAttribute(name),
  /** The interface asks for it. It is needed only to search several parts at once. */
  removeSubsets: (nodes: Node[]) => nodes,
};
