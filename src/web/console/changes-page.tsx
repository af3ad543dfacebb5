import { Hono } from 'hono';
import type { Context } from 'hono';
import { followedPageChangePath, PATHS } from '#core/paths.ts';
import { randomBase64Url } from '#core/secrets/sealed.ts';
import { sanitizeText } from '#core/text/plain.ts';
import { CHANGE_KIND_LABELS, trimUnchangedWords, getPageTitleOrUrl } from '#library/feed/change-feed.ts';
import { unsealReportTarget, sealReportTarget, sendTestReport } from '#library/feed/report-changes.ts';
import type { ListedChange, ChangeReport } from '#storage/library/changes.ts';
import type { ChangedBlock } from '#storage/library/round-pages.ts';
import { TITLE_CHARS_MAX } from '#core/limits.ts';
import { oneLine } from '#core/text/text.ts';
import type { Follow } from '#storage/library/follows.ts';
import type { SignedIn } from '#auth/people/sign-ins.ts';
import { formText } from '#web/page-response.ts';
import type { SiteEnv } from '#web/page-response.ts';
import { CopyableText, CopyScript } from '#web/copyable.tsx';
import { Actions, FilterForm, Form, FormField, Select } from '#web/parts/form.tsx';
import type { FormInputProblem } from '#web/parts/form.tsx';
import { ItemList } from '#web/parts/list.tsx';
import type { ListEntry } from '#web/parts/list.tsx';
import { Timestamp } from '#web/parts/timestamp.tsx';
import { PageUrlLink } from '#web/public/citation.tsx';
import { startConsolePage, continueAfterForm, requireSignIn, withVerifiedForm } from './console.tsx';
import type { SiteDeps } from '#web/site-deps.ts';
import { ConsolePage } from './console-page.tsx';

const CHANGES_PER_PAGE = 50;
const URL_CHARS_MAX = 2_000;
const KEY_BYTES = 24;

/** `/changes`: changes of the pages that a user follows, newest first, and the webhook that reports changes. */
export function changesPage(deps: SiteDeps): Hono<SiteEnv> {
  const app = new Hono<SiteEnv>();
  app.get(PATHS.changes, (c) => requireSignIn(c, deps, (person) => show(c, deps, person, {})));
  app.post(PATHS.changes, (c) => withVerifiedForm(c, deps, (form, person) => act(c, deps, form, person)));
  return app;
}

type Shown = {
  problem?: FormInputProblem;
  /** Result of a test message to the webhook: one word for the failure; `null` after success. */
  tested?: string | null;
  /** The key of a webhook that was just saved. It is shown only once. */
  key?: string;
  url?: string;
};

async function show(c: Context<SiteEnv>, deps: SiteDeps, person: SignedIn, shown: Shown): Promise<Response> {
  const { subject } = person;
  const { follows, changes } = deps.stores();
  const { reports, sealing } = deps.reports();
  const query = new URL(c.req.url).searchParams;
  const follow = query.get('library') ?? '';
  const [oldFollow = '', oldRound = '', ...oldKey] = (query.get('after') ?? '').split(' ');
  const respond = startConsolePage(c, deps, person);
  const [after, all, report] = await Promise.all([
    changes.find(subject, oldFollow, oldKey.join(' '), Number(oldRound)),
    follows.list(subject),
    reports.find(subject),
  ]);
  const listed = await changes.list(subject, { follow: follow || undefined, after, limit: CHANGES_PER_PAGE + 1 });
  const list = listed.slice(0, CHANGES_PER_PAGE);
  const last = listed.length > list.length ? list.at(-1) : undefined;
  const next = last === undefined ? null : olderPath(last, follow);
  const view = { list, next, follow, all, report, canSeal: sealing !== null, ...shown };
  return respond(<Changes {...view} />, shown.problem === undefined ? 200 : 400);
}

function olderPath({ follow, round, key }: ListedChange, library: string): string {
  const after = `${follow} ${round} ${key}`;
  return `${PATHS.changes}?${new URLSearchParams(library === '' ? { after } : { library, after }).toString()}`;
}

