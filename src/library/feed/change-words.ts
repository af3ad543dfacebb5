import { TITLE_CHARS_MAX } from '#core/limits.ts';
import { oneLine } from '#core/text/text.ts';
import type { FollowedChange } from '#storage/library/changes.ts';
import type { ChangedBlock } from '#storage/library/round-pages.ts';

const BLOCK_CHARS_MAX = 300;

export const CHANGE_KIND_LABELS: Record<FollowedChange['kind'], string> = {
  new: 'New page',
  changed: 'Changed',
  moved: 'Moved',
  gone: 'Gone',
  closed: 'Closed',
};

export function getPageTitleOrUrl({ title, url }: { title: string | null; url: string }): string {
  return oneLine(title ?? '', TITLE_CHARS_MAX) || url;
}

const NEAR_WORDS = 3;

/** Shortens unchanged words to the three before and after each change. */
export function trimUnchangedWords(words: ChangedBlock['words']): ChangedBlock['words'] {
  return words.map((part, at) =>
    part.kind === 'same'
      ? { ...part, text: nearWords(part.text, { after: at > 0, before: at < words.length - 1 }) }
      : part,
  );
}

function nearWords(text: string, beside: { after: boolean; before: boolean }): string {
  const words = text.split(/(?<=\s)(?=\S)/);
  const first = beside.after ? words.slice(0, NEAR_WORDS) : [];
  const last = beside.before ? words.slice(-NEAR_WORDS) : [];
  return first.length + last.length >= words.length ? text : [...first, '… ', ...last].join('');
}

/**
 * Summarizes a block in one line, with removed and added words. Only the first words are the server's; all others are
 * page text.
 */
export function summarizeBlock({ kind, section, words }: ChangedBlock): string {
  const text = words
    .map((word) =>
      word.kind === 'same'
        ? word.text
        : word.kind === 'gone'
          ? `[- ${word.text.trim()} -] `
          : `[+ ${word.text.trim()} +] `,
    )
    .join('');
  const place = section === null ? '' : ` in “${oneLine(section, TITLE_CHARS_MAX)}”`;
  const shown = oneLine(text, BLOCK_CHARS_MAX);
  return `${BLOCK_KINDS[kind]}${place}${shown === '' ? '' : `: ${shown}`}`;
}

const BLOCK_KINDS: Record<ChangedBlock['kind'], string> = {
  added: 'New',
  removed: 'Gone',
  changed: 'Changed',
  moved: 'Moved',
};
