import { PATHS } from '#core/paths.ts';
import { oneLine } from '#core/text.ts';
import { Address } from './citation.tsx';
import { ConsolePage, Deed, Moment, Problem } from './console-page.tsx';
import type { Visitor } from './console-page.tsx';

/** A quote that somebody shares. */
export type PublicLink = {
  id: string;
  shareId: string;
  quote: string;
  /** Without what looks like a credential. */
  url: string;
  /** Who shares it; `null` when that is not known. */
  person: string | null;
  /** In ms. */
  sharedAt: number;
  /** Why the link shows nothing now; `null` when it shows the quote. */
  hidden: 'person' | 'unknown person' | 'address' | null;
};

type Props = {
  visitor: Visitor;
  links: readonly PublicLink[];
  /** Where older ones are, if there are. */
  next: string | null;
  problem: string | null;
};

const QUOTE_SHOWN_CHARS = 300;
/** A person's addresses and their name at a provider. */
const PERSON_SHOWN_CHARS = 200;

/** `/console/shared`: every public link of the deployment, for its owner. */
export function PublicLinks({ visitor, links, next, problem }: Props) {
  return (
    <ConsolePage visitor={visitor} title="Public links" at={PATHS.shared}>
      <p class="lead">
        Quotes that people of this server share. Anybody who has a link sees its quote, without signing in.
      </p>
      <Problem text={problem} />
      {links.length === 0 ? <p>Nobody shares a quote now.</p> : null}
      <ul class="cards">
        {links.map((link) => (
          <Card link={link} form={visitor.form} />
        ))}
      </ul>
      {next === null ? null : (
        <p>
          <a href={next}>Older links</a>
        </p>
      )}
    </ConsolePage>
  );
}

const WHY_HIDDEN: Record<NonNullable<PublicLink['hidden']>, string> = {
  person: 'The link shows nothing: its person may no longer sign in.',
  'unknown person':
    'The link shows nothing: its person has not used this server since it began to check who may sign in. It works again once they do.',
  address: 'The link shows nothing: its address is not allowed, or looks like a secret.',
};

function Card({ link, form }: { link: PublicLink; form: string }) {
  const { id, shareId, quote, url, person, sharedAt, hidden } = link;
  const path = `${PATHS.quote}/${shareId}`;
  return (
    <li>
      <div>
        <blockquote lang="">{oneLine(quote, QUOTE_SHOWN_CHARS)}</blockquote>
        <p class="facts">
          Shared by <bdi>{person === null ? 'somebody who is not known' : oneLine(person, PERSON_SHOWN_CHARS)}</bdi>,{' '}
          <Moment at={sharedAt} precise />
        </p>
        <p class="facts">
          Source: <Address url={url} />
        </p>
        <p class="facts">
          Link: <a href={path}>{path}</a>
        </p>
        {hidden === null ? null : <p class="doubt">{WHY_HIDDEN[hidden]}</p>}
      </div>
      <Deed to={PATHS.shared} form={form} fields={{ id }} label="Stop sharing" about={path} />
    </li>
  );
}
