import type { Protocol } from 'devtools-protocol';
import type { CdpSession } from '#browsing/cdp/connection.ts';
import type { Frame, PageContext } from './tab.ts';
import * as z from 'zod';
import { CdpError } from '#browsing/cdp/connection.ts';

export class FrameTree {
  readonly #frames = new Map<string, Frame>();
  /** Ids of child frames by parent, so that a page with thousands of frames stays fast. */
  readonly #children = new Map<string, Set<string>>();
  readonly #mainId: string;

  constructor(mainId: string, session: CdpSession) {
    this.#mainId = mainId;
    this.#set({ id: mainId, parentId: null, loaderId: '', url: 'about:blank', session });
  }

  main(): Frame {
    const main = this.#frames.get(this.#mainId);
    if (main === undefined) throw new TypeError('a tab has lost its own frame');
    return main;
  }

  get(id: string): Frame | null {
    return this.#frames.get(id) ?? null;
  }

  all(): readonly Frame[] {
    const ordered: Frame[] = [this.main()];
    for (let next = 0; next < ordered.length; next += 1) {
      for (const id of this.#children.get(ordered[next]?.id ?? '') ?? []) {
        const child = this.#frames.get(id);
        if (child !== undefined) ordered.push(child);
      }
    }
    return ordered;
  }

  load(tree: Protocol.Page.FrameTree, session: CdpSession): void {
    const open = [tree];
    for (let next = open.shift(); next !== undefined; next = open.shift()) {
      const known = this.#frames.get(next.frame.id);
      this.#put(next.frame, next.frame.parentId ?? known?.parentId ?? null, session);
      open.push(...(next.childFrames ?? []));
    }
  }

  attached(id: string, parentId: string, session: CdpSession): void {
    const known = this.#frames.get(id);
    this.#set({ loaderId: '', url: 'about:blank', ...known, id, parentId, session });
  }

  /** Replaces the document of a frame and removes its child frames, which Chromium does not report as detached. */
  navigated(frame: Protocol.Page.Frame, session: CdpSession): void {
    this.#dropChildren(frame.id);
    const known = this.#frames.get(frame.id);
    this.#put(frame, frame.parentId ?? known?.parentId ?? null, session);
  }

  navigatedWithin(id: string, url: string): void {
    const known = this.#frames.get(id);
    if (known !== undefined) this.#set({ ...known, url });
  }

  movedToTarget(id: string, parentId: string | null, session: CdpSession): void {
    const known = this.#frames.get(id);
    this.#set({ loaderId: '', url: 'about:blank', parentId, ...known, id, session });
  }

  detached(id: string): void {
    if (id === this.#mainId) return;
    this.#dropChildren(id);
    this.#children.get(this.#frames.get(id)?.parentId ?? '')?.delete(id);
    this.#frames.delete(id);
  }

  #dropChildren(id: string): void {
    const parents = [id];
    for (let parent = parents.pop(); parent !== undefined; parent = parents.pop()) {
      for (const child of this.#children.get(parent) ?? []) {
        this.#frames.delete(child);
        parents.push(child);
      }
      this.#children.delete(parent);
    }
  }

  #set(frame: Frame): void {
    const parentBefore = this.#frames.get(frame.id)?.parentId ?? null;
    if (parentBefore !== null && parentBefore !== frame.parentId) this.#children.get(parentBefore)?.delete(frame.id);
    this.#frames.set(frame.id, frame);
    if (frame.parentId === null) return;
    const beside = this.#children.get(frame.parentId);
    if (beside === undefined) this.#children.set(frame.parentId, new Set([frame.id]));
    else beside.add(frame.id);
  }

  #put(frame: Protocol.Page.Frame, parentId: string | null, session: CdpSession): void {
    const { id, loaderId, url, urlFragment, unreachableUrl } = frame;
    // An error page is listed with the URL of the document that failed to load.
    const error = unreachableUrl === undefined ? {} : { isError: true as const };
    this.#set({ id, parentId, loaderId, url: (unreachableUrl ?? url) + (urlFragment ?? ''), session, ...error });
  }
}

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
