import { PATHS } from '#core/paths.ts';
import { BrandLink, FOCUS_ON_LOAD, Layout } from '#web/layout.tsx';
import { formText } from '#web/page-response.ts';

/** Messages after a form, by the code in the next page's URL. With codes, a link cannot show its own text. */
const DONE = {
  ended: 'The session has ended. Its cookies and sign-ins are deleted.',
  disconnected: 'The client is disconnected. It can no longer act for you.',
  revoked: 'The token is revoked. It no longer works.',
  deleted: 'Deleted.',
  forgotten: 'Deleted and turned off. Nothing new is stored.',
  on: 'Turned on.',
  kept: 'Saved. Your models can use it now without seeing it.',
  uploaded: 'Uploaded.',
  unshared: 'The link is no longer public.',
  refused: 'Their access has ended. Their data stays until you delete it.',
  readmitted: 'They may sign in again.',
  decisionDeleted: 'Your decision is deleted. ALLOWED_USERS decides again.',
  withdrawn: 'The invitation is withdrawn. Its link no longer works.',
  erased: 'All data of this person is deleted.',
  shared: 'Shared. Anyone with the link can read the quote.',
  sharedLibrary: 'Shared. Everyone who may sign in here can search it.',
  unsharedLibrary: 'No longer shared. Only your models search it.',
  unfollowed: 'You no longer follow it, and it is not read again.',
  looking: 'The pages are being read again. Changes appear when that is done.',
  unfed: 'The link is deleted. The feed can no longer be read with it.',
  unreported: 'The webhook is deleted. Changes are no longer sent to it.',
  answered: 'Answered. A model that repeats its call gets your answer.',
  zoned: 'Saved. Times are shown in this zone from now on.',
  ruled: 'Saved. It applies to running sessions, too.',
  done: 'Done.',
} as const;

export type DoneMessageCode = keyof typeof DONE;

export function parseDoneCode(code: string | undefined): DoneMessageCode | null {
  return code !== undefined && isDone(code) ? code : null;
}

function isDone(code: string): code is DoneMessageCode {
  return Object.hasOwn(DONE, code);
}

/** Code of the message for a button of the activity page. @param asked value of the button: `forget`, `off` or `on` */
export function getActivityDoneCode(asked: string): DoneMessageCode {
  return asked === 'forget' ? 'deleted' : asked === 'off' ? 'forgotten' : 'on';
}

export function DoneMessage({ done }: { done: DoneMessageCode | null }) {
  return done === null ? null : (
    <p class="done" role="status" {...FOCUS_ON_LOAD}>
      {DONE[done]}
    </p>
  );
}

const QUESTIONS = {
  end: {
    title: 'End this session?',
    text: 'Its tabs close, and its cookies and sign-ins are deleted.',
    label: 'End session',
  },
  disconnect: {
    title: 'Disconnect this client?',
    text: 'It can no longer act for you, and has to ask again to connect.',
    label: 'Disconnect',
  },
  revoke: { title: 'Revoke this token?', text: 'Programs that use it stop working immediately.', label: 'Revoke' },
  secret: { title: 'Delete this secret?', text: 'Models can no longer use it.', label: 'Delete' },
  file: { title: 'Delete this file?', text: 'Models can no longer read it.', label: 'Delete' },
  citation: {
    title: 'Delete this citation?',
    text: 'Its link stops working, and a public one with it.',
    label: 'Delete',
  },
  unshare: {
    title: 'Stop sharing this quote?',
    text: 'Its link stops working for everyone. If it is shared again, it gets another link.',
    label: 'Stop sharing',
  },
  feed: {
    title: 'Delete the link to this feed?',
    text: 'Everyone who reads the feed loses it. A new link is a different one.',
    label: 'Delete link',
  },
  report: {
    title: 'Delete this webhook?',
    text: 'Changes are no longer sent to it. They stay on this page.',
    label: 'Delete webhook',
  },
  page: { title: 'Delete this page?', text: 'Models can no longer find it here.', label: 'Delete' },
  follow: {
    title: 'Stop following?',
    text: 'The history of its changes is deleted, and its feed ends. Cited pages stay stored until you delete their citations.',
    label: 'Stop following',
  },
  activity: { title: 'Delete all activity?', text: 'Every line is deleted.', label: 'Delete' },
  activityOff: {
    title: 'Delete all activity and turn it off?',
    text: 'Every line is deleted, and no new ones are stored.',
    label: 'Delete and turn off',
  },
  steps: { title: 'Delete these steps?', text: 'Their pictures are deleted with them.', label: 'Delete' },
  refuse: {
    title: 'End all access of this person?',
    text: 'They are signed out, and their clients, tokens and invitations stop working immediately. They cannot sign in again until you allow it, whatever ALLOWED_USERS says. Their data stays, but is no longer public.',
    label: 'End access',
  },
  erase: {
    title: 'Delete all data of this person?',
    text: 'This deletes citations and public links, activity, files, secrets, sessions with their sign-ins, and what they follow. Their access ends, too; if ALLOWED_USERS names them, they can sign in again and start over.',
    label: 'Delete everything',
  },
  eraseMe: {
    title: 'Delete everything that is yours?',
    text: 'This deletes citations and public links, activity, files, secrets, sessions with their sign-ins, and what you follow. You are signed out, and your clients and tokens stop working.',
    label: 'Delete everything',
  },
  withdraw: { title: 'Withdraw this invitation?', text: 'Its link stops working.', label: 'Withdraw' },
  rule: { title: 'Delete this rule?', text: 'The next rule that fits, or the default, decides then.', label: 'Delete' },
  rules: {
    title: 'Replace your rules?',
    text: 'All rules of this list are deleted, and one level holds everywhere.',
    label: 'Replace',
  },
  pictures: {
    title: 'Delete all pictures and turn them off?',
    text: 'The pictures of all your sessions are deleted, and no new ones are stored.',
    label: 'Delete and turn off',
  },
} as const;

export type ConfirmQuestion = keyof typeof QUESTIONS;

/** Actions that the user can undo. */
const REVERSIBLE: ReadonlySet<ConfirmQuestion> = new Set(['refuse']);

export function parseConfirmQuestion(form: FormData): ConfirmQuestion | null {
  const code = formText(form, 'confirm');
  return isQuestion(code) ? code : null;
}

function isQuestion(code: string): code is ConfirmQuestion {
  return Object.hasOwn(QUESTIONS, code);
}

type Props = {
  asks: ConfirmQuestion;
  to: string;
  form: FormData;
};

export function ConfirmPage({ asks, to, form }: Props) {
  const { title, text, label } = QUESTIONS[asks];
  const about = formText(form, 'about');
  const kept = [...form.keys()].filter((name) => name !== 'confirm' && name !== 'about');
  return (
    <Layout title={`${title} – Periscope`} width="sheet">
      <BrandLink to={PATHS.console} />
      <h1>{title}</h1>
      {about === '' ? null : (
        <p class="lead">
          <bdi>{about}</bdi>
        </p>
      )}
      <p>{REVERSIBLE.has(asks) ? text : `${text} This cannot be undone.`}</p>
      <form method="post" action={to} class="actions">
        {kept.map((name) => (
          <input type="hidden" name={name} value={formText(form, name)} />
        ))}
        <button type="submit" class="primary danger">
          {label}
        </button>
        <a class="button" href={to.replace(/\/(?:delete|revoke)$/, '')}>
          Cancel
        </a>
      </form>
    </Layout>
  );
}
