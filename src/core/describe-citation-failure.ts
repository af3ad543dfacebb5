import type { Failure, Words } from './errors.ts';
import { words } from './errors.ts';

type CitationFailure = Extract<Failure, { code: 'quote_not_found' | 'not_shareable' | 'citation_limit' }>;

/** The words for failures of citing. */
export function citationWords(failure: CitationFailure): Words {
  switch (failure.code) {
    case 'quote_not_found':
      return failure.near === null
        ? words(
            'The page does not say this, and nothing in it comes near.',
            `Look for the passage with find {"cursor":"${failure.cursor}","pattern":"…"}, and quote it word for word.`,
          )
        : words(
            'The page does not say exactly this.',
            `The nearest passage is in this answer. If it is the one you mean, call cite with its words; scroll {"cursor":"${failure.cursor}","loc":${failure.near.start}} shows it in the page.`,
            { L_start: failure.near.start, L_end: failure.near.end, quoted: failure.near.quoted },
          );
    case 'not_shareable':
      return words(
        `This quote cannot be shared: ${failure.reason}.`,
        'Call cite without share: the citation is then kept for the person alone.',
      );
    case 'citation_limit':
      return words(
        `${LIMIT_WORDS[failure.of]} (${failure.limit}).`,
        'The person can delete citations, or stop sharing them, in the console under Citations.',
        { limit: failure.limit },
      );
  }
}

const LIMIT_WORDS: Record<Extract<CitationFailure, { code: 'citation_limit' }>['of'], string> = {
  citations: 'The person already keeps as many citations as one person may',
  bytes: 'The pages that the person has cited already take as many bytes as one person may keep',
  shared: 'The person already shares as many quotes as one person may',
};
