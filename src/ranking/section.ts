export type NumberedLine = { loc: number; raw: string };

/**
 * A heading, the entry of a manual or a key of JSON, as a section of the document. `under` is the enclosing section.
 */
export type DocumentSection = NumberedLine & { level: number; under: DocumentSection | null };
