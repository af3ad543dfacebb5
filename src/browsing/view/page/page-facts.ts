import * as pageScripts from '#generated/page-scripts.js';
import { asArguments, callWithHandles } from '#browsing/tabs/call-in-page.ts';
import * as z from 'zod';
import { isPrivateField } from '#core/secrets/private-fields.ts';
import type { Protocol } from 'devtools-protocol';
import type { CdpSession } from '#browsing/cdp/connection.ts';
import type { Hint, TellingElements } from '#browsing/in-page/scripts.ts';
import type { Frame, Tab } from '#browsing/tabs/tab.ts';
import { everyElement } from '#browsing/tree/ax-tree.ts';
import type { AxElement } from '#browsing/tree/ax-tree.ts';
import { BUILT_ROLES, FIELD_ROLES } from '#browsing/tree/roles.ts';

/** Each is described in the answer by its attributes, in some hundred bytes: a large table of cells to click is 2,000. */
const VIEW_TELLING_ELEMENTS_MAX = 2_000;
const VIEW_FIELDS_MAX = 500;
/** Each comes with its words. Pages hide far fewer than they show. */
const VIEW_UNSEEN_TEXTS_MAX = 1_000;
/** Lines that people see and assistive technology is not given: as many as an editor shows at once. */
const VIEW_SILENT_LINES_MAX = 60;
const VIEW_SILENT_CHARS_MAX = 300;
/** Of what an element without a name is known by. */
const VIEW_HINT_CHARS_MAX = 40;
/** Of a title or a placeholder. */
const VIEW_SAID_CHARS_MAX = 80;

/** What the accessibility tree does not say about the elements of a document, by backend node id. */
export type PageFacts = {
  /** They look as if they react to a click, or say so in a way that accessibility does not know. */
  clickable: ReadonlySet<number>;
  current: ReadonlySet<number>;
  /** How a column is sorted. */
  sorted: ReadonlyMap<number, string>;
  draggable: ReadonlySet<number>;
  /** What tells apart an element without a name: a tooltip, its icon. */
  hints: ReadonlyMap<number, string>;
  /** The title of an icon that has nothing else to read. */
  titles: ReadonlyMap<number, string>;
  /** What an empty field shows. */
  placeholders: ReadonlyMap<number, string>;
  /** Frames that people see, or that are not loaded before they do. */
  frames: ReadonlyMap<number, string>;
  /** Addresses of files that are shown in the page. */
  files: ReadonlyMap<number, string>;
  /** Cells that are ticked, wholly or in part. */
  ticked: ReadonlyMap<number, string>;
  /** Lines that people see and the accessibility tree does not have. */
  silent: readonly SilentLine[];
  /** How many more of those there are. */
  silentLeft: number;
  /** Texts that nobody sees. */
  unseen: ReadonlySet<number>;
  /** Texts with room before them that is no space. */
  apart: ReadonlySet<number>;
  /** Texts that begin a line below the text before them. */
  below: ReadonlySet<number>;
  /** What the pointer is over, and what has the focus in it. */
  underHand: ReadonlySet<number>;
  /** Their style puts them over the rest of the page. */
  over: ReadonlySet<number>;
  /** The accessibility tree has more elements than before it was asked for. */
  isTreeOld: boolean;
  /** Elements that were looked at; `null` when the document could not be asked. */
  elements: number | null;
  /** Whether the value of an element must not be shown, for the elements that the script has found. */
  holdsSecret: ReadonlyMap<number, boolean>;
};

/** All by backend node id. */
export type SilentLine = { node: number; words: string; after: number | null; around: readonly number[] };

export const NO_FACTS: PageFacts = {
  clickable: new Set(),
  current: new Set(),
  sorted: new Map(),
  draggable: new Set(),
  hints: new Map(),
  titles: new Map(),
  placeholders: new Map(),
  frames: new Map(),
  files: new Map(),
  ticked: new Map(),
  silent: [],
  silentLeft: 0,
  unseen: new Set(),
  apart: new Set(),
  below: new Set(),
  underHand: new Set(),
  over: new Set(),
  isTreeOld: false,
  elements: null,
  holdsSecret: new Map(),
};

const GROUP = 'periscope-facts';

/**
 * Runs one script over the document. Its answer describes the elements, so none has to be asked separately.
 * @param part a handle of what `partOf` gave, when the document is large
 */
