import type { NumberedLine, Section } from './section.ts';

/** Heading level of JSON sections, below all real headings. */
const LEVEL = 10;
const DEPTH_MAX = 20;
const OPENS = /^(\s*)(?:"((?:[^"\\]|\\.){1,100})"\s*:\s*)?[[{]\s*$/;
const NAME = /^(\s*)"(?:name|id|key|title|operationId)"\s*:\s*"((?:[^"\\]|\\.){1,100})"/;

type Frame = { indent: number; section: Section | null };

/** Tracks the path of keys and names to a line of indented JSON, as sections. */
export class JsonPath {
  readonly #outside: Section | null;
  readonly #frames: Frame[] = [];

  constructor(outside: Section | null) {
    this.#outside = outside;
  }

  opens({ raw }: NumberedLine): boolean {
    return OPENS.test(raw);
  }

  take(line: NumberedLine): void {
    const [, space, key] = OPENS.exec(line.raw) ?? [];
    if (space !== undefined) {
      this.#leave(space.length);
      const section = key === undefined ? null : this.#sectionOf(line, key);
      if (this.#frames.length < DEPTH_MAX) this.#frames.push({ indent: space.length, section });
      return;
    }
    const [, indent, name] = NAME.exec(line.raw) ?? [];
    if (indent === undefined || name === undefined) return;
    this.#leave(indent.length);
    const frame = this.#frames.at(-1);
    if (frame?.section === null) frame.section = this.#sectionOf(line, name);
  }

  get section(): Section | null {
    return this.#frames.findLast(({ section }) => section !== null)?.section ?? this.#outside;
  }

  #leave(indent: number): void {
    while ((this.#frames.at(-1)?.indent ?? -1) >= indent) this.#frames.pop();
  }

  #sectionOf({ loc }: NumberedLine, raw: string): Section {
    return { loc, raw, level: LEVEL + this.#frames.length, under: this.section };
  }
}
