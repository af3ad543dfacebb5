/** Where the fragment of an address leads in a document: a line, or our words on why none. */
export type Place = { line: number } | { problem: string };
