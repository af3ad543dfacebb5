import * as z from 'zod';
import type { Protocol } from 'devtools-protocol';
import type { CdpSession } from '#browsing/cdp/connection.ts';
import { CdpError } from '#browsing/cdp/connection.ts';
import type { Frame } from './frame.ts';

type ContextId = Protocol.Runtime.ExecutionContextId;
type Context = { frameId: string; document: Promise<Protocol.Runtime.RemoteObjectId> | null };

/** The contexts of the page's own scripts, one for each document that has any, as Chromium reports them. */
export class PageContexts {
  readonly #bySession = new WeakMap<CdpSession, Map<ContextId, Context>>();

  follow(session: CdpSession): void {
    const contexts = new Map<ContextId, Context>();
    this.#bySession.set(session, contexts);
    session.on('Runtime.executionContextCreated', ({ context: { id, auxData } }) => {
      const { isDefault, frameId } = ofFrame.parse(auxData ?? {});
      if (isDefault === true && frameId !== undefined) contexts.set(id, { frameId, document: null });
    });
    session.on('Runtime.executionContextDestroyed', ({ executionContextId }) => contexts.delete(executionContextId));
    session.on('Runtime.executionContextsCleared', () => contexts.clear());
  }

  /**
   * A handle of the frame's document as the page's own scripts see it. It is requested once. No script of the page can
   * replace it by another object, but a script that watches for it can tell that it was requested.
   * @returns `null` when the frame runs no scripts
   * @throws {CdpError} when the frame is gone
   */
  async document({ id: frameId, session }: Frame): Promise<Protocol.Runtime.RemoteObjectId | null> {
    const contexts = this.#bySession.get(session) ?? new Map<ContextId, Context>();
    // Contexts of the previous document are reported as gone first. In any case the newest counts.
    const [contextId, context] = [...contexts].findLast(([, known]) => known.frameId === frameId) ?? [];
    if (contextId === undefined || context === undefined) return null;
    context.document ??= documentIn(session, contextId);
    context.document.catch(() => (context.document = null));
    return context.document;
  }
}

const ofFrame = z.object({ isDefault: z.boolean().optional(), frameId: z.string().optional() });

async function documentIn(session: CdpSession, contextId: ContextId): Promise<Protocol.Runtime.RemoteObjectId> {
  const { result } = await session.send('Runtime.evaluate', { expression: 'document', contextId });
  if (result.objectId === undefined) throw new CdpError('Runtime.evaluate', 'No document');
  return result.objectId;
}
