import { describe, expect, it } from 'vitest';
import { namesIn } from '#search/definitions.ts';

describe('names in a question', () => {
  it.each([
    ['What does pathlib.Path.glob() return?', ['pathlib.Path.glob']],
    ['How is `std::vector::push_back` called?', ['std::vector::push_back']],
    ['set_timeout or setTimeout, which one?', ['set_timeout', 'setTimeout']],
    ['open', ['open']],
    ['(os.path.join)', ['os.path.join']],
    ['is os.path.join(a, b) pure', ['os.path.join']],
    ['How does one open a file? See the docs.', []],
    ['e.g. this, i.e. that', ['e.g', 'i.e']],
    ['"; DROP TABLE follows; -- %_', []],
    ['a.b '.repeat(20), ['a.b']],
  ])('%s', (question, names) => {
    expect(namesIn(question)).toEqual(names);
  });

  it('are few, and none is very long', () => {
    const many = Array.from({ length: 50 }, (_, n) => `a.b${n}`).join(' ');
    expect(namesIn(many)).toHaveLength(5);
    expect(namesIn(`x.${'y'.repeat(1_000)} and more`)).toEqual([]);
  });
});
