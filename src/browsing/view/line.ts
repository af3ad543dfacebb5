import type { AxElement } from '#browsing/tree/ax-tree.ts';

/** `group` lines stand only over what is in them. */
export type ShownLine = { depth: number; text: string; kind: 'text' | 'element' | 'heading' | 'group' };

/** `within`: what a line tells of, or the part of the page that its words stand in. */
export type Line = ShownLine & { within: AxElement };
