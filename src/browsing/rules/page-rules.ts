import type { SocketHosts } from '#browsing/in-page/script-types.ts';
import { fail } from '#core/failures/failure.ts';
import { allowEverything, NO_SITE_RULES, decideRule, stricterLevel } from '#core/site-rules.ts';
import type { RuleLevel, RuleDecision, SiteRules } from '#core/site-rules.ts';
import { SECOND_MS } from '#core/limits.ts';
import { registrableDomain } from '#net/site.ts';
import { ACT_EFFECT_WINDOW_MS } from './backstop.ts';

/**
 * The effect of a call on a page. `none`: no effect, and the result shows nothing of the page. `leave`: opens another
 * page. `look`: reads the page. `pointer`: moves the pointer or scrolls. `act`: a click, a key, a field, a file, or OK
 * in a dialog.
 */
export type CallEffect = 'none' | 'leave' | 'look' | 'pointer' | 'act' | 'script';

/** `isError`: set if the browser shows an error page instead of the URL's document. */
type RuledFrame = { id: string; parentId: string | null; url: string; isError?: true };

/** The parts of a tab that site rules need. */
export type RuledTab = {
  readonly targetId: string;
  readonly openedBy: readonly string[];
  main: () => RuledFrame;
  frame: (id: string) => RuledFrame | null;
  frames: () => readonly RuledFrame[];
  originOf: (frameId: string) => string | null;
};

/**
 * The site rules of one session, applied to the documents that are now in its tabs. The rules bind models, not a
 * driving person.
 */
export class PageRules {
  #rules: SiteRules | null = NO_SITE_RULES;
  #isOff = true;
  /** Rules by URL, cached because a page with many frames is checked at each event. */
  readonly #known = new Map<string, RuleDecision>();
  readonly #acts = new WeakMap<RuledTab, number>();
  /** Number of running acts of each tab (see {@link duringAct}). */
  readonly #lasting = new WeakMap<RuledTab, number>();
  /** Time of the last act in any tab of a site, because pages of the same site can exchange messages about the act. */
  readonly #actsBySite = new Map<string, number>();
  /** Tabs in which an act has begun to load a document that has not arrived yet. */
  readonly #opening = new WeakSet<RuledTab>();
  /**
   * Tabs whose last act was renewed by a new document. It is renewed only once, because frames that keep loading would
   * renew it forever.
   */
  readonly #opened = new WeakSet<RuledTab>();
  #lastAct: number | null = null;
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** @param rules `null` if the rules could not be loaded; nothing is allowed in that case */
  set(rules: SiteRules | null): void {
    this.#rules = rules;
    this.#known.clear();
    this.#isOff = rules !== null && allowEverything(rules);
  }

  /** True if models may do everything on all sites, so that no check is needed. */
  get isOff(): boolean {
    return this.#isOff;
  }

