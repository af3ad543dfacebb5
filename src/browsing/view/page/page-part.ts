import * as z from 'zod';
import type { Protocol } from 'devtools-protocol';
import * as pageScripts from '#generated/page-scripts.js';
import type { OmittedRanges } from '#core/text/page-texts.ts';
import { CdpError } from '#browsing/cdp/connection.ts';
import type { CdpSession } from '#browsing/cdp/connection.ts';
import { SECOND_MS } from '#core/limits.ts';
import { asArguments, callWithHandles } from '#browsing/tabs/call-in-page.ts';
import type { DocumentPart, LongText } from '#browsing/in-page/script-types.ts';
import type { CallResponse } from '#browsing/tabs/call-in-page.ts';
import type { Frame, Tab } from '#browsing/tabs/tab.ts';
import { readAxSubtrees } from './ax-subtrees.ts';
import { describedNodeSchema, readDomFacts, deserializeDeep, DEEP_SERIALIZATION } from './page-facts.ts';
import type { DocumentDomFacts } from './page-facts.ts';

/**
 * Maximum nodes of a large document read at a time: several times what a view shows. Chromium needs a few tenths of a
 * second for them.
 */
const VIEW_PART_NODES_MAX = 3_000;
/** Maximum places in a large document that are read for one search text. A caller would hardly choose from more. */
const VIEW_NAMED_PARTS_MAX = 40;

/** The requested part of a large document. `from`, `within` and `nodes` are backend node ids. */
export type RequestedDocumentPart = {
  /** The first node of the part; `null` for the beginning. */
  from: number | null;
  /** The element whose content is read in parts; `null` for the whole document. */
  within: number | null;
  /** Text that the wanted places contain. Replaces `from` and `within`. */
  named?: string;
  /** Elements to read. Replaces `from` and `within`. */
  nodes?: readonly number[];
};

export type DocumentPartNodes = {
  nodes: Protocol.Accessibility.AXNode[];
  facts: DocumentDomFacts;
  /** The first node that was read; `null` for the beginning, which is also read if the requested node is gone. */
  from: number | null;
  /** The first node of the next part; `null` at the end. */
  next: number | null;
  elements: number;
  /** Elements whose content was read only in part. */
  divided: ReadonlySet<number>;
  /** With `named`: true if every place with the wanted text was read. */
  isAll: boolean;
  /** Excerpts of long texts and values, by backend node id. */
  excerpts: ReadonlyMap<number, Excerpt>;
};

/** `unread`: number of characters that were not read. `lines`, `linesBefore`: of a field's value. */
export type Excerpt = { unread: number; lines: number; linesBefore: number };

/** `noteProgress` is called when the browser has done a part of a long work; `signal` ends it. */
export type ReadProgress = { noteProgress: () => void; signal: AbortSignal };

const GROUP = 'periscope-part';
/** Time for which the page is busy with labels before its own scripts may run. */
const LABELS_MS = 500;
/** Name of an event that never happens, by which the id of an element is read. */
const ID_EVENT = 'periscope-node';
/** Time after which its listener is removed. */
const ID_EVENT_MS = 30 * SECOND_MS;

/**
 * Reads a part of a document that is too large for one request. Describes only the elements of the part.
 * @throws {CdpError} when the document, or the element that is read in parts, is gone
 */
export async function readDocumentPartNodes(
  tab: Tab,
  frame: Frame,
  wanted: RequestedDocumentPart,
  progress: ReadProgress,
): Promise<DocumentPartNodes> {
  const { session } = frame;
  const begin = await handleOf(tab, frame, wanted.from).catch(nothingIfGone);
  try {
    const { result } = await findPart(tab, frame, wanted, begin);
    const { elements, size, isThere, whole, long, texts, around, next } = PART.parse(deserializeDeep(result));
    tab.sizes.note(frame, size);
    const facts = await readDomFacts(tab, frame, result.objectId ?? null);
    await prepareLabels(tab, frame, result.objectId ?? '', progress);
    // Runs after `readDomFacts`, whose script makes Chromium include further clickable elements in the accessibility tree.
    const longIds = new Set(long.map(({ backendNodeId }) => backendNodeId));
    const [described, alone, lone] = await Promise.all([
      Promise.all(texts.map((text, at) => readExcerpt(tab, frame, result.objectId ?? '', text, at))),
      Promise.all(around.map(({ backendNodeId }) => aloneIn(frame, backendNodeId))),
      Promise.all(long.map(({ backendNodeId }) => aloneIn(frame, backendNodeId))),
    ]);
    const ids = whole.map(({ backendNodeId }) => backendNodeId).filter((id) => !longIds.has(id));
    const trees = await readAxSubtrees(tab, frame, ids);
    const begins = isThere && begin.objectId !== undefined ? wanted.from : null;
    const drops = around.flatMap(({ localName }, at) => (SLOTTED.has(localName) ? (alone[at] ?? []) : []));
    const read = await withSlots(frame, [...alone.flat(), ...lone.flat(), ...trees], described, drops);
    const nodes = [...read, ...withChildren(texts, described, read)];
    const textIds = described.map(({ backendDOMNodeId }) => backendDOMNodeId ?? 0);
    const byId = new Map(
      texts.map(({ chars, from, to, lines, linesBefore }, at) => [
        textIds[at] ?? 0,
        { unread: chars - (to - from), lines, linesBefore },
      ]),
    );
    const holdsSecret = new Map([
      ...facts.holdsSecret,
      ...texts.map(({ isSecret }, at) => [textIds[at] ?? 0, isSecret] as const),
    ]);
    const divided = new Set(around.map(({ backendNodeId }) => backendNodeId));
    return {
      nodes,
      facts: { ...facts, holdsSecret },
      from: begins,
      next: next?.backendNodeId ?? null,
      elements,
      divided,
      isAll: isThere,
      excerpts: byId,
    };
  } finally {
    session.send('Runtime.releaseObjectGroup', { objectGroup: GROUP }).catch(() => undefined);
  }
}

