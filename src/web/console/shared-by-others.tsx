import { describeAccount } from '#auth/people/account.ts';
import type { SignedIn } from '#auth/people/sign-ins.ts';
import { PATHS } from '#core/paths.ts';
import { redactUrl } from '#core/secrets/secret-addresses.ts';
import { toPlain } from '#core/text/plain.ts';
import { oneLine } from '#core/text/text.ts';
import { CITATIONS_PER_PAGE } from '#reading/limits.ts';
import { readShare } from '#storage/citations.ts';
import type { CitationStore, Share, SharedCitation } from '#storage/citations.ts';
import { PageAddress } from '#web/public/citation.tsx';
import { whyHidden } from '#web/public/shared-quote.tsx';
import type { HiddenReason, ShowDeps } from '#web/public/shared-quote.tsx';
import { AUDIENCES, quotePath } from '#web/public/sharing.tsx';
import { ItemList } from '#web/parts/list.tsx';
import type { Item } from '#web/parts/list.tsx';
import { Timestamp } from '#web/parts/timestamp.tsx';

const AFTER = 'shared';
const QUOTE_SHOWN_CHARS = 300;
const PERSON_SHOWN_CHARS = 200;

type Shown = { citation: SharedCitation; share: Share; hidden: HiddenReason | null };

export type OthersQuotes = { quotes: readonly Shown[]; next: string | null };

/**
 * Quotes that others share, the latest first.
 * @param after the last citation of the previous page
 */
export async function quotesOfOthers(
  owner: SignedIn,
  after: string | null,
  deps: ShowDeps & { citations: Pick<CitationStore, 'sharedByOthers'> },
): Promise<OthersQuotes> {
  const found = await deps.citations.sharedByOthers(owner.subject, after, CITATIONS_PER_PAGE + 1);
  const shown = found.slice(0, CITATIONS_PER_PAGE);
  const last = found.length > shown.length ? shown.at(-1) : undefined;
  const quotes = shown.map(async (citation) => {
    const share = readShare(citation);
    return share === null ? [] : [{ citation, share, hidden: await whyHidden(citation, deps) }];
  });
  return {
    quotes: (await Promise.all(quotes)).flat(),
    next: last === undefined ? null : `${PATHS.citations}?${new URLSearchParams({ [AFTER]: last.id }).toString()}`,
  };
}

export function afterIn(url: string): string | null {
  return new URL(url).searchParams.get(AFTER);
}

export function SharedByOthers({ quotes, next }: OthersQuotes) {
  if (quotes.length === 0) return null;
  return (
    <>
      <h2>Shared by others</h2>
      <p>
        Quotes that other people of this server share, with anyone who has the link or with everyone who may sign in
        here. As the owner, you can stop any of them.
      </p>
      <ItemList to={PATHS.citations} items={quotes.map(quoteItem)} next={{ to: next, label: 'Older shared quotes' }} />
    </>
  );
}

export const HIDDEN_ADDRESS = 'The link shows nothing: its address is not allowed, or looks like a secret.';

const WHY_HIDDEN: Record<HiddenReason, string> = {
  person: 'The link shows nothing: its person may no longer sign in.',
  address: HIDDEN_ADDRESS,
};

function quoteItem({ citation, share, hidden }: Shown): Item {
  const { id, account, quote, url, sharedAt, createdAt } = citation;
  const path = quotePath(share);
  const person = describeAccount(account);
  return {
    about: path,
    body: <blockquote lang="">{oneLine(quote, QUOTE_SHOWN_CHARS)}</blockquote>,
    facts: [
      <>
        Shared by <bdi>{person === null ? 'an unknown person' : oneLine(person, PERSON_SHOWN_CHARS)}</bdi>,{' '}
        <Timestamp at={sharedAt ?? createdAt} precise />
      </>,
      <>
        Source: <PageAddress url={toPlain(redactUrl(url))} />
      </>,
      <>
        Link: <a href={path}>{path}</a> {AUDIENCES[share.audience]} can see it.
      </>,
    ],
    doubt: hidden === null ? null : WHY_HIDDEN[hidden],
    actions: [{ label: 'Stop sharing', sends: { id, do: 'stop' }, asks: 'unshare' }],
  };
}
