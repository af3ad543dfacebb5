import { createRequire } from 'node:module';

/** The parts of a regular expression, as `@eslint-community/regexpp` names them. */
export type Alternative = { elements: readonly Part[] };
export type Leaf = {
  type: 'Character' | 'CharacterSet' | 'CharacterClass' | 'ExpressionCharacterClass';
  raw: string;
};
export type Quantifier = { type: 'Quantifier'; min: number; max: number; greedy: boolean; element: Part };
export type Look = {
  type: 'Assertion';
  kind: 'lookahead' | 'lookbehind';
  negate: boolean;
  alternatives: readonly Alternative[];
};
export type Assertion =
  | Look
  | { type: 'Assertion'; kind: 'start' | 'end' }
  | { type: 'Assertion'; kind: 'word'; negate: boolean };
export type Part =
  | Leaf
  | Quantifier
  | Assertion
  | { type: 'Group' | 'CapturingGroup'; alternatives: readonly Alternative[]; modifiers?: unknown }
  | { type: 'Backreference' };

type Parser = {
  parsePattern: (
    source: string,
    start: number,
    end: number,
    flags: { unicode: boolean; unicodeSets: boolean },
  ) => { alternatives: readonly Alternative[] };
};

/** Installed in its own folder, so that `npm ci` of the project leaves it out. */
const { RegExpParser }: { RegExpParser: new () => Parser } = createRequire(import.meta.url)(
  '@eslint-community/regexpp',
);

export function parse(source: string, flags: string): readonly Alternative[] {
  const modes = { unicode: flags.includes('u'), unicodeSets: flags.includes('v') };
  return new RegExpParser().parsePattern(source, 0, source.length, modes).alternatives;
}

export function isLeaf(part: Part | undefined): part is Leaf {
  return part !== undefined && /^(?:Character|ExpressionCharacter)/.test(part.type);
}

export function isLook(part: Part | undefined): part is Look {
  return part?.type === 'Assertion' && (part.kind === 'lookahead' || part.kind === 'lookbehind');
}