  /**
   * Hosts whose pages may open no WebSockets, because the request gate cannot check these; `null` if no rule restricts
   * models. Rules for paths are ignored.
   * @param stopsAsking true to include hosts for which a rule asks first
   */
  socketHosts(stopsAsking = false): SocketHosts | null {
    if (this.#isOff) return null;
    const isStopped = (level: RuleLevel) => STOPS_SOCKETS.has(level) || (stopsAsking && level === 'ask');
    const { owner, people } = this.#rules ?? NOTHING_ALLOWED;
    return [owner, ...people].map(({ rules, fallback }) => ({
      hosts: rules.filter(({ path }) => path === '/').map(({ host, level }) => [host, isStopped(level)]),
      isStopped: isStopped(fallback),
    }));
  }

  noteAct(tab: RuledTab): void {
    this.#opened.delete(tab);
    this.#acts.set(tab, this.#now());
    this.#lastAct = this.#now();
    const site = this.#isOff ? null : registrableDomain(tab.main().url);
    if (site === null) return;
    if (this.#actsBySite.size >= KNOWN_MAX) this.#actsBySite.clear();
    this.#actsBySite.set(site, this.#now());
  }

  /** Called when a tab requests a document soon after an act. Even if it arrives late, it counts as an effect. */
  noteOpening(tab: RuledTab): void {
    if (!this.#opened.has(tab)) this.#opening.add(tab);
  }

  /** Called when a document has arrived. The first document in a window that an act opened counts as an act. */
  noteOpened(tab: RuledTab): void {
    const isFirst = tab.openedBy.length > 0 && this.#lastAct !== null && !this.#acts.has(tab);
    if (!this.#opening.delete(tab) && !isFirst) return;
    this.noteAct(tab);
    this.#opened.add(tab);
  }

  /** Called when a person takes over. Requests of the tabs then count as theirs until a model acts again. */
  forgetActs(tabs: readonly RuledTab[]): void {
    for (const tab of tabs) this.#acts.delete(tab);
    for (const tab of tabs) this.#opening.delete(tab);
    this.#actsBySite.clear();
    this.#lastAct = null;
  }

  /**
   * Time from the model's last act in a tab, or shortly before in a tab of the same site, to a request of the tab.
   * `null` without an act. 0 while an act runs, and for a request sent before the act, because an earlier act may have
   * caused it.
   * @param sentAt Unix time in ms
   */
  msSinceAct(tab: RuledTab, sentAt: number): number | null {
    // An act in any tab counts, because a new window may send data that was entered in the page that opened it.
    const at = this.#acts.get(tab) ?? (tab.openedBy.length > 0 ? this.#lastAct : null);
    const own = at === null ? null : this.#lasting.has(tab) ? 0 : Math.max(sentAt - at, 0);
    const elsewhere = this.#actsBySite.get(registrableDomain(tab.main().url) ?? '');
    const since = elsewhere === undefined ? ACT_EFFECT_WINDOW_MS + 1 : Math.max(sentAt - elsewhere, 0);
    return since > ACT_EFFECT_WINDOW_MS ? own : Math.min(own ?? since, since);
  }

  /** Time until a request of the tab no longer counts as an effect. A document that is still loading extends it. */
  effectsLeftMs(tab: RuledTab): number {
    const since = this.msSinceAct(tab, this.#now());
    if (since === null) return 0;
    if (this.#opening.has(tab) && since <= OPENING_MS_MAX) return ACT_EFFECT_WINDOW_MS;
    return Math.max(ACT_EFFECT_WINDOW_MS + 1 - since, 0);
  }

  /** Runs work during which all requests count as effects of a model's act, because a site may respond late. */
  async duringAct<T>(tab: RuledTab, work: () => Promise<T>): Promise<T> {
    this.noteAct(tab);
    this.#lasting.set(tab, (this.#lasting.get(tab) ?? 0) + 1);
    try {
      return await work();
    } finally {
      const others = (this.#lasting.get(tab) ?? 1) - 1;
      if (others > 0) this.#lasting.set(tab, others);
      else this.#lasting.delete(tab);
      // If a person has taken over meanwhile, the end of the work is not an act of the model.
      if (this.#acts.has(tab)) this.noteAct(tab);
    }
  }

  /** The rule for a URL that a model or a page wants to open. */
  of(url: string): RuleDecision {
    const known = this.#known.get(url);
    if (known !== undefined) return known;
    if (this.#known.size >= KNOWN_MAX) this.#known.clear();
    const found = decideRule(this.#rules ?? NOTHING_ALLOWED, url);
    this.#known.set(url, found);
    return found;
  }

  /** The strictest of the rules for a frame, the frames around it, and the tab's own document. */
  at(tab: RuledTab, frame: RuledFrame = tab.main()): RuleDecision {
    let found = this.#ofMain(tab);
    for (let inner: RuledFrame | null = frame; inner !== null && inner.parentId !== null;) {
      found = stricterLevel(found, this.#ofInner(inner, tab) ?? found);
      inner = tab.frame(inner.parentId);
    }
    return found;
  }

  /** The strictest of the rules for all documents of a tab. */
  inTab(tab: RuledTab): RuleDecision {
    const [, ...inner] = tab.frames();
    const found = this.#ofMain(tab);
    return inner.flatMap((frame) => this.#ofInner(frame, tab) ?? []).reduce(stricterLevel, found);
  }

  /** True if a site rule does not let models see the tab. */
  isBlocked(tab: RuledTab): boolean {
    return !this.#isOff && this.inTab(tab).level === 'block';
  }

  allows(tab: RuledTab, effect: CallEffect): boolean {
    return this.#refusal(tab, null, effect) === null;
  }

  /** @throws {PeriscopeError} `blocked_by_rule` if a rule forbids the effect */
  check(tab: RuledTab, frame: RuledFrame | null, effect: CallEffect): void {
    const refusal = this.#refusal(tab, frame, effect);
    if (refusal !== null) failBlockedByRule(refusal, effect);
  }

  #refusal(tab: RuledTab, frame: RuledFrame | null, effect: CallEffect): RuleDecision | null {
    if (this.#isOff || effect === 'none' || effect === 'leave') return null;
    const inTab = this.inTab(tab);
    if (inTab.level === 'block') return inTab;
    if (effect !== 'act' && effect !== 'script') return null;
    const found = this.at(tab, frame ?? tab.main());
    return found.level === 'read' || (found.level === 'ask' && effect === 'script') ? found : null;
  }

  /**
   * Checks the URL of a page that a model wants to open.
   * @throws {PeriscopeError} `blocked_by_rule`
   */
  checkOpening(url: string): void {
    if (this.#isOff) return;
    const found = this.of(url);
    if (found.level === 'block') failBlockedByRule(found, 'leave');
  }

  /** The rule for a tab's own document. For `about:blank`, the rules of the pages that opened it, and of its origin. */
  #ofMain(tab: RuledTab): RuleDecision {
    const { id, url, isError } = tab.main();
    if (isError === true) return this.of('');
    if (isOfSite(url)) return this.of(url);
    const origin = originIn(url) ?? tab.originOf(id) ?? '';
    const inherited = isOfSite(origin) && !tab.openedBy.some((one) => originIn(one) === origin) ? [origin] : [];
    const [first, ...others] = [...tab.openedBy, ...inherited].map((one) => this.of(one));
    return first === undefined ? this.of('') : others.reduce(stricterLevel, first);
  }

  /** The rule for an inner frame; `null` if only the rules of the frames around it apply. */
  #ofInner({ id, url, parentId, isError }: RuledFrame, tab: RuledTab): RuleDecision | null {
    if (isError === true) return null;
    if (isOfSite(url)) return this.of(url);
    const origin = originIn(url) ?? tab.originOf(id) ?? '';
    if (!isOfSite(origin)) return null;
    for (let around = tab.frame(parentId ?? ''); around !== null; around = tab.frame(around.parentId ?? '')) {
      if (originIn(around.url) === origin) return null;
    }
    return this.of(origin);
  }
}

/** The origin of a URL, or of the URL inside a `blob:` URL; `null` for an opaque origin. */
function originIn(url: string): string | null {
  const origin = URL.parse(url)?.origin ?? 'null';
  return origin === 'null' ? null : origin;
}

const STOPS_SOCKETS: ReadonlySet<RuleLevel> = new Set(['block', 'read']);
const KNOWN_MAX = 2_000;
/**
 * Maximum wait for a document that an act opens. No document may arrive, because the answer to a request may be a file,
 * or empty.
 */
const OPENING_MS_MAX = 30 * SECOND_MS;

/** Rules that allow nothing, for use when the rules could not be loaded. */
const NOTHING_ALLOWED: SiteRules = { owner: { rules: [], fallback: 'block' }, people: [] };

function isOfSite(url: string): boolean {
  return /^https?:/iu.test(url);
}

/** @throws {PeriscopeError} `blocked_by_rule` */
export function failBlockedByRule({ level, by, site }: RuleDecision, effect: CallEffect): never {
  return fail({ code: 'blocked_by_rule', site, level, by, effect });
}
