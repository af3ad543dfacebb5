import type { AxElement } from '#browsing/tree/ax-tree.ts';

/** A `group` line stands only above its content. */
export type ShownLine = { depth: number; text: string; kind: 'text' | 'element' | 'heading' | 'group' };

/** `within`: the element that a line describes, or the part of the page in which its words stand. */
export type Line = ShownLine & { within: AxElement };
