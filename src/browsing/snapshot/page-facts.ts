import type { CdpSession } from '#browsing/cdp/connection.ts';
import type { Frame, Tab } from '#browsing/tabs/tab.ts';
import { SNAPSHOT_FIELDS_MAX, SNAPSHOT_TELLING_ELEMENTS_MAX } from '#core/limits.ts';
import { everyElement } from './ax-tree.ts';
import type { AxElement } from './ax-tree.ts';
import { FIND_TELLING_ELEMENTS } from './page-script.ts';
import { FIELD_ROLES } from './roles.ts';

/** What accessibility does not tell of a document's elements, by backend node id. */
export type PageFacts = {
  clickable: ReadonlySet<number>;
  current: ReadonlySet<number>;
};

const GROUP = 'periscope-facts';

/** One pass of a script over the document, and a description of each element it points at. */
export async function findFacts(tab: Tab, frame: Frame): Promise<PageFacts> {
  const { session } = frame;
  const clickable = new Set<number>();
  const current = new Set<number>();
  try {
    const { result } = await session.send('Runtime.callFunctionOn', {
      functionDeclaration: FIND_TELLING_ELEMENTS,
      arguments: [{ value: SNAPSHOT_TELLING_ELEMENTS_MAX }],
      executionContextId: await tab.world(frame),
      objectGroup: GROUP,
    });
    for (const { id, attributes } of await describeAll(session, result.objectId)) {
      (attributes.has('aria-current') ? current : clickable).add(id);
    }
  } finally {
    void session.send('Runtime.releaseObjectGroup', { objectGroup: GROUP }).catch(() => undefined);
  }
  return { clickable, current };
}

/**
 * The fields whose value must not be told, by what the DOM says of them: password fields, and fields for a password
 * whose type the page has changed to show it. A field that cannot be asked is taken for one.
 */
export async function findSecrets(root: AxElement, session: CdpSession): Promise<ReadonlySet<number>> {
  const secrets = new Set<number>();
  const asked: Promise<void>[] = [];
  for (const { role, value, backendNodeId, properties } of everyElement(root)) {
    if (backendNodeId === null || value === '' || !(FIELD_ROLES.has(role) || properties.has('editable'))) continue;
    if (asked.length >= SNAPSHOT_FIELDS_MAX) secrets.add(backendNodeId);
    else asked.push(isSecret(session, backendNodeId).then((is) => void (is && secrets.add(backendNodeId))));
  }
  await Promise.all(asked);
  return secrets;
}

async function isSecret(session: CdpSession, backendNodeId: number): Promise<boolean> {
  try {
    const { node } = await session.send('DOM.describeNode', { backendNodeId });
    const attributes = attributesOf(node.attributes);
    if (node.localName !== 'input') return false;
    return (
      attributes.get('type')?.toLowerCase().trim() === 'password' ||
      /password|cc-csc|one-time-code/i.test(attributes.get('autocomplete') ?? '')
    );
  } catch {
    return true;
  }
}

type Described = { id: number; attributes: ReadonlyMap<string, string> };

async function describeAll(session: CdpSession, objectId: string | undefined): Promise<Described[]> {
  if (objectId === undefined) return [];
  const { result } = await session.send('Runtime.getProperties', { objectId, ownProperties: true });
  const described = result.map(async ({ value }): Promise<Described[]> => {
    if (value?.subtype !== 'node' || value.objectId === undefined) return [];
    const { node } = await session.send('DOM.describeNode', { objectId: value.objectId });
    return [{ id: node.backendNodeId, attributes: attributesOf(node.attributes) }];
  });
  return (await Promise.all(described)).flat();
}

function attributesOf(flat: readonly string[] | undefined): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>();
  for (let at = 0; at + 1 < (flat?.length ?? 0); at += 2) attributes.set(flat?.[at] ?? '', flat?.[at + 1] ?? '');
  return attributes;
}
