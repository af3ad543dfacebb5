import { describe, expect, it } from 'vitest';
import { CodeFenceLog, dropWeakerPassages } from '#reading/passages/rank-documents.ts';

const passage = (score: number, text: string, heading = 'Kettles') => ({
  score,
  text: [text],
  headings: [heading],
  lead: null,
});
const kept = (passages: ReturnType<typeof passage>[], question: string) =>
  dropWeakerPassages(passages, question).map(({ score }) => score);

describe('passages that match far less than the best', () => {
  it('are omitted if the best one has the requested identifier', () => {
    const found = [
      passage(10, 'The default of `max_wal` is 1.'),
      passage(4, 'See max_wal.'),
      passage(2, 'Unlike max_wal, …'),
      passage(1, 'WAL'),
    ];
    expect(kept(found, 'default of max_wal')).toEqual([10, 4]);
    expect(kept([passage(10, 'x', '`max_wal` (integer)'), passage(2, 'y')], 'MAX_WAL')).toEqual([10]);
  });

  it('stay if no identifier was requested, or if the best one does not have it', () => {
    const found = [passage(10, 'The default is 1.'), passage(1, 'See max_wal.')];
    expect(kept(found, 'the default')).toEqual([10, 1]);
    expect(kept(found, 'default of max_wal')).toEqual([10, 1]);
  });

  it('stay if they have another requested identifier', () => {
    const found = [passage(10, 'max_wal is 1'), passage(1, 'min_wal is 0'), passage(0.5, 'min_wal again')];
    expect(kept(found, 'max_wal and min_wal')).toEqual([10, 1]);
  });
});

describe('the code blocks of a document', () => {
  it('are known for each line, across chunks', () => {
    const log = new CodeFenceLog();
    log.add(0, ['text', '```py', 'x']);
    log.add(3, ['y', '```', 'text', '~~~', '```', '~~~']);
    const open = Array.from({ length: 10 }, (_, loc) => log.openBefore(loc));
    expect(open).toEqual([null, null, '```', '```', '```', null, null, '~~~', '~~~', null]);
  });
});
