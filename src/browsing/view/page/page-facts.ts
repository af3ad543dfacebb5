import * as pageScripts from '#generated/page-scripts.js';
import { asArguments, callWithHandles } from '#browsing/tabs/call-in-page.ts';
import * as z from 'zod';
import { isPrivateField } from '#core/secrets/private-fields.ts';
import type { Protocol } from 'devtools-protocol';
import type { CdpSession } from '#browsing/cdp/connection.ts';
import type { ElementHint, DomFacts } from '#browsing/in-page/script-types.ts';
import type { Frame, Tab } from '#browsing/tabs/tab.ts';
import { everyElement } from '#browsing/tree/ax-tree.ts';
import type { AxElement } from '#browsing/tree/ax-tree.ts';
import { NATIVE_WIDGET_ROLES, FIELD_ROLES } from '#browsing/tree/roles.ts';

/** Maximum elements whose attributes are reported, at some hundred bytes each. A large clickable table has 2,000. */
const VIEW_TELLING_ELEMENTS_MAX = 2_000;
const VIEW_FIELDS_MAX = 500;
/** Maximum invisible texts that the page script reports. Pages hide far fewer texts than they show. */
const VIEW_UNSEEN_TEXTS_MAX = 1_000;
/**
 * Maximum reported lines that are hidden from assistive technology: about as many as fit on the screen of a code
 * editor.
 */
const VIEW_SILENT_LINES_MAX = 60;
/** Maximum characters of a hint, such as a tooltip, for an element without a name. */
const VIEW_HINT_CHARS_MAX = 40;
/** Maximum characters of an icon's title or a field's placeholder. */
const VIEW_SAID_CHARS_MAX = 80;

/** Facts about a document that its accessibility tree lacks. Elements are identified by backend node id. */
export type DocumentDomFacts = {
  /** Elements that look clickable (a pointer cursor), or declare this in a way that the accessibility tree ignores. */
  clickable: ReadonlySet<number>;
  current: ReadonlySet<number>;
  /** `aria-sort` of column headers. */
  sorted: ReadonlyMap<number, string>;
  draggable: ReadonlySet<number>;
  /** Hints for elements without a name: a tooltip, the name of an icon or a CSS class. */
  hints: ReadonlyMap<number, string>;
  /** Titles of icons that have no other text. */
  titles: ReadonlyMap<number, string>;
  placeholders: ReadonlyMap<number, string>;
  /** `lazy` for frames that load when scrolled into view, `seen` for visible frames. */
  frames: ReadonlyMap<number, string>;
  files: ReadonlyMap<number, string>;
  /** Table cells that are checked (`true`) or partly checked (`mixed`). */
  ticked: ReadonlyMap<number, string>;
  /** Options of a `<select>` that nobody can choose: `disabled` or `hidden`. */
  closed: ReadonlyMap<number, string>;
  /** Clickable elements that only a class marks as chosen, such as `selected`. */
  chosen: ReadonlyMap<number, string>;
  /** Labels of check boxes and radio buttons that are not displayed, such as `radio true`. */
  boxes: ReadonlyMap<number, string>;
  /** Visible lines of text that are hidden from the accessibility tree, as in some code editors. */
  silent: readonly AriaHiddenLine[];
  /** Number of hidden lines that exceed the limit of `silent`. */
  silentLeft: number;
  unseen: ReadonlySet<number>;
  /** Text nodes with a visible gap before them but no space character, as between two table cells. */
  apart: ReadonlySet<number>;
  /** Text nodes drawn on a line below or above the previous text, in another box. */
  below: ReadonlySet<number>;
  /** Elements under the mouse pointer, and elements that contain the keyboard focus. */
  underHand: ReadonlySet<number>;
  /** Elements that CSS positions over the other content, such as an overlay. */
  over: ReadonlySet<number>;
  /** The modal dialog or full-screen overlay in front of all others; empty for none. */
  front: ReadonlySet<number>;
  /** True if the script made Chromium add elements to the accessibility tree, which must then be read again. */
  isTreeOld: boolean;
  /** Size of the document in elements; `null` when its script did not answer. */
  size: number | null;
  /** For each field that the script found: true if its value must be masked. */
  holdsSecret: ReadonlyMap<number, boolean>;
};

