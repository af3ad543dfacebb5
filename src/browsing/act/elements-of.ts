import { abortable } from '#core/flow/abort.ts';
import type { ScriptSource } from '#browsing/in-page/script-types.ts';
import { asArguments, callFunction, failElementGone } from '#browsing/tabs/call-in-page.ts';
import type { PageElement } from '#browsing/tabs/tab.ts';

/**
 * Handles of the elements that a page script finds from the given element, in the script's order.
 * @throws {PeriscopeError} `element_not_found` if the element is gone
 */
export async function findElementsByScript(
  element: PageElement,
  script: ScriptSource<'handles', (max: number) => object>,
  max: number,
  signal: AbortSignal,
): Promise<PageElement[]> {
  const { tab, frame, objectId, role } = element;
  const { session } = frame;
  const find = async () => {
    const { result } = await callFunction(session, { objectId }, script, asArguments([max]), {});
    if (result.objectId === undefined) return [];
    const held = await session.send('Runtime.getProperties', { objectId: result.objectId, ownProperties: true });
    const nodes = held.result.flatMap(({ value }) => (value?.subtype === 'node' ? (value.objectId ?? []) : []));
    const described = nodes.map(async (id) => {
      const { node } = await session.send('DOM.describeNode', { objectId: id });
      return { tab, frame, backendNodeId: node.backendNodeId, objectId: id, role: 'generic', name: '' };
    });
    return Promise.all(described);
  };
  return abortable(find(), signal).catch((error: unknown) => failElementGone(error, role));
}