export async function findFacts(tab: Tab, frame: Frame, part: string | null = null): Promise<PageFacts> {
  const { session } = frame;
  const limits = asArguments([
    VIEW_TELLING_ELEMENTS_MAX,
    VIEW_FIELDS_MAX,
    VIEW_UNSEEN_TEXTS_MAX,
    VIEW_SILENT_LINES_MAX,
  ]);
  const args = part === null ? limits : [...limits, { objectId: part }];
  const manner = { objectGroup: GROUP, serializationOptions: NODES_DESCRIBED };
  const asked = callWithHandles(tab, frame, pageScripts.tellingElements, args, manner);
  const { result } = await asked.finally(() => {
    session.send('Runtime.releaseObjectGroup', { objectGroup: GROUP }).catch(() => undefined);
  });
  return factsOf(TELLING.parse(givenBy(result)), (words) => session.masked(words, 'page'));
}

/** What a script gave, with its nodes described. @throws {TypeError} for what Chromium does not write */
export function givenBy({ deepSerializedValue }: Protocol.Runtime.RemoteObject): unknown {
  const known = new Map<number, unknown>();
  return plain(deepSerializedValue);

  function plain(given: unknown): unknown {
    if (!isSerialized(given)) throw new TypeError('not a value as Chromium describes it');
    const { weakLocalObjectReference: reference, value } = given;
    if (reference === undefined) return plainValue(given);
    if (value !== undefined) known.set(reference, plainValue(given));
    return known.get(reference);
  }

  function plainValue({ type, value }: Serialized): unknown {
    if (!Array.isArray(value)) return value ?? null;
    if (type === 'array') return value.map(plain);
    return Object.fromEntries(
      value.map((member: unknown) => (Array.isArray(member) ? [member[0], plain(member[1])] : [])),
    );
  }
}

/**
 * CDP `Runtime.DeepSerializedValue`, whose `value` has no type there. There are thousands in an answer, and what comes of
 * them is checked, so they are not checked by a schema of their own.
 */
type Serialized = {
  type: string;
  value?: unknown;
  /** Given to what stands in it more than once, and alone after the first time. */
  weakLocalObjectReference?: number;
};

function isSerialized(given: unknown): given is Serialized {
  return typeof given === 'object' && given !== null && 'type' in given;
}

function factsOf(
  { telling, others, hints, silent, silentLeft, isTreeOld, elements, ...texts }: z.output<typeof TELLING>,
  told: (words: string) => string,
): PageFacts {
  const clickable: Described[] = [];
  const current: Described[] = [];
  const sorted = new Map<number, string>();
  for (const one of telling) {
    const { 'aria-sort': sort } = one.attributes;
    if (sort !== undefined) sorted.set(one.backendNodeId, sort);
    else if ('aria-current' in one.attributes) current.push(one);
    else clickable.push(one);
  }
  const hintOf = ({ kind, words }: (typeof hints)[number]) => `${kind} "${told(words).slice(0, VIEW_HINT_CHARS_MAX)}"`;
  const saidAs = (wanted: HintKind, charsMax = VIEW_SAID_CHARS_MAX) =>
    new Map(
      hints.flatMap(({ element, kind, words }) =>
        kind === wanted ? [[element.backendNodeId, told(words).slice(0, charsMax)] as const] : [],
      ),
    );
  return {
    clickable: idsOf(clickable),
    current: idsOf(current),
    sorted,
    draggable: idsOf(telling.filter(({ attributes }) => attributes['draggable'] === 'true')),
    hints: new Map(
      hints.filter(({ kind }) => NAMING.has(kind)).map((hint) => [hint.element.backendNodeId, hintOf(hint)]),
    ),
    titles: saidAs('title'),
    placeholders: saidAs('placeholder'),
    frames: saidAs('frame'),
    files: saidAs('file', Number.POSITIVE_INFINITY),
    ticked: saidAs('checked'),
    silent: silent.map(({ block, words, after, around }) => ({
      node: block.backendNodeId,
      words: told(words).slice(0, VIEW_SILENT_CHARS_MAX),
      after: after?.backendNodeId ?? null,
      around: around.map(({ backendNodeId }) => backendNodeId),
    })),
    silentLeft,
    unseen: idsOf(texts.unseen),
    apart: idsOf(texts.apart),
    below: idsOf(texts.below),
    underHand: idsOf(texts.underHand),
    over: idsOf(texts.over),
    isTreeOld,
    elements,
    holdsSecret: new Map([...telling, ...others].map((one) => [one.backendNodeId, isSecretField(one)])),
  };
}

type HintKind = Hint<unknown>['kind'];