/** Makes Chromium find the labels that it needs for the tree, in short steps. */
async function prepareLabels(
  tab: Tab,
  frame: Frame,
  objectId: string,
  { noteProgress, signal }: ReadProgress,
): Promise<void> {
  for (let from = 0; from !== -1;) {
    signal.throwIfAborted();
    const args = [{ objectId }, ...asArguments([from, LABELS_MS])];
    const { result } = await callWithHandles(tab, frame, pageScripts.prepareLabels, args, { returnByValue: true });
    from = z.int().catch(-1).parse(result.value);
    noteProgress();
  }
}

async function findPart(
  tab: Tab,
  frame: Frame,
  { within, named, nodes }: RequestedDocumentPart,
  begin: Protocol.Runtime.CallArgument,
): Promise<CallResponse> {
  const manner = { objectGroup: GROUP, serializationOptions: DEEP_SERIALIZATION };
  if (named !== undefined)
    return callWithHandles(tab, frame, pageScripts.findPartsByText, asArguments([named, VIEW_NAMED_PARTS_MAX]), manner);
  if (nodes !== undefined) {
    const handles = await Promise.all(nodes.map((node) => handleOf(tab, frame, node)));
    return callWithHandles(tab, frame, pageScripts.findPartsAround, handles, manner);
  }
  const divided = await handleOf(tab, frame, within);
  return callWithHandles(
    tab,
    frame,
    pageScripts.readDocumentPart,
    [...asArguments([VIEW_PART_NODES_MAX]), begin, divided],
    manner,
  );
}

async function aloneIn({ session }: Frame, backendNodeId: number): Promise<Protocol.Accessibility.AXNode[]> {
  const { nodes } = await session.send('Accessibility.getPartialAXTree', { backendNodeId, fetchRelatives: false });
  return nodes;
}

/** Elements whose content Chromium lays out in slots of its own, which no script of a page sees. */
const SLOTTED: ReadonlySet<string> = new Set(['details', 'marquee', 'optgroup', 'select']);
/** Maximum levels of such slots, and slots read at a time. */
const SLOT_LEVELS_MAX = 4;
const SLOTS_MAX = 200;

/**
 * Adds the slots between the nodes and the elements around them. In this tree, ids are backend node ids.
 * @param described nodes that are not read, because their names are long
 * @param slotted nodes of elements whose children are slots
 */
async function withSlots(
  frame: Frame,
  nodes: readonly Protocol.Accessibility.AXNode[],
  described: readonly Protocol.Accessibility.AXNode[],
  slotted: readonly Protocol.Accessibility.AXNode[],
): Promise<readonly Protocol.Accessibility.AXNode[]> {
  const all = [...nodes];
  let wanted = [...slotted.flatMap(({ childIds = [] }) => childIds), ...nodes.flatMap(({ parentId = [] }) => parentId)];
  const known = new Set([...nodes, ...described].map(({ nodeId }) => nodeId));
  for (let level = 0; level < SLOT_LEVELS_MAX; level += 1) {
    const missing = [...new Set(wanted)].filter((id) => !known.has(id)).slice(0, SLOTS_MAX);
    if (missing.length === 0) break;
    const slots = (await Promise.all(missing.map((id) => aloneIn(frame, Number(id))))).flat();
    for (const id of missing) known.add(id);
    all.push(...slots);
    wanted = slots.flatMap(({ parentId = [] }) => parentId);
  }
  return all;
}

