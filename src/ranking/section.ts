export type NumberedLine = { loc: number; raw: string };

/** A heading, a manual entry, or a key of JSON. `under`: the nearest section around it. */
export type Section = NumberedLine & { level: number; under: Section | null };
