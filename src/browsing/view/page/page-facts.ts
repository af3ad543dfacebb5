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

/** Maximum elements whose attributes are reported, at some hundred bytes each. A large clickable table has 2,000. */
const VIEW_TELLING_ELEMENTS_MAX = 2_000;
const VIEW_FIELDS_MAX = 500;
/** Maximum reported texts, because each is sent in full. Pages hide far fewer texts than they show. */
const VIEW_UNSEEN_TEXTS_MAX = 1_000;
/** Maximum visible lines that assistive technology does not get: as many as an editor shows at once. */
const VIEW_SILENT_LINES_MAX = 60;
const VIEW_SILENT_CHARS_MAX = 300;
/** Maximum characters of the hint for an element without a name. */
const VIEW_HINT_CHARS_MAX = 40;
/** Maximum characters of a title or a placeholder. */
const VIEW_SAID_CHARS_MAX = 80;

/** Facts about a document's elements that the accessibility tree lacks, by backend node id. */
export type PageFacts = {
  /** Elements that look clickable, or declare this in a way that the accessibility tree ignores. */
  clickable: ReadonlySet<number>;
  current: ReadonlySet<number>;
  /** Sort directions of columns. */
  sorted: ReadonlyMap<number, string>;
  draggable: ReadonlySet<number>;
  /** Hints that distinguish elements without a name, such as a tooltip or an icon. */
  hints: ReadonlyMap<number, string>;
  /** Titles of icons that have no other text. */
  titles: ReadonlyMap<number, string>;
  /** Placeholders of empty fields. */
  placeholders: ReadonlyMap<number, string>;
  /** Frames that are visible, or that load only when they become visible. */
  frames: ReadonlyMap<number, string>;
  files: ReadonlyMap<number, string>;
  /** Cells that are ticked fully or in part. */
  ticked: ReadonlyMap<number, string>;
  /** Visible lines that the accessibility tree lacks. */
  silent: readonly SilentLine[];
  /** Number of further such lines beyond `silent`. */
  silentLeft: number;
  unseen: ReadonlySet<number>;
  /** Texts that have a visible gap before them, but no space character. */
  apart: ReadonlySet<number>;
  /** Texts that begin a line below the previous text. */
  below: ReadonlySet<number>;
  /** Elements under the pointer, and elements that contain the focus. */
  underHand: ReadonlySet<number>;
  /** Elements that a style puts over the other content of the page. */
  over: ReadonlySet<number>;
  /** True if the accessibility tree read earlier is outdated, because the document has gained elements. */
  isTreeOld: boolean;
  /** Number of examined elements; `null` when the document did not answer. */
  elements: number | null;
  /** For each element that the script found: true if its value must be masked. */
  holdsSecret: ReadonlyMap<number, boolean>;
};

/** `node`, `after` and `around` are backend node ids. */
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
 * Runs one script over the document. Its answer describes the elements, so that no further requests are needed.
 * @param part handle of the result of `partOf`, for a large document
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

/** The result of a script with its nodes described. @throws {TypeError} for a value that Chromium never serializes */
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
 * CDP `Runtime.DeepSerializedValue`, whose `value` is untyped in the protocol. An answer contains thousands of these
 * values. The final result is checked, so no schema checks each value.
 */
type Serialized = {
  type: string;
  value?: unknown;
  /** Set on an object that occurs several times: after the first time, only this reference is sent. */
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

/** Kinds of hints that distinguish an element without a name. */
const NAMING: ReadonlySet<HintKind> = new Set(['tooltip', 'icon', 'class']);

function idsOf(nodes: readonly { backendNodeId: number }[]): ReadonlySet<number> {
  return new Set(nodes.map(({ backendNodeId }) => backendNodeId));
}

/** Options for describing nodes, deep enough for the `around` list of a silent line. */
export const NODES_DESCRIBED = {
  serialization: 'deep' as const,
  maxDepth: 4,
  additionalParameters: { maxNodeDepth: 0, includeShadowTree: 'none' },
};

export const DESCRIBED_NODE = z.object({
  backendNodeId: z.int(),
  /** Text nodes have no local name. */
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
 * Fields whose values must be masked, according to the DOM: password fields, including those that the page has changed
 * to another type to show the password. A field that the script did not find may be in a closed shadow tree and is
 * checked separately, unless it is part of a native widget. A field that cannot be checked counts as secret.
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

/** All fields of a document in which a person typed, because any value may repeat the input. */
export function everyValue(root: AxElement): ReadonlySet<number> {
  const fields = [...everyElement(root)].filter(
    (element) => (FIELD_ROLES.has(element.role) && !isChosen(element)) || element.properties.has('editable'),
  );
  return new Set(fields.flatMap(({ backendNodeId }) => backendNodeId ?? []));
}

/** True for fields whose value is chosen, as opposed to typed. */
function isChosen({ role, children: [popup] }: AxElement): boolean {
  return role === 'listbox' || role === 'slider' || (role === 'combobox' && popup?.role === 'MenuListPopup');
}

function isBuilt(parent: AxElement | null): boolean {
  for (let at = parent, steps = 0; at !== null && steps < BUILT_DEPTH_MAX; at = at.parent, steps += 1) {
    if (BUILT_ROLES.has(at.role)) return true;
  }
  return false;
}

/** Maximum depth: more than the parts of any media player or date field have. */
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

function isSet(state: string | undefined): state is string {
  return state !== undefined && !/^(?:false|none|)$/u.test(state);
}

function isSecretField({ localName, attributes }: Omit<Described, 'backendNodeId'>): boolean {
  const { type = '', autocomplete = '', name = '', id = '' } = attributes;
  return localName === 'input' && isPrivateField({ type, autocomplete, name, id });
}
