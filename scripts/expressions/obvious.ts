import { common, together } from './characters.ts';
import type { Characters } from './characters.ts';
import type { Plain } from './plain.ts';
import { isBounded } from './variants.ts';

/**
 * True for an expression that plainly takes linear time, so that no checker has to say so. In a sequence, only classes of
 * characters may be repeated without end, and then:
 *
 * - Each of them but the last ends at one place, as none of its characters can begin what comes next. Behind the last one,
 *   each place is tried in constant time.
 * - Matching is tried at one place alone, or something before the first repetition takes a character that nothing from there on
 *   takes. What is read once is then not read again from a later place.
 *
 * @param isByLine `^` matches behind each line end
 */
export function isPlainlyLinear(plain: Plain, isByLine: boolean): boolean {
  const items = flat(plain);
  const endless = [...items.entries()].filter(([, item]) => !isBounded(item));
  const [begin] = endless[0] ?? [items.length];
  for (const [at, item] of endless) {
    if (item.kind !== 'repeat' || item.item.kind !== 'characters') return false;
    const isLast = at === endless.at(-1)?.[0];
    if (!isLast && !isApart(item.item.characters, firstOf(items.slice(at + 1)).characters)) return false;
  }
  if (items[0]?.kind === 'start' && !isByLine) return true;
  const behind = together(items.slice(begin).map(charactersOf));
  return items.slice(0, begin).some((item) => item.kind === 'characters' && isApart(item.characters, behind));
}

function isApart(one: Characters, other: Characters): boolean {
  return common(one, other).length === 0;
}

function flat(plain: Plain): readonly Plain[] {
  return plain.kind === 'sequence' ? plain.items.flatMap(flat) : [plain];
}

function charactersOf(plain: Plain): Characters {
  if (plain.kind === 'characters') return plain.characters;
  if (plain.kind === 'repeat') return charactersOf(plain.item);
  return 'items' in plain ? together(plain.items.map(charactersOf)) : [];
}

type First = { characters: Characters; mayBeNothing: boolean };

/** The characters with which a match of a sequence can begin. */
function firstOf(items: readonly Plain[]): First {
  const sets: Characters[] = [];
  for (const item of items) {
    const { characters, mayBeNothing } = firstOfOne(item);
    sets.push(characters);
    if (!mayBeNothing) return { characters: together(sets), mayBeNothing };
  }
  return { characters: together(sets), mayBeNothing: true };
}

function firstOfOne(plain: Plain): First {
  switch (plain.kind) {
    case 'characters':
      return { characters: plain.characters, mayBeNothing: false };
    case 'sequence':
      return firstOf(plain.items);
    case 'choice': {
      const all = plain.items.map(firstOfOne);
      return {
        characters: together(all.map(({ characters }) => characters)),
        mayBeNothing: all.some(({ mayBeNothing }) => mayBeNothing),
      };
    }
    case 'repeat': {
      const { characters, mayBeNothing } = firstOfOne(plain.item);
      return { characters, mayBeNothing: mayBeNothing || plain.min === 0 };
    }
    default:
      return { characters: [], mayBeNothing: true };
  }
}
