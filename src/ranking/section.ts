export type NumberedLine = { loc: number; raw: string };

/** A heading, a manual entry, or a JSON key. `under` is the enclosing section. */
export type Section = NumberedLine & { level: number; under: Section | null };
