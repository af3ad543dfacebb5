import { findByRef } from '#browsing/locate/find.ts';
import { ElementRefs } from '#browsing/refs/refs.ts';
import { resolveTarget } from '#browsing/locate/resolve.ts';
import type { PageElement, Tab } from '#browsing/tabs/tab.ts';
import { takePageView } from '#browsing/session/operations/look-operations.ts';
import type { ViewPageOptions } from '#browsing/session/operations/look-operations.ts';
import type { View } from '#browsing/view/view.ts';
import type { OpenTab } from '#browsing/tabs/open-tab.ts';
import { PeriscopeError } from '#core/failures/failure.ts';
import type { Failure } from '#core/failures/failure.ts';
import { inPage } from './page-calls.ts';

const PATIENCE_MS = 25_000;

/** A tab with the refs of its session, as callers of the tools see it. */
export class PageWithRefs<ItsTab extends Tab = OpenTab> {
  readonly tab: ItsTab;
  readonly refs: ElementRefs;
  readonly #byId: (id: string) => Tab | null;

  constructor(
    tab: ItsTab,
    refs = new ElementRefs(),
    byId: (id: string) => Tab | null = (id) => (id === tab.id ? tab : null),
  ) {
    this.tab = tab;
    this.refs = refs;
    this.#byId = byId;
  }

  async snapshot(options: ViewPageOptions = {}): Promise<View> {
    return (await takePageView(this.#tabs(), this.refs, options, AbortSignal.timeout(PATIENCE_MS))).view;
  }

  async text(options: ViewPageOptions = {}): Promise<string> {
    return (await this.snapshot(options)).text;
  }

  /** The ref before `words` in a fresh snapshot. */
  async refOf(words: string, place = 0): Promise<string> {
    const text = await this.text();
    const found = [...text.matchAll(/(@e\d+) ([^\n]*)/g)].filter(([, , rest]) => rest?.startsWith(words))[place]?.[1];
    if (found === undefined) throw new Error(`no ${words} in\n${text}`);
    return found;
  }

  resolve(target: string): Promise<PageElement> {
    return resolveTarget(target, this.#tabs(), this.refs, AbortSignal.timeout(PATIENCE_MS));
  }

  /** The failure of resolving a target. */
  async failure(target: string): Promise<Failure> {
    try {
      const { role, name } = await this.resolve(target);
      throw new Error(`${target} was resolved to ${role} ${name}`);
    } catch (error) {
      if (error instanceof PeriscopeError) return error.failure;
      throw error;
    }
  }

  /** True if a ref still resolves to an element. */
  async leads(ref: string): Promise<boolean> {
    const target = this.refs.current(ref);
    return target !== null && typeof (await findByRef(target, this.tab)) !== 'string';
  }

  run(script: string): Promise<unknown> {
    return inPage(this.tab, script);
  }

  /** The result of a function that the page's main world calls with an element. */
  async ask(
    { frame, backendNodeId }: Pick<PageElement, 'frame' | 'backendNodeId'>,
    question: string,
  ): Promise<unknown> {
    const { object } = await frame.session.send('DOM.resolveNode', { backendNodeId });
    const { result } = await frame.session.send('Runtime.callFunctionOn', {
      functionDeclaration: `function () { return ${question}; }`,
      objectId: object.objectId ?? '',
      returnByValue: true,
    });
    return result.value;
  }

  #tabs() {
    return { tab: this.tab, byId: this.#byId };
  }
}