async function act(c: Context<SiteEnv>, deps: SiteDeps, form: FormData, person: SignedIn): Promise<Response> {
  const { subject } = person;
  const { reports, sealing, net, now } = deps.reports();
  const what = formText(form, 'do');
  if (what === 'unreport') {
    await reports.remove(subject);
    return continueAfterForm(c, 'unreported', PATHS.changes);
  }
  if (what === 'test') {
    const report = await reports.find(subject);
    const target = report === null ? null : await unsealReportTarget({ sealing }, report);
    if (target === null)
      return show(c, deps, person, { problem: { text: 'There is no webhook to test. Save one first.' } });
    return show(c, deps, person, { tested: await sendTestReport(target, { net }) });
  }
  const url = formText(form, 'url').trim();
  const every = formText(form, 'every') === 'day' ? 'day' : 'round';
  if (sealing === null) return show(c, deps, person, { url, problem: { text: NO_SECRET } });
  if (!isWebAddress(url)) return show(c, deps, person, { url, problem: NO_ADDRESS });
  const target = { url, secret: randomBase64Url(KEY_BYTES) };
  const sealed = await sealReportTarget(sealing, subject, target);
  await reports.save({ subject, target: sealed, every, createdAt: now() });
  return show(c, deps, person, { key: target.secret });
}

function isWebAddress(text: string): boolean {
  const url = URL.parse(text);
  return text.length <= URL_CHARS_MAX && (url?.protocol === 'https:' || url?.protocol === 'http:');
}

const NO_ADDRESS = {
  field: 'url',
  text: 'Enter an address that begins with https://, such as an incoming webhook of Slack.',
};
const NO_SECRET =
  'A webhook cannot be stored: this server has no SESSION_SECRET to encrypt its address with. Its owner can set one.';

type Props = Shown & {
  list: readonly ListedChange[];
  next: string | null;
  follow: string;
  all: readonly Follow[];
  report: ChangeReport | null;
  canSeal: boolean;
};

function Changes(props: Props) {
  const { list, next, follow, all } = props;
  return (
    <ConsolePage
      title="Changes"
      at={PATHS.changes}
      lead="Every change in the pages you follow, newest first. Changes are stored for 90 days."
    >
      {all.length < 2 ? null : (
        <FilterForm to={PATHS.changes} submit="Show">
          <div>
            <Select name="library" label="Followed" chosen={follow} options={new Map([['', followOptions(all)]])} />
          </div>
        </FilterForm>
      )}
      <ItemList
        items={list.map(changeItem)}
        none={
          all.length === 0 ? (
            <>
              You follow nothing yet. Ask a model to follow a page or a site: it calls <code>follow</code>.
            </>
          ) : (
            <>
              Nothing has changed yet. <a href={PATHS.library}>See what you follow</a> and when it is read next.
            </>
          )
        }
        next={{ to: next, label: 'Older changes' }}
      />
      <h2 id="webhook">Webhook</h2>
      <Webhook {...props} />
    </ConsolePage>
  );
}

/** Options of the filter: the pages and sites that the user follows. Entries with the same name also show their URL. */
export function followOptions(all: readonly Pick<Follow, 'id' | 'title' | 'url' | 'scope'>[]) {
  const names = Map.groupBy(all, getPageTitleOrUrl);
  const options = all.map((one) => {
    const isAmbiguous = (names.get(getPageTitleOrUrl(one))?.length ?? 0) > 1;
    return {
      value: one.id,
      text: `${getPageTitleOrUrl(one)} (${isAmbiguous ? `${one.scope} ${one.url}` : one.scope})`,
    };
  });
  return [{ value: '', text: 'Everything' }, ...options];
}

export function changeItem(change: ListedChange): ListEntry {
  const { follow, round, key, kind, url, movedTo, problem, at, blocks, first } = change;
  const more = blocks > 1 ? `${blocks - 1} more ${blocks === 2 ? 'block' : 'blocks'}` : null;
  return {
    name: (
      <a href={followedPageChangePath(follow, round, key)}>
        <bdi>{sanitizeText(getPageTitleOrUrl(change))}</bdi>
      </a>
    ),
    icon: 'change',
    state: { text: CHANGE_KIND_LABELS[kind], ...(kind === 'gone' || kind === 'closed' ? { looks: 'warn' } : {}) },
    body: first === null ? null : <FirstBlock block={first} />,
    facts: [
      more,
      problem,
      <PageUrlLink url={sanitizeText(url)} />,
      movedTo === null ? null : (
        <>
          now at <PageUrlLink url={sanitizeText(movedTo)} />
        </>
      ),
    ],
    aside: <Timestamp at={at} precise />,
  };
}

