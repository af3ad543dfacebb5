import { Hono } from 'hono';
import type { Context } from 'hono';
import type { LivePort } from '#browsing/live-port.ts';
import { APPROVAL_ANSWERS } from '#browsing/session/asking/approvals.ts';
import type { ApprovalAnswer, ApprovalQuestion } from '#browsing/session/asking/approvals.ts';
import { approvalPath, approvalPicturePath, livePath, PATHS } from '#core/paths.ts';
import type { SignedIn } from '#auth/people/sign-ins.ts';
import { formText, respondWithPage } from '#web/page-response.ts';
import type { SiteEnv } from '#web/page-response.ts';
import { ConsolePage } from '#web/console/console-page.tsx';
import { startConsolePage, continueAfterForm, requireSignIn, withVerifiedForm } from '#web/console/console.tsx';
import type { ConsoleDeps } from '#web/console/console.tsx';
import { MessagePage } from '#web/layout.tsx';
import { Actions } from '#web/parts/form.tsx';
import type { ItemAction } from '#web/parts/form.tsx';
import { EmptyListNotice } from '#web/parts/list.tsx';
import { Timestamp } from '#web/parts/timestamp.tsx';

type ApprovalsDeps = ConsoleDeps & {
  sessionsOf: (subject: string) => Pick<LivePort, 'questions' | 'answer' | 'questionPicture'>;
  openNames: (subject: string) => Promise<readonly string[]>;
  /**
   * Saves a rule by which models may act on this page's site without asking.
   * @returns the reason if the rule would change nothing, or cannot be saved
   */
  allow: (subject: string, page: string) => Promise<string | null>;
  /** Adds a line to the user's activity. */
  note: (subject: string, words: string) => Promise<void>;
};

/** `/console/approvals`: actions of models that wait for the user's approval. */
export function approvalPages(deps: ApprovalsDeps): Hono<SiteEnv> {
  const app = new Hono<SiteEnv>();
  app.get(PATHS.approvals, (c) => requireSignIn(c, deps, (person) => show(c, deps, person, null)));
  app.post(PATHS.approvals, (c) => withVerifiedForm(c, deps, (form, person) => receiveAnswer(c, deps, form, person)));
  app.get(PATHS.approvalPicture, (c) => requireSignIn(c, deps, (person) => sendPicture(c, deps, person)));
  return app;
}

async function receiveAnswer(
  c: Context<SiteEnv>,
  deps: ApprovalsDeps,
  form: FormData,
  person: SignedIn,
): Promise<Response> {
  const problem = await answered(deps, form, person);
  return problem === null ? continueAfterForm(c, 'answered', PATHS.approvals) : show(c, deps, person, problem);
}

async function answered({ sessionsOf, allow, note }: ApprovalsDeps, form: FormData, { subject }: SignedIn) {
  const [session, id, given] = ['session', 'question', 'answer'].map((name) => formText(form, name));
  const wanted = APPROVAL_ANSWERS.find((one) => one === given);
  if (session === undefined || id === undefined || wanted === undefined) return NOT_OPEN;
  const port = sessionsOf(subject);
  const asked = (await port.questions(session)).find((one) => one.id === id);
  if (asked === undefined) return NOT_OPEN;
  const problem = wanted === 'always' ? await allow(subject, asked.page) : null;
  if (problem !== null) return problem;
  if ((await port.answer(session, id, wanted)) === null) return NOT_OPEN;
  await note(subject, `${session}: ${ANSWERED[wanted]}, on ${asked.wording.host}: ${asked.wording.act}`);
  return null;
}

const ANSWERED: Record<ApprovalAnswer, string> = {
  once: 'approved once',
  session: 'approved for the session',
  always: 'approved always',
  no: 'refused',
};

const NOT_OPEN = 'That question is no longer open. It was answered, or it is older than ten minutes.';

async function sendPicture(
  c: Context<SiteEnv>,
  { sessionsOf }: ApprovalsDeps,
  { subject }: SignedIn,
): Promise<Response> {
  const [session = '', id = ''] = [c.req.query('name'), c.req.query('question')];
  const jpeg = await sessionsOf(subject).questionPicture(session, id);
  if (jpeg === null) return respondWithPage(c, <MessagePage {...NO_PICTURE} />, 404);
  return c.body(jpeg.slice().buffer, 200, { 'content-type': 'image/jpeg' });
}

const NO_PICTURE = {
  title: 'No such picture',
  text: 'The question is answered or too old, or the page showed something private.',
  link: { to: PATHS.approvals, label: 'Questions' },
};

