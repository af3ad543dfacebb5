import type { Protocol } from 'devtools-protocol';
import * as pageScripts from '#generated/page-scripts.js';
import { deserializeDeep } from '#browsing/view/page/page-facts.ts';

/**
 * Answers of Chromium, reduced to the fields that the code reads, and expanded again. Ids differ between runs, so each
 * is replaced by a number that depends only on the page.
 */

/** Replaces Chromium's ids by our numbers. */
export type Naming = { node: (real: number) => number; object: (real: string) => string };

type AxNode = Protocol.Accessibility.AXNode;
/** A node of the accessibility tree; `more` is omitted if it is empty. */
type AxRow = [id: number, role: string, name: string, node: number, children: number[], more?: AxMore];
type AxMore = {
  value?: unknown;
  description?: unknown;
  /** Reasons why the node is ignored, limited to those that the code reads. */
  ignored?: string[];
  properties?: Record<string, unknown>;
  related?: Record<string, number[]>;
};

/**
 * Chromium's answers have the documented form, and a recording holds what `shorten` made of them. As in
 * `CdpConnection`, each method states the type that it takes in place of `unknown`.
 */
type Pair = { shorten(answer: unknown, naming: Naming): unknown; writeOut(short: unknown): unknown };

const TREE: Pair = {
  shorten: ({ nodes }: { nodes: AxNode[] }, naming) => shortTree(nodes, naming),
  writeOut: (rows: AxRow[]) => ({ nodes: rows.map(axNode) }),
};

type Described = { node: Protocol.DOM.Node };
type Remote = Protocol.Runtime.RemoteObject;
type ShortRemote = { value?: unknown; object?: string; nodes?: unknown; isNode?: true };
type Called = Protocol.Runtime.CallFunctionOnResponse;
type ShortCalled = ShortRemote & { threw?: string };

const CALLED: Pair = {
  shorten: ({ result, exceptionDetails }: Called, naming): ShortCalled =>
    exceptionDetails === undefined
      ? shortRemote(result, naming)
      : { threw: exceptionDetails.exception?.description?.split('\n')[0] ?? exceptionDetails.text },
  writeOut: ({ threw, ...result }: ShortCalled) =>
    threw === undefined
      ? { result: remote(result) }
      : {
          result: { type: 'object' },
          exceptionDetails: { exceptionId: 1, text: threw, lineNumber: 0, columnNumber: 0 },
        },
};

const PAIRS: Readonly<Record<string, Pair>> = {
  'Accessibility.getFullAXTree': TREE,
  'Accessibility.getPartialAXTree': TREE,
  'Accessibility.queryAXTree': TREE,
  'Runtime.callFunctionOn': CALLED,
  'Runtime.evaluate': CALLED,
  'DOM.describeNode': {
    shorten: ({ node: { backendNodeId, localName, attributes } }: Described, naming) => ({
      backendNodeId: naming.node(backendNodeId),
      localName,
      attributes,
    }),
    writeOut: (node: object) => ({ node }),
  },
  'DOM.resolveNode': {
    shorten: ({ object }: { object: Remote }, naming) => shortRemote(object, naming),
    writeOut: (short: ShortRemote) => ({ object: remote(short) }),
  },
  'DOM.getFrameOwner': {
    shorten: ({ backendNodeId }: { backendNodeId: number }, naming) => naming.node(backendNodeId),
    writeOut: (backendNodeId: number) => ({ backendNodeId }),
  },
  // The code asks only whether there is a box.
  'DOM.getBoxModel': { shorten: () => true, writeOut: () => ({ model: {} }) },
  'DOMDebugger.getEventListeners': {
    shorten: ({ listeners }: { listeners: Protocol.DOMDebugger.EventListener[] }, naming) =>
      listeners.map(({ backendNodeId = 0, type }) => [naming.node(backendNodeId), type]),
    writeOut: (rows: [number, string][]) => ({
      listeners: rows.map(([backendNodeId, type]) => ({ backendNodeId, type })),
    }),
  },
  'Runtime.getProperties': {
    shorten: ({ result }: { result: Protocol.Runtime.PropertyDescriptor[] }, naming) =>
      result.flatMap(({ name, value }) => (value === undefined ? [] : [[name, shortRemote(value, naming)]])),
    writeOut: (rows: [string, ShortRemote][]) => ({
      result: rows.map(([name, value]) => ({ name, value: remote(value) })),
    }),
  },
};

/** Commands without an entry return nothing that the code reads. */
const NOTHING: Pair = { shorten: () => ({}), writeOut: () => ({}) };

export function shorten(method: string, answer: unknown, naming: Naming): unknown {
  return (PAIRS[method] ?? NOTHING).shorten(answer, naming);
}

export function writeOut(method: string, short: unknown): unknown {
  return (PAIRS[method] ?? NOTHING).writeOut(short);
}

function shortRemote({ value, objectId, subtype, deepSerializedValue }: Remote, naming: Naming): ShortRemote {
  if (deepSerializedValue !== undefined) {
    const nodes = named(deserializeDeep({ type: 'object', deepSerializedValue }), naming);
    return objectId === undefined ? { nodes } : { nodes, object: naming.object(objectId) };
  }
  if (objectId === undefined) return { value };
  return { object: naming.object(objectId), ...(subtype === 'node' ? { isNode: true } : {}) };
}

