/** An element of any kind. Members that only some kinds have are optional. */
export type AnyElement = HTMLElement &
  Partial<
    Pick<
      HTMLInputElement,
      'autocomplete' | 'checked' | 'labels' | 'list' | 'readOnly' | 'select' | 'setSelectionRange' | 'type' | 'value'
    >
  > &
  Partial<Pick<HTMLSelectElement, 'multiple' | 'options'>>;

/** The element on which a script was called; `null` if it was called on the document. */
export function elementCalledOn(target: AnyElement | Window): AnyElement | null {
  return isWindow(target) ? null : target;
}

function isWindow(target: object): target is Window {
  return target === globalThis;
}

/**
 * The root element of the document, even if a page element is named `documentElement`. An empty element if a script has
 * removed the root.
 */
export function rootElement(): Element {
  const root: Element | null = Reflect.get(Document.prototype, 'documentElement', document);
  return root ?? document.createElement('html');
}

/** The control of a label; for any other element, and for a label without a control, the element itself. */
export function findLabelledControl(element: AnyElement): AnyElement {
  return isLabel(element) ? (element.control ?? element) : element;
}

function isLabel(element: Element): element is HTMLLabelElement {
  return element.localName === 'label';
}

/** The labels of a field. `[]` for a form, because a form may have a field named `labels`. */
export function labelsOf(element: AnyElement): readonly HTMLLabelElement[] {
  return element.localName === 'form' ? [] : [...(element.labels ?? [])];
}

/** The labels of a tree, each with its control. Reading the `labels` of every control would take quadratic time. */
export function labelsWithControls(root: Document | ShadowRoot): (readonly [label: Element, control: Element])[] {
  return [...queryAll(root, 'label')].flatMap((label) => {
    const control: Element | null = isLabel(label) ? Reflect.get(HTMLLabelElement.prototype, 'control', label) : null;
    return control === null ? [] : [[label, control] as const];
  });
}

/**
 * Reads the labels of controls, as they are at the first call. The `labels` of many controls take quadratic time,
 * because Chromium looks through the whole document for each control.
 */
export function createLabelReader(): (control: Element) => readonly Element[] {
  const known = new Map<Node, Map<Element, Element[]>>();
  return (control) => {
    const root = Node.prototype.getRootNode.call(control);
    if (!(root instanceof Document || root instanceof ShadowRoot)) return [];
    let byControl = known.get(root);
    if (byControl === undefined) {
      byControl = new Map();
      for (const [label, labelled] of labelsWithControls(root)) {
        const labels = byControl.get(labelled);
        if (labels === undefined) byControl.set(labelled, [label]);
        else labels.push(label);
      }
      known.set(root, byControl);
    }
    return byControl.get(control) ?? [];
  };
}

/** The document or shadow root that contains an element. For a detached tree, its top element. */
export type DocumentRoot = Node & Partial<Pick<ShadowRoot, 'host'>> & Partial<Pick<ShadowRoot, 'elementFromPoint'>>;

/** The element at a point. Uses the prototype's method, because a form named `elementFromPoint` may hide it. */
export function hitTestRoot(root: DocumentRoot, x: number, y: number): Element | null {
  if (root === document) return Document.prototype.elementFromPoint.call(document, x, y);
  return root.elementFromPoint?.(x, y) ?? null;
}

/** The innermost element at a point, through open shadow trees, even if a form has a field named `shadowRoot`. */
export function hitTestDeep(root: DocumentRoot, x: number, y: number): Element | null {
  let hit = hitTestRoot(root, x, y);
  while (hit !== null) {
    const inside: ShadowRoot | null = Reflect.get(Element.prototype, 'shadowRoot', hit);
    const inner = inside === null ? null : hitTestRoot(inside, x, y);
    if (inner === null || inner === hit) break;
    hit = inner;
  }
  return hit;
}

/**
 * The parent element. Read through the prototype, because a form field named `parentElement` could cause an endless
 * loop.
 */
export function parentElementOf(node: Node): Element | null {
  return Reflect.get(Node.prototype, 'parentElement', node);
}

/** Functions that read members of nodes. They work even if a form has fields with the names of these members. */
export type DomReaders = {
  firstChild: (node: Node) => Node | null;
  nextSibling: (node: Node) => Node | null;
  previousSibling: (node: Node) => Node | null;
  parentNode: (node: Node) => Node | null;
  nodeType: (node: Node) => number;
  localName: (element: Node) => string;
  attributes: (element: Node) => Iterable<Attr>;
  attribute: (element: Node, name: string) => string | null;
  shadowRoot: (element: Node) => ShadowRoot | null;
  rect: (element: Node) => DOMRect;
  style: (element: Node) => CSSStyleDeclaration;
  assigned: (slot: Node) => readonly Node[];
  isRendered: (element: Node) => boolean;
  text: (element: Element) => string;
  /** Labels of the chosen options of a `<select>`. */
  chosen: (select: Node) => string;
};

