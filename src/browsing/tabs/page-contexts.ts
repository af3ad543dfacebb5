import * as z from 'zod';
import type { Protocol } from 'devtools-protocol';
import type { CdpSession } from '#browsing/cdp/connection.ts';
import { CdpError } from '#browsing/cdp/connection.ts';
import type { Frame, PageContext } from './tab.ts';

type ContextId = Protocol.Runtime.ExecutionContextId;
type Context = PageContext & { frameId: string; document: Promise<Protocol.Runtime.RemoteObjectId> | null };

export class PageContexts {
  readonly #bySession = new WeakMap<CdpSession, Map<ContextId, Context>>();

  follow(session: CdpSession): void {
    const contexts = new Map<ContextId, Context>();
    this.#bySession.set(session, contexts);
    session.on('Runtime.executionContextCreated', ({ context: { id, uniqueId, origin, auxData } }) => {
      const { isDefault, frameId } = ofFrame.parse(auxData ?? {});
      if (isDefault === true && frameId !== undefined) contexts.set(id, { uniqueId, origin, frameId, document: null });
    });
    session.on('Runtime.executionContextDestroyed', ({ executionContextId }) => contexts.delete(executionContextId));
    session.on('Runtime.executionContextsCleared', () => contexts.clear());
  }

  /**
   * Handle of a document in the page's own world; `null` if the frame runs no scripts, or while its document is being
   * replaced. Requested only once per document: page scripts cannot replace the object, but could detect a request.
   * @throws {CdpError} if the frame is gone
   */
  async document(frame: Frame): Promise<Protocol.Runtime.RemoteObjectId | null> {
    const context = this.of(frame);
    if (context === null) return null;
    context.document ??= documentIn(frame.session, context.uniqueId);
    context.document.catch(() => (context.document = null));
    return context.document;
  }

  /** @returns `null` if the frame runs no scripts, or while its document is being replaced */
  of({ id: frameId, session }: Frame): Context | null {
    const contexts = this.#bySession.get(session) ?? new Map<ContextId, Context>();
    // Takes the newest context, in case the previous document's context is not destroyed yet.
    return [...contexts.values()].findLast((known) => known.frameId === frameId) ?? null;
  }
}

const ofFrame = z.object({ isDefault: z.boolean().optional(), frameId: z.string().optional() });

async function documentIn(session: CdpSession, uniqueContextId: string): Promise<Protocol.Runtime.RemoteObjectId> {
  const { result } = await session.send('Runtime.evaluate', { expression: 'document', uniqueContextId });
  if (result.objectId === undefined) throw new CdpError('Runtime.evaluate', 'No document');
  return result.objectId;
}
