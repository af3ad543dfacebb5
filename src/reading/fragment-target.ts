/** Where the fragment of an address leads in a document: a line, or our explanation why it leads nowhere. */
export type FragmentTarget = { line: number } | { problem: string };
