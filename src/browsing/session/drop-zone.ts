import { within } from '#core/abortable.ts';
import { CdpError } from '#browsing/cdp/connection.ts';
import { askIn, AS_DATA } from '#browsing/tabs/call-in-page.ts';
import type { PageElement } from '#browsing/tabs/page-element.ts';
import { findListening } from '#browsing/view/listening.ts';
import { DROP_ZONE_MS_MAX, DROP_ZONES_MAX } from './limits.ts';

/**
 * Whether the element lies in something that listens for drops and has nothing of its own to drag, so that it may be a place
 * for files. `false` when that cannot be told.
 */
export async function isInDropZone(element: PageElement, signal: AbortSignal): Promise<boolean> {
  return (await within(look(element).catch(unknown), DROP_ZONE_MS_MAX, signal)) ?? false;
}

async function look({ tab, frame, objectId }: PageElement): Promise<boolean> {
  const [listening, executionContextId] = await Promise.all([findListening(tab, frame, DROPS), tab.world(frame)]);
  if (listening.size === 0) return false;
  const zones = await Promise.all(
    [...listening]
      .slice(0, DROP_ZONES_MAX)
      .map((backendNodeId) => frame.session.send('DOM.resolveNode', { backendNodeId, executionContextId })),
  );
  const handles = [objectId, ...zones.flatMap(({ object }) => object.objectId ?? [])];
  const given = handles.map((handle) => ({ objectId: handle }));
  const { result } = await askIn(tab, frame, 'isInDropZone', given, AS_DATA);
  return result.value === true;
}

const DROPS: ReadonlySet<string> = new Set(['drop']);

/** The element, the zone or the page went away. */
function unknown(error: unknown): false {
  if (error instanceof CdpError) return false;
  throw error;
}
