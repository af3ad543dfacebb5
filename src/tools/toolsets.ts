import type { Scope } from '#core/principal.ts';

/** Groups of tools that a connection can ask for with `?toolsets=`. Each needs a permission. */
export const TOOLSETS = {
  reader: {
    title: 'Reader',
    description: 'Search, open, scroll and find with cursors and citations.',
    scope: 'web:read',
  },
  web: {
    title: 'Web',
    description: 'Search with filters, open pages whole or several at once, and manage the cache of snapshots.',
    scope: 'web:read',
  },
  browser: {
    title: 'Browser',
    description:
      'Drive a real browser in named sessions: navigate, snapshot with element refs, click, fill, screenshot.',
    scope: 'browser:use',
  },
  chatgpt: {
    title: 'ChatGPT',
    description: 'search and fetch in the shapes that ChatGPT requires of a knowledge source.',
    scope: 'web:read',
  },
} as const satisfies Record<string, { title: string; description: string; scope: Scope }>;

export type ToolsetName = keyof typeof TOOLSETS;

/** The toolsets of the catalogue. A connection that asks for none gets these. */
export const TOOLSET_NAMES = ['reader', 'web', 'browser'] as const satisfies readonly ToolsetName[];