const PARTS_SHOWN_MAX = 12;
const PART_CHARS_MAX = 160;

/** The first changed block of a change, with removed and added words marked. */
function FirstBlock({ block: { kind, section, head, words: all } }: { block: ChangedBlock }) {
  // The first cell of a table row identifies the row.
  const shown = kind === 'changed' && head === null ? trimUnchangedWords(all) : all;
  return (
    <p lang="">
      {section === null ? null : <span class="facts">{oneLine(section, TITLE_CHARS_MAX)}: </span>}
      {shown.slice(0, PARTS_SHOWN_MAX).map(({ kind: part, text }, at) => {
        const line = text.length > PART_CHARS_MAX ? oneLine(text, PART_CHARS_MAX) : sanitizeText(text);
        if (part === 'same' || kind === 'added') return line;
        // A space after the words stays outside `<del>` and `<ins>`, so that it is not underlined.
        const words = line.trimEnd();
        const isReplaced = part === 'gone' && shown[at + 1]?.kind === 'new';
        return (
          <>
            {part === 'gone' ? <del>{words}</del> : <ins>{words}</ins>}
            {words.length < line.length || isReplaced ? ' ' : null}
          </>
        );
      })}
      {shown.length > PARTS_SHOWN_MAX ? '…' : null}
    </p>
  );
}

function Webhook({ report, canSeal, problem, tested, key, url = '' }: Props) {
  return (
    <>
      <p>
        Changes are sent to an address of yours as they are found, or once a day: as text for Slack and others, and as
        JSON with a stable id and a link for each change. A message that fails is sent again until it is accepted.
      </p>
      {key === undefined ? null : (
        <>
          <p class="done" role="status">
            Saved. Copy the key that signs the messages now: it is not shown again.
          </p>
          <CopyableText text={key} what="the key" />
          <CopyScript />
        </>
      )}
      {tested === undefined ? null : (
        <p class={tested === null ? 'done' : 'problem'} role="status">
          {tested === null
            ? 'The test message was accepted.'
            : `The test message was not accepted: ${outcomeInWords(tested)}.`}
        </p>
      )}
      {report === null ? null : <SavedWebhook report={report} />}
      {!canSeal ? (
        <p class="warning">{NO_SECRET}</p>
      ) : (
        <Form
          to={PATHS.changes}
          submit={report === null ? 'Save' : 'Replace'}
          problem={problem ?? null}
          autocomplete="off"
        >
          <FormField
            name="url"
            label="Address"
            type="url"
            required
            maxlength={URL_CHARS_MAX}
            value={url}
            placeholder="https://hooks.slack.com/services/…"
          />
          <Select name="every" label="When" chosen={report?.every ?? 'round'} options={WHEN} />
        </Form>
      )}
    </>
  );
}

const WHEN = new Map([
  [
    '',
    [
      { value: 'round', text: 'As soon as changes are found' },
      { value: 'day', text: 'Once a day' },
    ],
  ],
]);

function SavedWebhook({ report: { every, sentAt, outcome, failures, nextAt } }: { report: ChangeReport }) {
  return (
    <>
      <p class="facts">
        A webhook is set, {every === 'day' ? 'for one message a day' : 'for each round with changes'}.{' '}
        {sentAt === null ? (
          'Nothing has been sent yet.'
        ) : (
          <>
            Last message: <Timestamp at={sentAt} precise />.
          </>
        )}
      </p>
      {outcome === null || failures === 0 ? null : (
        <p class="problem">
          The last try failed: {outcomeInWords(outcome)}. The next one is <Timestamp at={nextAt} precise />.
        </p>
      )}
      <Actions
        to={PATHS.changes}
        actions={[
          { label: 'Send a test message', sends: { do: 'test' } },
          { label: 'Delete the webhook', sends: { do: 'unreport' }, asks: 'report' },
        ]}
      />
    </>
  );
}

function outcomeInWords(outcome: string): string {
  if (outcome.startsWith('http_')) return `the address answered with status ${outcome.slice('http_'.length)}`;
  return OUTCOMES[outcome] ?? 'the address could not be reached';
}

const OUTCOMES: Readonly<Record<string, string>> = {
  ssrf_blocked: 'the address is not public',
  timeout: 'the address did not answer in time',
  sealed_with_another_secret: 'the stored address cannot be decrypted, so save it again',
};