/** They tell apart an element without a name. */
const NAMING: ReadonlySet<HintKind> = new Set(['tooltip', 'icon', 'class']);

function idsOf(nodes: readonly { backendNodeId: number }[]): ReadonlySet<number> {
  return new Set(nodes.map(({ backendNodeId }) => backendNodeId));
}

/** As deep as a node around a silent text in the list of those. */
export const NODES_DESCRIBED = {
  serialization: 'deep' as const,
  maxDepth: 4,
  additionalParameters: { maxNodeDepth: 0, includeShadowTree: 'none' },
};

export const DESCRIBED_NODE = z.object({
  backendNodeId: z.int(),
  /** A text has none. */
  localName: z.string().default(''),
  attributes: z.record(z.string(), z.string()).default({}),
});
const NODES = z.array(DESCRIBED_NODE);
const TELLING: z.ZodType<TellingElements<Described>> = z.object({
  isTreeOld: z.boolean(),
  elements: z.int(),
  telling: NODES,
  others: NODES,
  hints: z.array(
    z.object({
      element: DESCRIBED_NODE,
      kind: z.enum(['tooltip', 'icon', 'class', 'title', 'placeholder', 'frame', 'file', 'checked']),
      words: z.string(),
    }),
  ),
  silent: z.array(
    z.object({ block: DESCRIBED_NODE, words: z.string(), after: DESCRIBED_NODE.nullable(), around: NODES }),
  ),
  silentLeft: z.int(),
  unseen: NODES,
  apart: NODES,
  below: NODES,
  underHand: NODES,
  over: NODES,
});

/**
 * The fields whose value must not be shown, according to the DOM: password fields, including those whose type the page
 * has changed to show the password. A field that the script has not found may be in a closed shadow tree, so it is
 * asked separately, unless it is part of a widget that the browser builds. A field that cannot be asked counts as
 * secret.
 */
export async function findSecrets(
  root: AxElement,
  session: CdpSession,
  { holdsSecret }: PageFacts,
): Promise<ReadonlySet<number>> {
  const secrets = new Set<number>();
  const asked: Promise<void>[] = [];
  for (const { role, value, backendNodeId, properties, parent } of everyElement(root)) {
    if (backendNodeId === null || value === '' || !(FIELD_ROLES.has(role) || properties.has('editable'))) continue;
    const known = holdsSecret.get(backendNodeId);
    if (known === false || (known === undefined && isBuilt(parent))) continue;
    if (known === true || asked.length >= VIEW_FIELDS_MAX) secrets.add(backendNodeId);
    else asked.push(isSecret(session, backendNodeId).then((is) => void (is && secrets.add(backendNodeId))));
  }
  await Promise.all(asked);
  return secrets;
}

/** In a document that a person has typed in, the value of any field may be what they typed. */
export function everyValue(root: AxElement): ReadonlySet<number> {
  const fields = [...everyElement(root)].filter(
    (element) => (FIELD_ROLES.has(element.role) && !isChosen(element)) || element.properties.has('editable'),
  );
  return new Set(fields.flatMap(({ backendNodeId }) => backendNodeId ?? []));
}

/** Nobody types into it. */
function isChosen({ role, children: [popup] }: AxElement): boolean {
  return role === 'listbox' || role === 'slider' || (role === 'combobox' && popup?.role === 'MenuListPopup');
}

function isBuilt(parent: AxElement | null): boolean {
  for (let at = parent, steps = 0; at !== null && steps < BUILT_DEPTH_MAX; at = at.parent, steps += 1) {
    if (BUILT_ROLES.has(at.role)) return true;
  }
  return false;
}

/** Deeper than the parts of any media player or date field. */
const BUILT_DEPTH_MAX = 12;

async function isSecret(session: CdpSession, backendNodeId: number): Promise<boolean> {
  try {
    const { node } = await session.send('DOM.describeNode', { backendNodeId });
    const { localName, attributes: flat = [] } = node;
    const attributes: Record<string, string> = {};
    for (let at = 0; at + 1 < flat.length; at += 2) attributes[flat[at] ?? ''] = flat[at + 1] ?? '';
    return isSecretField({ localName, attributes });
  } catch {
    return true;
  }
}

type Described = z.output<typeof DESCRIBED_NODE>;

function isSecretField({ localName, attributes }: Omit<Described, 'backendNodeId'>): boolean {
  const { type = '', autocomplete = '', name = '', id = '' } = attributes;
  return localName === 'input' && isPrivateField({ type, autocomplete, name, id });
}