export function createDomReaders(): DomReaders {
  // Calling a getter is several times faster than `Reflect.get` with a receiver.
  const reader = (prototype: object, name: string) => {
    const getter = method(Object.getOwnPropertyDescriptor(prototype, name) ?? {}, 'get');
    return (node: Node) => getter.call(node);
  };
  const caller = (prototype: object, name: string) => {
    const called = method(prototype, name);
    return (node: Node) => called.call(node);
  };
  const getAttribute = method(Element.prototype, 'getAttribute');
  const computeStyle = method(globalThis, 'getComputedStyle');
  // Computed styles are live, so one object per element stays correct.
  const styles = new Map<Node, CSSStyleDeclaration>();
  return {
    firstChild: reader(Node.prototype, 'firstChild'),
    nextSibling: reader(Node.prototype, 'nextSibling'),
    previousSibling: reader(Node.prototype, 'previousSibling'),
    parentNode: reader(Node.prototype, 'parentNode'),
    nodeType: reader(Node.prototype, 'nodeType'),
    localName: reader(Element.prototype, 'localName'),
    attributes: reader(Element.prototype, 'attributes'),
    attribute: (element, name) => getAttribute.call(element, name),
    shadowRoot: reader(Element.prototype, 'shadowRoot'),
    style: (element) => {
      const style = styles.get(element) ?? computeStyle(element);
      styles.set(element, style);
      return style;
    },
    rect: caller(Element.prototype, 'getBoundingClientRect'),
    assigned: caller(HTMLSlotElement.prototype, 'assignedNodes'),
    isRendered: caller(Element.prototype, 'checkVisibility'),
    text: reader(Node.prototype, 'textContent'),
    chosen: (select) => {
      const options: Iterable<HTMLOptionElement> = Reflect.get(HTMLSelectElement.prototype, 'selectedOptions', select);
      return [...options].map(({ label }) => label).join(' ');
    },
  };
}

/** Visits only elements. Works even if a page element hides the document's method of the same name. */
export type ElementWalker = Record<'nextNode' | 'nextSibling' | 'parentNode', () => Element | null>;

export function elementWalker(root: Node): ElementWalker {
  return method(Document.prototype, 'createTreeWalker').call(document, root, NodeFilter.SHOW_ELEMENT);
}

/** The document and its open shadow trees. */
export function openRoots(): (Document | ShadowRoot)[] {
  const roots: (Document | ShadowRoot)[] = [document];
  for (const root of roots) {
    const walker = elementWalker(root);
    for (let element = walker.nextNode(); element !== null; element = walker.nextNode()) {
      const shadow: unknown = Reflect.get(Element.prototype, 'shadowRoot', element);
      if (shadow instanceof ShadowRoot) roots.push(shadow);
    }
  }
  return roots;
}

export function queryAll(root: Document | ShadowRoot, selector: string): Iterable<AnyElement> {
  return method(prototypeOf(root), 'querySelectorAll').call(root, selector);
}

export function elementById(root: Document | ShadowRoot, id: string): AnyElement | null {
  return method(prototypeOf(root), 'getElementById').call(root, id);
}

function prototypeOf(root: Document | ShadowRoot): object {
  return root instanceof ShadowRoot ? ShadowRoot.prototype : Document.prototype;
}

/** The text of the elements in `aria-labelledby`. Limited, because a page may reference a large element many times. */
export function labelledBy(element: Element, root: Document | ShadowRoot, max = LABEL_CHARS_MAX): string {
  const { attribute, text } = createDomReaders();
  const ids = (attribute(element, 'aria-labelledby') ?? '').split(/\s+/u).filter((id) => id !== '');
  const labels = ids.slice(0, LABELS_MAX).flatMap((id) => elementById(root, id) ?? []);
  return labels.map((label) => text(label).slice(0, max)).join(' ');
}

const LABELS_MAX = 8;
const LABEL_CHARS_MAX = 1_000;

/** Visits only text nodes. */
export function textWalker(root: Node): Record<'nextNode', () => Node | null> {
  return method(Document.prototype, 'createTreeWalker').call(document, root, NodeFilter.SHOW_TEXT);
}

/** Visits elements and text nodes. */
export function nodeWalker(root: Node): Record<'nextNode', () => Node | null> {
  return method(Document.prototype, 'createTreeWalker').call(
    document,
    root,
    NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT,
  );
}

function method(prototype: object, name: string) {
  return Reflect.get(prototype, name);
}
