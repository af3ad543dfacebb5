/** Reads members of nodes, even where the named fields of a form hide them. */
export type Readers = {
  firstChild: (node: Node) => Node | null;
  nextSibling: (node: Node) => Node | null;
  parentNode: (node: Node) => Node | null;
  nodeType: (node: Node) => number;
  localName: (element: Node) => string;
  attributes: (element: Node) => Iterable<Attr>;
  shadowRoot: (element: Node) => ShadowRoot | null;
  rect: (element: Node) => DOMRect;
  style: (element: Node) => CSSStyleDeclaration;
  assigned: (slot: Node) => readonly Node[];
  /** Whether the browser lays it out. */
  isRendered: (element: Node) => boolean;
  /** Of a list of options: the labels of those that are chosen. */
  chosen: (select: Node) => string;
};

export function readers(): Readers {
  const reader = (prototype: object, name: string) => (node: Node) => Reflect.get(prototype, name, node);
  const caller = (prototype: object, name: string) => {
    const called = method(prototype, name);
    return (node: Node) => called.call(node);
  };
  return {
    firstChild: reader(Node.prototype, 'firstChild'),
    nextSibling: reader(Node.prototype, 'nextSibling'),
    parentNode: reader(Node.prototype, 'parentNode'),
    nodeType: reader(Node.prototype, 'nodeType'),
    localName: reader(Element.prototype, 'localName'),
    attributes: reader(Element.prototype, 'attributes'),
    shadowRoot: reader(Element.prototype, 'shadowRoot'),
    style: (element) => method(globalThis, 'getComputedStyle')(element),
    rect: caller(Element.prototype, 'getBoundingClientRect'),
    assigned: caller(HTMLSlotElement.prototype, 'assignedNodes'),
    isRendered: caller(Element.prototype, 'checkVisibility'),
    chosen: (select) => {
      const options: Iterable<HTMLOptionElement> = Reflect.get(HTMLSelectElement.prototype, 'selectedOptions', select);
      return [...options].map(({ label }) => label).join(' ');
    },
  };
}

/** Walks elements only, whatever the members of the document are called. */
export type ElementWalker = Record<'nextNode' | 'nextSibling' | 'parentNode', () => Element | null>;

export function elementWalker(root: Node): ElementWalker {
  return method(Document.prototype, 'createTreeWalker').call(document, root, NodeFilter.SHOW_ELEMENT);
}

function method(prototype: object, name: string) {
  return Reflect.get(prototype, name);
}
