import type { Child } from 'hono/jsx';
import { PATHS } from '#core/paths.ts';
import type { NoPictureReason } from '#core/activity.ts';
import { ActionButton } from './form.tsx';
import type { Action } from './form.tsx';

export type Item = {
  id?: string;
  /** Names the item to screen readers, on its buttons. */
  about?: string;
  picture?: Picture;
  /** In bold. */
  name?: Child;
  state?: { text: Child; looks: 'state' | 'state ready' | 'doubt' } | null;
  /** In lines of their own below the name. */
  body?: Child;
  /** In small print, a line each; `null` for none. */
  facts?: readonly Child[];
  /** Needs attention. */
  doubt?: Child;
  /** Beside the text, before the buttons. */
  link?: { to: string; label: string; isMain?: boolean } | null | undefined;
  actions?: readonly Action[];
};

type ListProps = {
  /** Where its buttons send. */
  to?: string;
  items: readonly Item[];
  /** Instead of an empty list. */
  none?: Child;
  /** Numbered, the last first. */
  isNumbered?: boolean;
  /** A model waits for an answer to each. */
  isWaiting?: boolean;
  /** To the items that follow. */
  next?: { to: string | null; label: string };
};

/** The one list of the console. */
export function ItemList({ to = '', items, none, isNumbered = false, isWaiting = false, next }: ListProps) {
  const shown = items.map((item) => <ListItem to={to} {...item} />);
  return (
    <>
      {items.length > 0 || none === undefined ? null : <p>{none}</p>}
      {items.length === 0 ? null : isNumbered ? (
        <ol class="cards" reversed>
          {shown}
        </ol>
      ) : (
        <ul class={isWaiting ? 'cards waiting' : 'cards'}>{shown}</ul>
      )}
      {next === undefined || next.to === null ? null : (
        <p>
          <a href={next.to}>{next.label}</a>
        </p>
      )}
    </>
  );
}

function ListItem({
  to,
  id,
  about,
  picture,
  name,
  state,
  body,
  facts = [],
  doubt,
  link,
  actions = [],
}: Item & { to: string }) {
  const hasLink = link !== undefined && link !== null;
  return (
    <li id={id} class={picture === undefined ? undefined : 'pictured'}>
      {picture === undefined ? null : <StepPicture {...picture} />}
      <div>
        {name === undefined ? null : (
          <>
            <strong>{name}</strong>{' '}
          </>
        )}
        {state === undefined || state === null ? null : <span class={state.looks}>{state.text}</span>}
        {body}
        {facts.filter(isShown).map((fact) => (
          <p class="facts">{fact}</p>
        ))}
        {doubt === undefined || doubt === null ? null : <p class="doubt">{doubt}</p>}
      </div>
      {!hasLink && actions.length === 0 ? null : (
        <div class="actions">
          {hasLink ? (
            <a class={link.isMain === true ? 'button' : undefined} href={link.to}>
              {link.label}
              {about === undefined ? null : <span class="unseen"> {about}</span>}
            </a>
          ) : null}
          {actions.map((action) => (
            <ActionButton to={to} about={about} {...action} />
          ))}
        </div>
      )}
    </li>
  );
}

function isShown(fact: Child): boolean {
  return fact !== null && fact !== undefined && fact !== '' && fact !== false;
}

type Picture = {
  /** The step whose picture it is; `null` for none. */
  step: string | null;
  /** The picture itself, if `null`. */
  to: string | null;
  alt: string;
  without: NoPictureReason | null;
};

/** The thumbnail of a step, or the reason why there is none. */
function StepPicture({ step, to, alt, without }: Picture) {
  if (step === null) return <span class="shot none">{WITHOUT[without ?? 'dropped']}</span>;
  const source = `${PATHS.stepPicture}?id=${encodeURIComponent(step)}`;
  return (
    <a class="shot" href={to ?? source}>
      <img src={source} alt={alt} width="640" height="400" loading="lazy" />
    </a>
  );
}

const WITHOUT: Record<NoPictureReason, string> = {
  off: 'No picture: they are switched off',
  hidden: 'No picture: the page asked for a password or code',
  busy: 'No picture: the next call was waiting',
  failed: 'No picture: the page gave none in time',
  dropped: 'No picture',
};
