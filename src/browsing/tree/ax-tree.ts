import type { Protocol } from 'devtools-protocol';

/** The document that an element is in. */
export type DocumentKey = { frameId: string; loaderId: string };

/** An element or a text, as assistive technology sees it. Its words are the page's, unchanged. */
export type AxElement = {
  document: DocumentKey;
  backendNodeId: number | null;
  /** Chromium's role; `generic` for elements without one. */
  role: string;
  name: string;
  value: string;
  description: string;
  /** Where a link leads, as an absolute address. */
  url: string;
  properties: ReadonlyMap<string, string | number | boolean>;
  /** Nodes that label this one. */
  labels: readonly number[];
  /** Nodes that describe it further, such as what is wrong with its value. */
  notes: readonly number[];
  /** Not announced itself; only its content is. */
  ignored: boolean;
  parent: AxElement | null;
  children: AxElement[];
};

type AxNode = Protocol.Accessibility.AXNode;

/** Text boxes repeat their text node. */
const SKIPPED_ROLES = new Set(['InlineTextBox']);

/**
 * The tree of one document. It is built without recursion and has a fixed maximum depth: deeper elements are attached
 * to the last level, so code that walks the tree may recurse.
 *
 * @param nodes as `Accessibility.getFullAXTree` returns them, the root first
 */
export function buildTree(nodes: readonly AxNode[], document: DocumentKey): AxElement | null {
  const [first] = nodes;
  if (first === undefined) return null;
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const root = elementOf(first, document, null);
  const open: { node: AxNode; element: AxElement; depth: number }[] = [{ node: first, element: root, depth: 0 }];
  const seen = new Set([first.nodeId]);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const added: typeof open = [];
    for (const node of renderedChildren(next.node, byId, seen)) {
      const isDeep = next.depth >= VIEW_DEPTH_MAX;
      const parent = isDeep ? (next.element.parent ?? next.element) : next.element;
      const element = elementOf(node, document, parent);
      parent.children.push(element);
      added.push({ node, element, depth: isDeep ? next.depth : next.depth + 1 });
    }
    open.push(...added.reverse());
  }
  return root;
}

/** What stands below a node and is drawn; Chromium also lists what is not displayed. None of it was seen before. */
function* renderedChildren(parent: AxNode, byId: ReadonlyMap<string, AxNode>, seen: Set<string>): Generator<AxNode> {
  const open = (parent.childIds ?? []).toReversed();
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const node = byId.get(id);
    if (node === undefined || seen.has(id) || SKIPPED_ROLES.has(String(node.role?.value))) continue;
    seen.add(id);
    const isRendered = !node.ignored || node.ignoredReasons?.some(({ name }) => name === 'notRendered') !== true;
    if (isRendered) yield node;
    else for (const inner of node.childIds?.toReversed() ?? []) open.push(inner);
  }
}

/** Parents before children. */
export function* everyElement(root: AxElement): Generator<AxElement> {
  const open = [root];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    yield next;
    for (let at = next.children.length - 1; at >= 0; at -= 1) {
      const child = next.children[at];
      if (child !== undefined) open.push(child);
    }
  }
}

/**
 * Whether a list of options is a `<select>`, whose options Chromium keeps in a slot of its own. The options of a list
 * that the page draws are elements one clicks.
 */
export function isSelectList({ role, properties, children: [slot, ...others] }: AxElement): boolean {
  return role === 'listbox' && properties.has('invalid') && slot?.ignored === true && others.length === 0;
}

export function isOn(element: AxElement, property: string): boolean {
  return element.properties.get(property) === true || element.properties.get(property) === 'true';
}

/** The element of a tree for a DOM node. */
export function elementOfNode(root: AxElement, backendNodeId: number): AxElement | null {
  for (const element of everyElement(root)) if (element.backendNodeId === backendNodeId) return element;
  return null;
}

/** A key that is unique on a page, across its frames. */
export function elementKey({ document, backendNodeId }: AxElement): string {
  return `${document.frameId} ${backendNodeId}`;
}

/** The role of a node, as elements carry it. */
export function roleOf(node: AxNode): string {
  const role = String(node.role?.value ?? '');
  // What ends a line is a text of white space.
  if (role === 'LineBreak') return 'StaticText';
  return node.ignored || role === '' || role === 'none' || role === 'presentation' ? 'generic' : role;
}

export function nameOf(node: AxNode): string {
  return textOf(node.name);
}

export function urlOf(node: AxNode): string {
  if (roleOf(node) !== 'link') return '';
  return textOf(node.properties?.find(({ name }) => name === 'url')?.value);
}

function elementOf(node: AxNode, document: DocumentKey, parent: AxElement | null): AxElement {
  const properties = new Map<string, string | number | boolean>();
  const labels: number[] = [];
  const notes: number[] = [];
  for (const { name, value } of node.properties ?? []) {
    const told: unknown = value.value;
    if (typeof told === 'string' || typeof told === 'number' || typeof told === 'boolean') properties.set(name, told);
    const related = (value.relatedNodes ?? []).map(({ backendDOMNodeId }) => backendDOMNodeId);
    if (name === 'labelledby') labels.push(...related);
    if (name === 'describedby' || name === 'errormessage') notes.push(...related);
  }
  return {
    document,
    backendNodeId: node.backendDOMNodeId ?? null,
    role: roleOf(node),
    name: nameOf(node),
    value: textOf(node.value),
    description: textOf(node.description),
    url: urlOf(node),
    properties,
    labels,
    notes,
    ignored: node.ignored,
    parent,
    children: [],
  };
}

function textOf(value: Protocol.Accessibility.AXValue | undefined): string {
  const text: unknown = value?.value;
  return typeof text === 'string' || typeof text === 'number' ? String(text) : '';
}

/** The HTML parser stops at 512 levels; scripts do not. Pages stay below 60. */
export const VIEW_DEPTH_MAX = 200;