/** A visible line of text hidden from the accessibility tree. `node`, `after` and `around` are backend node ids. */
export type AriaHiddenLine = {
  node: number;
  words: string;
  /** Number of characters that follow the words and were not read. */
  unread: number;
  after: number | null;
  around: readonly number[];
};

export const NO_DOM_FACTS: DocumentDomFacts = {
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
  closed: new Map(),
  chosen: new Map(),
  boxes: new Map(),
  silent: [],
  silentLeft: 0,
  unseen: new Set(),
  apart: new Set(),
  below: new Set(),
  underHand: new Set(),
  over: new Set(),
  front: new Set(),
  isTreeOld: false,
  size: null,
  holdsSecret: new Map(),
};

const GROUP = 'periscope-facts';

/**
 * Collects facts about a document in one script call. Nodes in its result carry their ids and attributes, so that no
 * CDP request per node is needed.
 * @param part handle of the result of `readDocumentPart`, for a document too large to be read whole; otherwise `null`
 */
export async function readDomFacts(tab: Tab, frame: Frame, part: string | null = null): Promise<DocumentDomFacts> {
  const { session } = frame;
  const limits = asArguments([
    VIEW_TELLING_ELEMENTS_MAX,
    VIEW_FIELDS_MAX,
    VIEW_UNSEEN_TEXTS_MAX,
    VIEW_SILENT_LINES_MAX,
  ]);
  const args = part === null ? limits : [...limits, { objectId: part }];
  const manner = { objectGroup: GROUP, serializationOptions: DEEP_SERIALIZATION };
  const asked = callWithHandles(tab, frame, pageScripts.collectDomFacts, args, manner);
  const { result } = await asked.finally(() => {
    session.send('Runtime.releaseObjectGroup', { objectGroup: GROUP }).catch(() => undefined);
  });
  return factsOf(TELLING.parse(deserializeDeep(result)), (words) => session.masked(words));
}

