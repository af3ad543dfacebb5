import { DOM_DEPTH_MAX } from './limits.ts';
import { BLOCK_TAGS, HEADING_TAGS, PARAGRAPH_CLOSERS } from './tags.ts';

/**
 * `flat`: deeper than the DOM may be, so it is written as a neighbour once it has text of its own. `dropped`: not
 * written, and neither is anything inside it.
 */
type State = 'open' | 'flat' | 'dropped';

/**
 * How far up an end tag looks for its element. Real pages need a few levels. Without this limit, a hostile page would
 * cost the square of its depth.
 */
const LOOK_UP_MAX = 256;

const TABLE_SCOPE = new Set(['table', 'td', 'th', 'caption']);
const TABLE_PARTS = new Set(['table', 'td', 'th', 'tr', 'tbody', 'thead', 'tfoot', 'caption']);

type Implied = { targets: ReadonlySet<string>; barriers: ReadonlySet<string> };
const LIST_ITEM: Implied = { targets: new Set(['li']), barriers: new Set(['ul', 'ol', 'menu', 'dir', ...TABLE_SCOPE]) };
const DEFINITION: Implied = { targets: new Set(['dt', 'dd']), barriers: new Set(['dl', ...TABLE_SCOPE]) };
const CELL: Implied = { targets: new Set(['td', 'th']), barriers: new Set(['tr', 'table']) };
const ROW_GROUP: Implied = {
  targets: new Set(['thead', 'tbody', 'tfoot', 'caption', 'colgroup']),
  barriers: new Set(['table']),
};
const PARAGRAPH: Implied = { targets: new Set(['p']), barriers: new Set(['button', 'object', ...TABLE_SCOPE]) };
const LINK: Implied = { targets: new Set(['a']), barriers: BLOCK_TAGS };
const BUTTON: Implied = { targets: new Set(['button']), barriers: TABLE_SCOPE };
const IMPLIED: ReadonlyMap<string, Implied> = new Map([
  ['li', LIST_ITEM],
  ['dt', DEFINITION],
  ['dd', DEFINITION],
  ['td', CELL],
  ['th', CELL],
  ['tr', { targets: new Set(['tr', 'caption', 'colgroup']), barriers: new Set(['table']) }],
  ['thead', ROW_GROUP],
  ['tbody', ROW_GROUP],
  ['tfoot', ROW_GROUP],
  ['a', LINK],
  ['button', BUTTON],
]);

/**
 * The stack of open elements. It decides what start tags and end tags close, and what is written for them (WHATWG HTML
 * §13.2.6, simplified).
 */
export class OpenElements {
  private readonly names: string[] = [];
  private readonly states: State[] = [];
  private readonly tags: string[] = [];
  private readonly counts = new Map<string, number>();
  private depth = 0;
  private flatLeaf = -1;
  private droppedFrom = -1;
  private flattened = false;

  isDropping(): boolean {
    return this.droppedFrom >= 0;
  }

  /** Whether the innermost element, with this name, is the only one being dropped. */
  isDroppingOnly(name: string): boolean {
    return this.droppedFrom === this.names.length - 1 && this.names[this.droppedFrom] === name;
  }

  isInside(name: string): boolean {
    return (this.counts.get(name) ?? 0) > 0;
  }

  wasFlattened(): boolean {
    return this.flattened;
  }

  /** How many of the open elements are written. */
  depthNow(): number {
    return this.depth;
  }

  /** Opens an element. @returns what to write now */
  push(name: string, state: 'open' | 'dropped', tag: string): string {
    const index = this.names.length;
    let actual: State = state;
    if (state === 'dropped') {
      if (this.droppedFrom < 0) this.droppedFrom = index;
    } else if (this.depth >= DOM_DEPTH_MAX) {
      actual = 'flat';
      this.flattened = true;
    } else {
      this.depth += 1;
    }
    this.names.push(name);
    this.states.push(actual);
    this.tags.push(actual === 'flat' ? tag : '');
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
    return actual === 'open' ? tag : '';
  }

  /** What to write before text or a void element, for elements whose tags were held back. */
  beforeContent(): string {
    const top = this.names.length - 1;
    if (this.states[top] !== 'flat' || this.flatLeaf === top) return '';
    const close = this.flatLeaf < 0 ? '' : `</${this.names[this.flatLeaf] ?? ''}>`;
    this.flatLeaf = top;
    return close + (this.tags[top] ?? '');
  }

  /** Handles an end tag. One that matches nothing in scope is ignored, as in browsers. @returns what to write */
  close(name: string): string {
    if (!this.isInside(name)) return '';
    const isBlock = BLOCK_TAGS.has(name);
    const stop = Math.max(0, this.names.length - LOOK_UP_MAX);
    for (let index = this.names.length - 1; index >= stop; index -= 1) {
      const open = this.names[index] ?? '';
      if (open === name) return this.popTo(index);
      if (!isBlock && BLOCK_TAGS.has(open)) return '';
      if (TABLE_SCOPE.has(open) && !TABLE_PARTS.has(name)) return '';
      if (open === 'table' && name !== 'table') return '';
    }
    return '';
  }

  /** Closes what a start tag of `name` closes implicitly. */
  closeImplied(name: string): string {
    let out = '';
    if (PARAGRAPH_CLOSERS.has(name) && this.isInside('p')) out += this.closeNearest(PARAGRAPH);
    const top = this.names.at(-1);
    if (HEADING_TAGS.has(name) && top !== undefined && HEADING_TAGS.has(top)) out += this.pop();
    const implied = IMPLIED.get(name);
    if (implied !== undefined) out += this.closeNearest(implied);
    return out;
  }

  closeAll(): string {
    return this.popTo(0);
  }

  private closeNearest({ targets, barriers }: Implied): string {
    const stop = Math.max(0, this.names.length - LOOK_UP_MAX);
    for (let index = this.names.length - 1; index >= stop; index -= 1) {
      const open = this.names[index] ?? '';
      if (targets.has(open)) return this.popTo(index);
      if (barriers.has(open)) return '';
    }
    return '';
  }

  private popTo(index: number): string {
    let out = '';
    while (this.names.length > index) out += this.pop();
    return out;
  }

  private pop(): string {
    const index = this.names.length - 1;
    const name = this.names.pop() ?? '';
    const state = this.states.pop();
    this.tags.pop();
    this.counts.set(name, (this.counts.get(name) ?? 1) - 1);
    if (this.droppedFrom === index) this.droppedFrom = -1;
    if (state === 'open') {
      this.depth -= 1;
      return `</${name}>`;
    }
    if (state === 'flat' && this.flatLeaf === index) {
      this.flatLeaf = -1;
      return `</${name}>`;
    }
    return '';
  }
}