function remote({ value, object, nodes, isNode }: ShortRemote): object {
  return {
    type: 'object',
    ...(isNode === true ? { subtype: 'node' } : {}),
    ...(object === undefined ? { value } : { objectId: object }),
    ...(nodes === undefined ? {} : { deepSerializedValue: { type: 'object', value: nodes } }),
  };
}

/** Reduces a described node to the fields that `DESCRIBED_NODE` reads. */
function named(given: unknown, naming: Naming): unknown {
  if (Array.isArray(given)) return given.map((one) => named(one, naming));
  if (typeof given !== 'object' || given === null) return given;
  if ('backendNodeId' in given && typeof given.backendNodeId === 'number') {
    const backendNodeId = naming.node(given.backendNodeId);
    const localName = 'localName' in given ? { localName: given.localName } : {};
    const attributes = 'attributes' in given && !isEmpty(given.attributes) ? { attributes: given.attributes } : {};
    return { backendNodeId, ...localName, ...attributes };
  }
  const members = Object.entries(given).map(([key, value]) => [key, key === 'underHand' ? withoutRoot(value) : value]);
  return Object.fromEntries(members.map(([key, value]) => [key, named(value, naming)]));
}

/** Removes the root element, which is under the pointer only sooner or later. */
function withoutRoot(underHand: unknown): unknown {
  const isRoot = (one: unknown) => typeof one === 'object' && one !== null && Reflect.get(one, 'localName') === 'html';
  return Array.isArray(underHand) ? underHand.filter((one) => !isRoot(one)) : underHand;
}

function isEmpty(value: unknown): boolean {
  return typeof value !== 'object' || value === null || Object.keys(value).length === 0;
}

function shortTree(nodes: readonly AxNode[], naming: Naming): AxRow[] {
  const shown = nodes.filter(({ role }) => role?.value !== 'InlineTextBox');
  const ids = new Map(shown.map(({ nodeId }, at) => [nodeId, at + 1]));
  return shown.map(({ nodeId, role, name, backendDOMNodeId = 0, childIds = [], ...others }): AxRow => {
    const children = childIds.flatMap((id) => ids.get(id) ?? []);
    const more = moreOf(others, naming);
    const node = backendDOMNodeId === 0 ? 0 : naming.node(backendDOMNodeId);
    const row: AxRow = [ids.get(nodeId) ?? 0, String(role?.value ?? ''), String(name?.value ?? ''), node, children];
    if (!isEmpty(more)) row.push(more);
    return row;
  });
}

function moreOf(
  { value, description, ignored, ignoredReasons = [], properties = [] }: Omit<AxNode, 'nodeId'>,
  naming: Naming,
): AxMore {
  const told: Record<string, unknown> = {};
  const related: Record<string, number[]> = {};
  for (const { name, value: property } of properties) {
    if (property.value !== undefined) told[name] = property.value;
    const nodes = (property.relatedNodes ?? []).map(({ backendDOMNodeId }) => naming.node(backendDOMNodeId));
    if (nodes.length > 0) related[name] = nodes;
  }
  return {
    ...(value === undefined ? {} : { value: value.value }),
    ...(description === undefined || description.value === '' ? {} : { description: description.value }),
    ...(ignored ? { ignored: ignoredReasons.map(({ name }) => name).filter((name) => READ_REASONS.has(name)) } : {}),
    ...(isEmpty(told) ? {} : { properties: told }),
    ...(isEmpty(related) ? {} : { related }),
  };
}

/** Read by `src/browsing/tree/ax-tree.ts`. */
const READ_REASONS: ReadonlySet<string> = new Set(['notRendered', 'ariaHiddenElement', 'ariaHiddenSubtree']);

function axNode([id, role, name, node, children, more = {}]: AxRow): object {
  const { value, description, ignored, properties = {}, related = {} } = more;
  const told = new Set([...Object.keys(properties), ...Object.keys(related)]);
  return {
    nodeId: String(id),
    ignored: ignored !== undefined,
    role: { type: 'role', value: role },
    name: { type: 'computedString', value: name },
    ...(node === 0 ? {} : { backendDOMNodeId: node }),
    childIds: children.map(String),
    ...(value === undefined ? {} : { value: { type: 'string', value } }),
    ...(description === undefined ? {} : { description: { type: 'computedString', value: description } }),
    ...(ignored === undefined ? {} : { ignoredReasons: ignored.map((reason) => ({ name: reason, value: {} })) }),
    properties: [...told].map((property) => ({
      name: property,
      value: {
        type: 'string',
        value: properties[property],
        relatedNodes: related[property]?.map((backendDOMNodeId) => ({ backendDOMNodeId })),
      },
    })),
  };
}

const SCRIPT_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries(pageScripts).map(([name, source]) => [source, name]),
);

/** Replaces our scripts by their names, because their sources change with every build. */
export function shortScript(source: unknown): unknown {
  const name = typeof source === 'string' ? SCRIPT_NAMES.get(source) : undefined;
  return name === undefined ? source : `@${name}`;
}

export function scriptSource(short: unknown): unknown {
  const name = typeof short === 'string' && short.startsWith('@') ? short.slice(1) : null;
  return Object.entries(pageScripts).find(([known]) => known === name)?.[1] ?? short;
}
