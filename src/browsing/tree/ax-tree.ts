import type { Protocol } from 'devtools-protocol';

export type DocumentKey = { frameId: string; loaderId: string };

/** An element or text of the accessibility tree. Its texts are page text, unchanged. */
export type AxElement = {
  document: DocumentKey;
  backendNodeId: number | null;
  /** Chromium's role; `generic` for elements without a role. */
  role: string;
  name: string;
  value: string;
  description: string;
  url: string;
  properties: ReadonlyMap<string, string | number | boolean>;
  labels: readonly number[];
  /** Nodes that describe the element (`aria-describedby`), such as an error message. */
  notes: readonly number[];
  /** True if assistive technology announces the element's content, but not the element. */
  ignored: boolean;
  parent: AxElement | null;
  children: AxElement[];
};

type AxNode = Protocol.Accessibility.AXNode;

const SKIPPED_ROLES = new Set(['InlineTextBox']);

/**
 * Builds the tree of one document, without recursion. Elements below `AX_TREE_DEPTH_MAX` are attached to the last level,
 * so that code that walks the tree may be recursive.
 * @param nodes as returned by `Accessibility.getFullAXTree`, the root first
 */
export function buildAxTree(nodes: readonly AxNode[], document: DocumentKey): AxElement | null {
  const [first] = nodes;
  if (first === undefined) return null;
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const root = elementOf(first, document, null);
  const open: { node: AxNode; element: AxElement; depth: number }[] = [{ node: first, element: root, depth: 0 }];
  const seen = new Set([first.nodeId]);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const added: typeof open = [];
    for (const node of renderedChildren(next.node, byId, seen)) {
      const isDeep = next.depth >= AX_TREE_DEPTH_MAX;
      const parent = isDeep ? (next.element.parent ?? next.element) : next.element;
      const element = elementOf(node, document, parent);
      parent.children.push(element);
      added.push({ node, element, depth: isDeep ? next.depth : next.depth + 1 });
    }
    open.push(...added.reverse());
  }
  return root;
}

/** The displayed children. A child that is not rendered is replaced by its displayed children. */
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
 * True if a list of options is a `<select>`, because only in a `<select>` Chromium's tree has the options in a slot.
 * Options of other lists are clicked instead of selected.
 */
export function isSelectElementList({ role, properties, children: [slot, ...others] }: AxElement): boolean {
  return role === 'listbox' && properties.has('invalid') && slot?.ignored === true && others.length === 0;
}

export function hasTrueProperty(element: AxElement, property: string): boolean {
  return element.properties.get(property) === true || element.properties.get(property) === 'true';
}

export function elementOfNode(root: AxElement, backendNodeId: number): AxElement | null {
  for (const element of everyElement(root)) if (element.backendNodeId === backendNodeId) return element;
  return null;
}

/** The innermost element that contains both. */
export function commonAncestor(one: AxElement, other: AxElement): AxElement {
  const holding = new Set<AxElement>();
  for (let at: AxElement | null = one; at !== null; at = at.parent) holding.add(at);
  for (let at: AxElement | null = other; at !== null; at = at.parent) if (holding.has(at)) return at;
  return other;
}

export function elementKey({ document, backendNodeId }: AxElement): string {
  return `${document.frameId} ${backendNodeId}`;
}

export function axRole(node: AxNode): string {
  const role = String(node.role?.value ?? '');
  // Chromium gives `<br>` its own role. Here, it is a white space text.
  if (role === 'LineBreak') return 'StaticText';
  return node.ignored || role === '' || role === 'none' || role === 'presentation' ? 'generic' : role;
}

export function axName(node: AxNode): string {
  return textOf(node.name);
}

export function axDescription(node: AxNode): string {
  return textOf(node.description);
}

export function axUrl(node: AxNode): string {
  if (axRole(node) !== 'link') return '';
  return textOf(node.properties?.find(({ name }) => name === 'url')?.value);
}

function elementOf(node: AxNode, document: DocumentKey, parent: AxElement | null): AxElement {
  const properties = new Map<string, string | number | boolean>();
  const labels: number[] = [];
  const notes: number[] = [];
  for (const { name, value } of node.properties ?? []) {
    const plain: unknown = value.value;
    if (typeof plain === 'string' || typeof plain === 'number' || typeof plain === 'boolean')
      properties.set(name, plain);
    const related = (value.relatedNodes ?? []).map(({ backendDOMNodeId }) => backendDOMNodeId);
    if (name === 'labelledby') labels.push(...related);
    if (name === 'describedby' || name === 'errormessage') notes.push(...related);
  }
  if (node.ignoredReasons?.some(({ name }) => ARIA_HIDDEN.has(name)) === true) properties.set('hidden', true);
  return {
    document,
    backendNodeId: node.backendDOMNodeId ?? null,
    role: isGroupedOption(node, parent) ? 'option' : axRole(node),
    name: axName(node),
    value: valueOf(node.value, properties),
    description: axDescription(node),
    url: axUrl(node),
    properties,
    labels,
    notes,
    ignored: node.ignored,
    parent,
    children: [],
  };
}

/** True for an option whose group is a list, because Chromium then uses the role of the HTML element. */
function isGroupedOption(node: AxNode, parent: AxElement | null): boolean {
  if (axRole(node) !== 'listitem') return false;
  let isGrouped = false;
  for (let at = parent; at !== null && BETWEEN_OPTIONS.has(at.role); at = at.parent) {
    isGrouped ||= at.role === 'list';
    if (isGrouped && at.parent?.role === 'listbox') return true;
  }
  return false;
}

const BETWEEN_OPTIONS: ReadonlySet<string> = new Set(['generic', 'group', 'list']);

const ARIA_HIDDEN: ReadonlySet<string> = new Set(['ariaHiddenElement', 'ariaHiddenSubtree']);

/**
 * The value of an element. Chromium gives numbers as 32-bit floats, such as 823.9000244140625 or 123456792, but
 * `valuetext` holds the text of a number field, such as 823.90 or 123456789.
 */
function valueOf(value: Protocol.Accessibility.AXValue | undefined, properties: AxElement['properties']): string {
  const given: unknown = value?.value;
  if (typeof given !== 'number') return textOf(value);
  const text = properties.get('valuetext');
  if (typeof text === 'string' && text.trim() !== '' && Math.fround(Number(text)) === given) return text;
  for (let digits = 1; digits <= FLOAT_DIGITS; digits += 1) {
    const short = Number(given.toPrecision(digits));
    if (Math.fround(short) === given) return String(short);
  }
  return String(given);
}

/** Digits that tell all 32-bit floats apart. */
const FLOAT_DIGITS = 9;

function textOf(value: Protocol.Accessibility.AXValue | undefined): string {
  const text: unknown = value?.value;
  return typeof text === 'string' || typeof text === 'number' ? String(text) : '';
}

/**
 * Maximum depth of the tree. The HTML parser stops at 512 levels, but scripts can exceed this. Real pages have fewer
 * than 60.
 */
export const AX_TREE_DEPTH_MAX = 200;