/** An accessibility node with an excerpt of a long text or value. In this tree, ids are backend node ids. */
async function readExcerpt(
  tab: Tab,
  frame: Frame,
  part: string,
  { role, url, urlEnd, uncut, from, to, states, name, nameEnd }: LongText,
  at: number,
): Promise<Protocol.Accessibility.AXNode> {
  const { session } = frame;
  const args = [{ objectId: part }, ...asArguments([at, ID_EVENT, ID_EVENT_MS])];
  const { result } = await callWithHandles(tab, frame, pageScripts.getLongText, args, { objectGroup: GROUP });
  const backendNodeId = await idOf(session, result.objectId ?? '', role);
  const around: OmittedRanges = [
    [0, from],
    [to, uncut.length],
  ];
  const words: string = session.masked({ uncut, leftOut: around });
  const address: string = session.masked({ uncut: url, leftOut: [[urlEnd, url.length]] });
  const label = name === null ? words : session.masked({ uncut: name, leftOut: [[nameEnd, name.length]] });
  return {
    nodeId: String(backendNodeId),
    backendDOMNodeId: backendNodeId,
    ignored: false,
    role: { type: 'role', value: role },
    name: { type: 'computedString', value: label },
    ...(name === null ? {} : { value: { type: 'string', value: words } }),
    properties: [
      ...states.map(toProperty),
      ...(url === '' ? [] : [{ name: 'url' as const, value: { type: 'string' as const, value: address } }]),
    ],
  };
}

/** Chromium's description of a text has at most 10,000 characters, but that of an element has all its attributes. */
async function idOf(session: CdpSession, objectId: string, role: string): Promise<number> {
  if (role !== 'StaticText') {
    const { listeners } = await session.send('DOMDebugger.getEventListeners', { objectId });
    const id = listeners.find(({ type }) => type === ID_EVENT)?.backendNodeId;
    if (id !== undefined) return id;
  }
  return (await session.send('DOM.describeNode', { objectId })).node.backendNodeId;
}

function toProperty(state: string): Protocol.Accessibility.AXProperty {
  const [name, value = 'true'] = state.split('=');
  const known = STATE.parse(name);
  return {
    name: known,
    value:
      known === 'expanded' || known === 'selected'
        ? { type: 'boolean', value: value === 'true' }
        : { type: 'token', value },
  };
}

const STATE = z.enum([
  'checked',
  'disabled',
  'editable',
  'expanded',
  'focused',
  'invalid',
  'multiline',
  'pressed',
  'readonly',
  'required',
  'selected',
]);

/** Adds to the described elements their children, which were read or are described themselves. */
function withChildren(
  texts: readonly LongText[],
  described: readonly Protocol.Accessibility.AXNode[],
  read: readonly Protocol.Accessibility.AXNode[],
): Protocol.Accessibility.AXNode[] {
  const children = new Map<string, string[]>(described.map(({ nodeId }) => [nodeId, []]));
  for (const { nodeId, parentId = '' } of read) children.get(parentId)?.push(nodeId);
  for (const [at, { inside }] of texts.entries())
    children.get(described[inside]?.nodeId ?? '')?.push(described[at]?.nodeId ?? '');
  return described.map((node) => ({ ...node, childIds: children.get(node.nodeId) ?? [] }));
}

async function handleOf(tab: Tab, frame: Frame, backendNodeId: number | null): Promise<Protocol.Runtime.CallArgument> {
  if (backendNodeId === null) return { value: null };
  const executionContextId = await tab.world(frame);
  const { object } = await frame.session.send('DOM.resolveNode', {
    backendNodeId,
    executionContextId,
    objectGroup: GROUP,
  });
  return object.objectId === undefined ? { value: null } : { objectId: object.objectId };
}

function nothingIfGone(error: unknown): Protocol.Runtime.CallArgument {
  if (error instanceof CdpError) return { value: null };
  throw error;
}

const NODES = z.array(describedNodeSchema);
const TEXT = z.object({
  role: z.string(),
  url: z.string(),
  urlEnd: z.int(),
  inside: z.int(),
  chars: z.int(),
  uncut: z.string(),
  from: z.int(),
  to: z.int(),
  states: z.array(z.string()),
  name: z.string().nullable(),
  nameEnd: z.int(),
  isSecret: z.boolean(),
  lines: z.int(),
  linesBefore: z.int(),
});
const PART: z.ZodType<DocumentPart<z.output<typeof describedNodeSchema>>> = z.object({
  elements: z.int(),
  size: z.int(),
  isThere: z.boolean(),
  whole: NODES,
  long: NODES,
  texts: z.array(TEXT),
  around: NODES,
  next: describedNodeSchema.nullable(),
});
