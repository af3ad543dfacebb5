import type { Child } from 'hono/jsx';
import { PATHS } from '#core/paths.ts';
import type { NoPictureReason } from '#core/activity.ts';
import { Icon } from '#web/style/icons.tsx';
import type { IconName } from '#web/style/icons.tsx';
import { ActionButton } from './form.tsx';
import type { ItemAction } from './form.tsx';

/** A state as a dot and a word: `ok` works, `warn` needs attention, `bad` failed. */
export type StateLabel = { text: Child; looks?: 'ok' | 'warn' | 'bad' };

export type ListEntry = {
  id?: string;
  about?: string;
  icon?: IconName;
  picture?: Picture;
  name?: Child;
  state?: StateLabel | null;
  body?: Child;
  facts?: readonly Child[];
  doubt?: Child;
  aside?: Child;
  details?: readonly Child[];
  isFailed?: boolean;
  link?: { to: string; label: string; isMain?: boolean } | null | undefined;
  actions?: readonly ItemAction[];
};

type ListProps = {
  to?: string;
  items: readonly ListEntry[];
  none?: Child;
  /** `numbered`: the last item first. `waiting`: items wait for an answer. `lines`, `settings`: narrow rows. */
  kind?: 'numbered' | 'waiting' | 'lines' | 'settings' | undefined;
  next?: { to: string | null; label: string };
};

export function ItemList({ to = '', items, none, kind, next }: ListProps) {
  const shown = items.map((item) => <ListItem to={to} {...item} />);
  return (
    <>
      {items.length > 0 || none === undefined ? null : <EmptyListNotice>{none}</EmptyListNotice>}
      {items.length === 0 ? null : kind === 'numbered' ? (
        <ol class="rows steps" reversed>
          {shown}
        </ol>
      ) : (
        <ul class={kind === undefined ? 'rows' : `rows ${kind}`}>{shown}</ul>
      )}
      {next === undefined || next.to === null ? null : (
        <p>
          <a href={next.to}>{next.label}</a>
        </p>
      )}
    </>
  );
}

export function EmptyListNotice({ children }: { children: Child }) {
  return (
    <div class="empty">
      <Icon name="try" />
      <p>{children}</p>
    </div>
  );
}

function ListItem({ to, ...item }: ListEntry & { to: string }) {
  const { id, about, icon, picture, aside, actions = [], isFailed = false } = item;
  const folded = actions.filter(({ isRare = false }) => isRare);
  const details = (item.details ?? []).filter(isShown);
  const folds = details.length + folded.length > 0;
  const classes = [...(folds ? ['folds'] : []), ...(isFailed ? ['failed'] : [])].join(' ');
  return (
    <li id={id} class={classes === '' ? undefined : classes}>
      {icon === undefined ? null : <Icon name={icon} />}
      {picture === undefined ? null : <StepPicture {...picture} />}
      <What {...item} />
      {aside === undefined ? null : <div class="aside">{aside}</div>}
      <ItemButtons to={to} {...item} actions={actions.filter(({ isRare = false }) => !isRare)} />
      {folds ? (
        <details class="more">
          <summary>
            <Icon name="more" />
            <span class="unseen">More{about === undefined ? '' : ` about ${about}`}</span>
          </summary>
          <div>
            {details.map((detail) => (
              <div class="facts">{detail}</div>
            ))}
            <ItemButtons to={to} about={about} actions={folded} />
          </div>
        </details>
      ) : null}
    </li>
  );
}

function What({ name, state, body, facts = [], doubt }: ListEntry) {
  return (
    <div class="what">
      {name === undefined ? null : (
        <>
          <strong>{name}</strong>{' '}
        </>
      )}
      {state === undefined || state === null ? null : <StateMark {...state} />}
      {body}
      <FactsLine of={facts} />
      {doubt === undefined || doubt === null ? null : <p class="facts doubt">{doubt}</p>}
    </div>
  );
}

/**
 * Short facts side by side. They are separated by real spaces, so that copied text and screen readers also have spaces.
 */
export function FactsLine({ of }: { of: readonly Child[] }) {
  const shown = of.filter(isShown);
  return shown.length === 0 ? null : (
    <p class="facts apart">
      {shown.map((fact) => (
        <>
          <span>{fact}</span>{' '}
        </>
      ))}
    </p>
  );
}

export function StateMark({ text, looks }: StateLabel) {
  return <span class={looks === undefined ? 'state' : `state ${looks}`}>{text}</span>;
}

type ButtonsProps = Pick<ListEntry, 'link' | 'actions'> & { to: string; about?: string | undefined };

export function ItemButtons({ to, about, link, actions = [] }: ButtonsProps) {
  const hasLink = link !== undefined && link !== null;
  if (!hasLink && actions.length === 0) return null;
  return (
    <div class="actions">
      {hasLink ? (
        <a class={link.isMain === true ? 'button primary' : 'button'} href={link.to}>
          {link.label}
          {about === undefined ? null : <span class="unseen"> {about}</span>}
        </a>
      ) : null}
      {actions.map((action) => (
        <ActionButton to={to} about={about} {...action} />
      ))}
    </div>
  );
}

function isShown(fact: Child): boolean {
  return fact !== null && fact !== undefined && fact !== '' && fact !== false;
}

type Picture = {
  step: string | null;
  /** Target of the picture's link; `null` to link to the picture file. */
  to: string | null;
  alt: string;
  without: NoPictureReason | null;
};

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
