import { describe, expect, it } from 'vitest';
import { comparesPartOfAttribute } from '#browsing/locate/resolve.ts';

describe('a selector', () => {
  it('compares a part of an attribute with each of the five operators', () => {
    for (const operator of ['~=', '|=', '^=', '$=', '*='])
      expect(comparesPartOfAttribute(`input[value${operator}"a"]`)).toBe(true);
  });

  it('compares a part of an attribute with white space and comments inside the operator', () => {
    expect(comparesPartOfAttribute('[value^ \n=a]')).toBe(true);
    expect(comparesPartOfAttribute('[value$/* a *//**/ =a]')).toBe(true);
    expect(comparesPartOfAttribute('[title="/*"][value^="*/"]')).toBe(true);
  });

  it('can compare whole attributes, combine and use namespaces without that', () => {
    for (const selector of [
      '[value="a"]',
      'h1 ~ p',
      '*',
      '*|a[b="c"]',
      '[a="^"]',
      '[value^/* open =a]',
      'a[b$/**/x=c]',
    ])
      expect(comparesPartOfAttribute(selector)).toBe(false);
  });

  it('of 2,000 characters of comments is parsed in one pass', () => {
    for (const unit of ['**//**//', '/**/', '/*$*/', '$ /*', '*/ /*'])
      expect(comparesPartOfAttribute(`a[b$/${unit.repeat(2_000 / unit.length)}`)).toBe(false);
  });
});
