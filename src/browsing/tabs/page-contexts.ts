import * as z from 'zod';
import type { Protocol } from 'devtools-protocol';
import type { CdpSession } from '#browsing/cdp/connection.ts';
import { CdpError } from '#browsing/cdp/connection.ts';
import type { Frame } from './frame.ts';

type ContextId = Protocol.Runtime.ExecutionContextId;
/** Where scripts of a document run. `origin`: its own or the one it borrowed; `null` or `://` for one that has none. */
export type PageContext = { uniqueId: string; origin: string };
type Context = PageContext & { frameId: string; document: Promise<Protocol.Runtime.RemoteObjectId> | null };

/** The contexts of the page's own scripts, one for each document that has any, as Chromium reports them. */
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
   * A handle of the frame's document as the page's own scripts see it. It is requested once. No script of the page can
   * replace it by another object, but a script that watches for it can tell that it was requested.
   * @returns `null` when the frame runs no scripts
   * @throws {CdpError} when the frame is gone
   */
  async document(frame: Frame): Promise<Protocol.Runtime.RemoteObjectId | null> {
    const context = this.of(frame);
    if (context === null) return null;
    context.document ??= documentIn(frame.session, context.uniqueId);
    context.document.catch(() => (context.document = null));
    return context.document;
  }

  /** `null` when the frame runs no scripts, or is just getting another document. */
  of({ id: frameId, session }: Frame): Context | null {
    const contexts = this.#bySession.get(session) ?? new Map<ContextId, Context>();
    // Contexts of the previous document are reported as gone first. In any case the newest counts.
    return [...contexts.values()].findLast((known) => known.frameId === frameId) ?? null;
  }
}

const ofFrame = z.object({ isDefault: z.boolean().optional(), frameId: z.string().optional() });

async function documentIn(session: CdpSession, uniqueContextId: string): Promise<Protocol.Runtime.RemoteObjectId> {
  const { result } = await session.send('Runtime.evaluate', { expression: 'document', uniqueContextId });
  if (result.objectId === undefined) throw new CdpError('Runtime.evaluate', 'No document');
  return result.objectId;
}