/** Converts a deep-serialized script result to plain data. @throws {TypeError} for other values */
export function deserializeDeep({ deepSerializedValue }: Protocol.Runtime.RemoteObject): unknown {
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
 * CDP `Runtime.DeepSerializedValue`, whose `value` is untyped in the protocol. Results contain thousands of such
 * values, so a schema checks only the converted result.
 */
type Serialized = {
  type: string;
  value?: unknown;
  /** Id of an object that occurs several times in the result. Chromium sends `value` only with the first occurrence. */
  weakLocalObjectReference?: number;
};

function isSerialized(given: unknown): given is Serialized {
  return typeof given === 'object' && given !== null && 'type' in given;
}

function factsOf(
  { telling, others, hints, silent, silentLeft, isTreeOld, size, ...texts }: z.output<typeof TELLING>,
  told: (words: string) => string,
): DocumentDomFacts {
  const clickable: Described[] = [];
  const current: Described[] = [];
  const sorted = new Map<number, string>();
  for (const one of telling) {
    const { 'aria-sort': sort } = one.attributes;
    if (isSet(sort)) sorted.set(one.backendNodeId, sort);
    else if (isSet(one.attributes['aria-current'])) current.push(one);
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
    closed: saidAs('closed'),
    chosen: saidAs('chosen'),
    boxes: saidAs('box'),
    silent: silent.map(({ block, words, chars, unread, after, around }) => ({
      node: block.backendNodeId,
      words: told(words).slice(0, chars),
      unread,
      after: after?.backendNodeId ?? null,
      around: around.map(({ backendNodeId }) => backendNodeId),
    })),
    silentLeft,
    unseen: idsOf(texts.unseen),
    apart: idsOf(texts.apart),
    below: idsOf(texts.below),
    underHand: idsOf(texts.underHand),
    over: idsOf(texts.over),
    front: idsOf(texts.front),
    isTreeOld,
    size,
    holdsSecret: new Map([...telling, ...others].map((one) => [one.backendNodeId, isSecretField(one)])),
  };
}

type HintKind = ElementHint<unknown>['kind'];

/** Kinds of hints that replace the missing name of an element. */
const NAMING: ReadonlySet<HintKind> = new Set(['tooltip', 'icon', 'class']);

function idsOf(nodes: readonly { backendNodeId: number }[]): ReadonlySet<number> {
  return new Set(nodes.map(({ backendNodeId }) => backendNodeId));
}

/** Describes nodes by backend id and attributes. Depth 4 reaches the `around` list of a silent line. */
export const DEEP_SERIALIZATION = {
  serialization: 'deep' as const,
  maxDepth: 4,
  additionalParameters: { maxNodeDepth: 0, includeShadowTree: 'none' },
};

export const describedNodeSchema = z.object({
  backendNodeId: z.int(),
  /** CDP reports no local name for text nodes. */
  localName: z.string().default(''),
  attributes: z.record(z.string(), z.string()).default({}),
});
const NODES = z.array(describedNodeSchema);
const TELLING: z.ZodType<DomFacts<Described>> = z.object({
  isTreeOld: z.boolean(),
  size: z.int(),
  telling: NODES,
  others: NODES,
  hints: z.array(
    z.object({
      element: describedNodeSchema,
      kind: z.enum([
        'tooltip',
        'icon',
        'class',
        'title',
        'placeholder',
        'frame',
        'file',
        'checked',
        'closed',
        'chosen',
        'box',
      ]),
      words: z.string(),
    }),
  ),
  silent: z.array(
    z.object({
      block: describedNodeSchema,
      words: z.string(),
      chars: z.int(),
      unread: z.int(),
      after: describedNodeSchema.nullable(),
      around: NODES,
    }),
  ),
  silentLeft: z.int(),
  unseen: NODES,
  apart: NODES,
  below: NODES,
  underHand: NODES,
  over: NODES,
  front: NODES,
});

/**
 * Fields whose values must be masked, such as password fields, even if the page switched one to type "text" to show the
 * password. A field that the script did not find may be in a closed shadow tree and is looked up by CDP, unless it is
 * part of a native widget. A field that cannot be checked counts as secret.
 */
export async function findSecretFields(
  root: AxElement,
  session: CdpSession,
  { holdsSecret }: DocumentDomFacts,
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

/**
 * All text fields of a document in which a person typed, because the page may have copied the input into any of them.
 */
export function findTypedFields(root: AxElement): ReadonlySet<number> {
  const fields = [...everyElement(root)].filter(
    (element) => (FIELD_ROLES.has(element.role) && !isChosen(element)) || element.properties.has('editable'),
  );
  return new Set(fields.flatMap(({ backendNodeId }) => backendNodeId ?? []));
}

/** True for fields such as a `<select>` or slider, whose value is picked rather than typed. */
function isChosen({ role, children }: AxElement): boolean {
  const isNative = role === 'combobox' && children.some((popup) => popup.role === 'MenuListPopup');
  return role === 'listbox' || role === 'slider' || isNative;
}

function isBuilt(parent: AxElement | null): boolean {
  for (let at = parent, steps = 0; at !== null && steps < BUILT_DEPTH_MAX; at = at.parent, steps += 1) {
    if (NATIVE_WIDGET_ROLES.has(at.role)) return true;
  }
  return false;
}

/** Maximum levels searched upward for a native widget. Media players and date fields have fewer levels. */
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

type Described = z.output<typeof describedNodeSchema>;

function isSet(state: string | undefined): state is string {
  return state !== undefined && !/^(?:false|none|)$/u.test(state);
}

function isSecretField({ localName, attributes }: Omit<Described, 'backendNodeId'>): boolean {
  const { type = '', autocomplete = '', name = '', id = '' } = attributes;
  return localName === 'input' && isPrivateField({ type, autocomplete, name, id });
}
