import * as pageScripts from '#generated/page-scripts.js';
import { asArguments } from '#browsing/tabs/call-function.ts';
import { askIn } from '#browsing/tabs/call-in-page.ts';
import * as z from 'zod';
import { isPrivateField } from '#core/secrets/private-fields.ts';
import type { Protocol } from 'devtools-protocol';
import type { CdpSession } from '#browsing/cdp/connection.ts';
import type { Frame } from '#browsing/tabs/frame.ts';
import type { Tab } from '#browsing/tabs/tab.ts';
import { VIEW_FIELDS_MAX, VIEW_HINT_CHARS_MAX, VIEW_TELLING_ELEMENTS_MAX, VIEW_UNSEEN_TEXTS_MAX } from './limits.ts';
import { everyElement } from '#browsing/tree/ax-tree.ts';
import type { AxElement } from '#browsing/tree/ax-tree.ts';
import { BUILT_ROLES, FIELD_ROLES } from '#browsing/tree/roles.ts';

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
  /** Texts that nobody sees. */
  unseen: ReadonlySet<number>;
  /** Texts with room before them that is no space. */
  apart: ReadonlySet<number>;
  /** What the pointer is over, and what has the focus in it. */
  underHand: ReadonlySet<number>;
  /** The accessibility tree has more elements than before it was asked for. */
  isTreeOld: boolean;
  /** Elements that were looked at; `null` when the document could not be asked. */
  elements: number | null;
  /** Whether the value of an element must not be shown, for the elements that the script has found. */
  holdsSecret: ReadonlyMap<number, boolean>;
};

export const NO_FACTS: PageFacts = {
  clickable: new Set(),
  current: new Set(),
  sorted: new Map(),
  draggable: new Set(),
  hints: new Map(),
  unseen: new Set(),
  apart: new Set(),
  underHand: new Set(),
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
  const limits = asArguments([VIEW_TELLING_ELEMENTS_MAX, VIEW_FIELDS_MAX, VIEW_UNSEEN_TEXTS_MAX]);
  const args = part === null ? limits : [...limits, { objectId: part }];
  const manner = { objectGroup: GROUP, serializationOptions: NODES_DESCRIBED };
  const asked = askIn(tab, frame, pageScripts.tellingElements, args, manner);
  const { result } = await asked.finally(() => {
    session.send('Runtime.releaseObjectGroup', { objectGroup: GROUP }).catch(() => undefined);
  });
  return factsOf(listOf(result), (hint) => shortHint(session.told(hint, 'page')));
}

/** A list that a script gave, with its nodes described. */
export function listOf({ deepSerializedValue }: Protocol.Runtime.RemoteObject): Found[] {
  return whole(z.array(described).parse(deepSerializedValue?.value ?? []));
}

export type Found = null | boolean | number | string | KnownNode;
type KnownNode = Described & { backendNodeId: number };

/** With each element described every time it stands in the list. */
function whole(list: readonly z.output<typeof described>[]): Found[] {
  const known = new Map<number, KnownNode>();
  return list.flatMap((one): Found[] => {
    if (one === null || typeof one !== 'object') return [one];
    const { value, weakLocalObjectReference: reference } = one;
    if (value !== undefined && reference !== undefined) known.set(reference, value);
    const node = value ?? known.get(reference ?? -1);
    return node === undefined ? [] : [node];
  });
}

/** A hint is a kind of thing and words in quotes. */
function shortHint(hint: string): string {
  const [, kind, words = ''] = /^(\w+ ")([^]*)"$/.exec(hint) ?? [];
  return kind === undefined ? hint : `${kind}${words.slice(0, VIEW_HINT_CHARS_MAX)}"`;
}

/** The result of `tellingElements`: parts with a `null` between them; hints follow their elements. */
function factsOf(found: readonly Found[], toldHint: (hint: string) => string): PageFacts {
  const clickable = new Set<number>();
  const current = new Set<number>();
  const sorted = new Map<number, string>();
  const draggable = new Set<number>();
  const hints = new Map<number, string>();
  const others = [new Set<number>(), new Set<number>(), new Set<number>()] as const;
  let isTreeOld = false;
  let elements: number | null = null;
  const holdsSecret = new Map<number, boolean>();
  let part = 0;
  let last = 0;
  for (const one of found) {
    if (one === null) part += 1;
    else if (typeof one === 'boolean') isTreeOld = one;
    else if (typeof one === 'number') elements = one;
    else if (typeof one === 'string') hints.set(last, toldHint(one));
    else if (part >= OTHERS) others[part - OTHERS]?.add(one.backendNodeId);
    else {
      const { backendNodeId: id, attributes } = one;
      last = id;
      holdsSecret.set(id, isSecretField(one));
      if (part > 0) continue;
      if ('aria-sort' in attributes) sorted.set(id, attributes['aria-sort'] ?? '');
      else if ('aria-current' in attributes) current.add(id);
      else clickable.add(id);
      if (attributes['draggable'] === 'true') draggable.add(id);
    }
  }
  const [unseen, apart, underHand] = others;
  return { clickable, current, sorted, draggable, hints, unseen, apart, underHand, isTreeOld, elements, holdsSecret };
}

/** The parts from here on are of one kind of fact each. */
const OTHERS = 2;

export const NODES_DESCRIBED = {
  serialization: 'deep' as const,
  maxDepth: 1,
  additionalParameters: { maxNodeDepth: 0, includeShadowTree: 'none' },
};

const described = z.union([
  z.object({ type: z.literal('null') }).transform(() => null),
  z.object({ type: z.literal('boolean'), value: z.boolean() }).transform(({ value }) => value),
  z.object({ type: z.literal('number'), value: z.number() }).transform(({ value }) => value),
  z.object({ type: z.literal('string'), value: z.string() }).transform(({ value }) => value),
  z.object({
    type: z.literal('node'),
    /** Given to what stands in the list more than once, and alone after the first time. */
    weakLocalObjectReference: z.int().optional(),
    value: z
      .object({
        backendNodeId: z.int(),
        /** A text has none. */
        localName: z.string().default(''),
        attributes: z.record(z.string(), z.string()).default({}),
      })
      .optional(),
  }),
]);

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

type Described = { localName: string; attributes: Readonly<Record<string, string>> };

function isSecretField({ localName, attributes }: Described): boolean {
  const { type = '', autocomplete = '', name = '', id = '' } = attributes;
  return localName === 'input' && isPrivateField({ type, autocomplete, name, id });
}
