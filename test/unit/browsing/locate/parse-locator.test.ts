import { expect, it } from 'vitest';
import { parseLocator } from '#browsing/locate/named.ts';

it.each(['Open (12) in group', 'Say "hi" in list', 'Check in list'])(
  'a text without quotes ends with any word, also the kind of a container: text=%s',
  (words) => {
    expect(parseLocator(`text=${words}`)).toMatchObject({ by: 'text', words });
    expect(parseLocator(`text=${words}`)).not.toHaveProperty('within');
  },
);