async function show(
  c: Context<SiteEnv>,
  { sessionsOf, openNames, signIns }: ApprovalsDeps,
  person: SignedIn,
  problem: string | null,
): Promise<Response> {
  const port = sessionsOf(person.subject);
  const respond = startConsolePage(c, { signIns }, person);
  const names = await openNames(person.subject);
  const wanted = c.req.query('question');
  const asked = names.map(async (session) => (await port.questions(session)).map((one) => ({ session, ...one })));
  const questions = (await Promise.all(asked))
    .flat()
    .toSorted((one, other) => Number(other.id === wanted) - Number(one.id === wanted) || other.at - one.at);
  return respond(<Approvals questions={questions} problem={problem} />, problem === null ? 200 : 409);
}

type Asked = ApprovalQuestion & { session: string };
type Props = { questions: readonly Asked[]; problem: string | null };

function Approvals({ questions, problem }: Props) {
  return (
    <ConsolePage
      title="Questions"
      at={PATHS.sessions}
      lead={
        questions.length === 0
          ? undefined
          : 'Your models want to do this and need your approval. Nothing happens until you answer.'
      }
      problem={problem}
    >
      {questions.length === 0 ? (
        <EmptyListNotice>
          No question is open. Your <a href={PATHS.rules}>rules</a> decide before which actions models ask you.
        </EmptyListNotice>
      ) : (
        questions.map((one) => <Approval {...one} />)
      )}
    </ConsolePage>
  );
}

/**
 * A question to the user. The page's texts appear as quotes, so that a page cannot influence the wording of the
 * question.
 */
function Approval(asked: Asked) {
  const { id, session, at, wording, hasPicture } = asked;
  const { act, because, host, receiver, name, around, values, hidden } = wording;
  return (
    <section class="panel" aria-labelledby={`q-${id}`}>
      <h2 id={`q-${id}`}>
        {act} {name === '' ? null : <Quoted text={name} />} on {host === '' ? 'a page without an address' : host}?
      </h2>
      <p>
        You are asked because {because}. The session is <a href={livePath(session)}>{session}</a>, asked{' '}
        <Timestamp at={at} precise />.
      </p>
      {hasPicture ? (
        <Picture {...asked} />
      ) : (
        <p class="facts">There is no picture, because the page may show something private.</p>
      )}
      <dl>
        <dt>Received by</dt>
        <dd>{receiver === '' ? 'a page without an address' : receiver}</dd>
        {values.map((value) => (
          <>
            <dt>
              <Quoted text={value.name === '' ? 'a field' : value.name} />
            </dt>
            <dd>{value.value === null ? 'a secret value' : <Quoted text={value.value} />}</dd>
          </>
        ))}
        {hidden === 0 ? null : (
          <>
            <dt>Also sent</dt>
            <dd>
              {hidden === 1 ? 'one value that the page has filled in' : `${hidden} values that the page has filled in`}
            </dd>
          </>
        )}
        {around === '' ? null : (
          <>
            <dt>Text around it</dt>
            <dd>
              <Quoted text={around} />
            </dd>
          </>
        )}
      </dl>
      <Actions to={approvalPath(session, id)} actions={APPROVAL_ANSWERS.map((given) => action(asked, given))} />
    </section>
  );
}

function Quoted({ text }: { text: string }) {
  return (
    <q>
      <bdi>{text}</bdi>
    </q>
  );
}

function action({ session, id, page: address }: Asked, answer: ApprovalAnswer): ItemAction {
  const { host = '', pathname = '' } = URL.parse(address) ?? {};
  const labels: Record<ApprovalAnswer, string> = {
    once: 'Yes, once',
    session: 'Yes, for this session',
    always: `Always on ${host}${pathname === '/' ? '' : pathname}`,
    no: 'No',
  };
  return { label: labels[answer], sends: { session, question: id, answer } };
}

/** The outline of the element is drawn over the picture, so that the stored picture shows the page unaltered. */
function Picture({ session, id, box }: Asked) {
  const [left = 0, top = 0, width = 0, height = 0] = box ?? [];
  return (
    <svg class="asked" viewBox="0 0 1000 625" role="img" aria-label="The page, with the element outlined">
      <image href={approvalPicturePath(session, id)} width="1000" height="625" preserveAspectRatio="none" />
      {box === null ? null : (
        <rect
          x={left * 1000}
          y={top * 625}
          width={width * 1000}
          height={height * 625}
          fill="none"
          stroke="#d00000"
          stroke-width="5"
        />
      )}
    </svg>
  );
}
