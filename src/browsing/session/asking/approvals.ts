import * as z from 'zod';
import { resolveWithin } from '#core/flow/abort.ts';
import { MINUTE_MS } from '#core/limits.ts';
import { registrableDomain } from '#net/site.ts';

/** Lifetime of an approval question and of its answer. */
export const APPROVAL_TTL_MS = 10 * MINUTE_MS;
/**
 * Maximum stored questions of one session, so that a page cannot fill the storage. The oldest are dropped. Questions
 * read back from the storage have no order.
 */
const QUESTIONS_MAX = 20;
/** Maximum approvals "for this session" that one session stores. */
const GRANTS_MAX = 50;

export const APPROVAL_ANSWERS = ['once', 'session', 'always', 'no'] as const;
export type ApprovalAnswer = (typeof APPROVAL_ANSWERS)[number];

const wording = z.object({
  act: z.string(),
  because: z.string(),
  host: z.string(),
  receiver: z.string(),
  name: z.string(),
  around: z.string(),
  values: z.array(z.object({ name: z.string(), value: z.string().nullable() })),
  hidden: z.number(),
});

const question = z.object({
  id: z.string(),
  subject: z.string(),
  /**
   * Digest of all facts to which the answer applies. If a fact changes, such as a field's value, the user is asked
   * again, unless an answer `session` covers the act.
   */
  bound: z.string(),
  /** Kind of the act, such as `form` or `word delete`, to which an answer "for this session" applies. */
  kind: z.string(),
  page: z.string(),
  tab: z.string(),
  at: z.number(),
  wording,
  box: z.array(z.number()).nullable(),
  hasPicture: z.boolean(),
  answer: z.enum(APPROVAL_ANSWERS).nullable(),
  answeredAt: z.number().nullable(),
  isUsed: z.boolean(),
});
export type ApprovalQuestion = z.output<typeof question>;

const grant = z.object({ kind: z.string(), site: z.string(), receiver: z.string(), subject: z.string() });
type Grant = z.output<typeof grant>;

export type NewQuestion = Pick<ApprovalQuestion, 'subject' | 'bound' | 'kind' | 'page' | 'tab' | 'wording' | 'box'>;

/**
 * `allowed`: the act may happen now. `waiting`: the user has not answered. `new`: no question exists yet, or the last
 * one was used or has expired.
 */
type Verdict = { state: 'allowed' } | { state: 'refused' | 'waiting'; id: string } | { state: 'new' };

export type ApprovalStorage = {
  list: (options: { prefix: string }) => Promise<Map<string, unknown>>;
  get: (key: string) => Promise<unknown>;
  put: (key: string, value: unknown) => Promise<void>;
  delete: (keys: string[]) => Promise<number>;
};

const QUESTION_KEY = 'ask:';
const PICTURE_KEY = 'ask-picture:';
const GRANTS_KEY = 'ask-grants';

/**
 * The approval questions of one session and their answers. The answer `once` applies to one act: its element, the values
 * that it sends, their receiver and the document. It expires when one of these changes, when it is used, or after ten
 * minutes. The answer `session` also allows later acts of the same kind on the same site and to the same receiver.
 */
export class ApprovalQuestions {
  readonly #storage: ApprovalStorage;
  readonly #now: () => number;
  readonly #questions = new Map<string, ApprovalQuestion>();
  #grants: Grant[] = [];
  readonly #waiting = new Map<string, (answered: ApprovalQuestion) => void>();
  /** Acts approved in the running call, because the second press of a double click needs no second approval. */
  readonly #allowedInCall = new Set<string>();

  constructor(storage: ApprovalStorage, now: () => number) {
    this.#storage = storage;
    this.#now = now;
  }

  async read(): Promise<void> {
    const stored = [...(await this.#storage.list({ prefix: QUESTION_KEY })).values()].map((one) => question.parse(one));
    // The storage orders them by their random IDs.
    for (const found of stored.toSorted((one, other) => one.at - other.at)) this.#questions.set(found.id, found);
    this.#grants = z.array(grant).parse((await this.#storage.get(GRANTS_KEY)) ?? []);
  }

  forget(): void {
    this.#questions.clear();
    this.#grants = [];
  }

  beginCall(): void {
    this.#allowedInCall.clear();
  }

  /** Looks up the user's answer to an act. An approval of one act is consumed. A refusal stays until it expires. */
  async verdict(asked: NewQuestion, isRepeated: boolean): Promise<Verdict> {
    if (isRepeated && this.#allowedInCall.has(asked.bound)) return { state: 'allowed' };
    if (this.#isGranted(asked)) return { state: 'allowed' };
    const found = this.#of(asked);
    if (found === null) return { state: 'new' };
    if (found.answer === null) return { state: 'waiting', id: found.id };
    if (found.answer === 'no') return { state: 'refused', id: found.id };
    await this.#change({ ...found, isUsed: true });
    this.#allowedInCall.add(asked.bound);
    return { state: 'allowed' };
  }

  async ask(asked: NewQuestion, picture: Uint8Array | null): Promise<ApprovalQuestion> {
    const id = crypto.randomUUID();
    const made: ApprovalQuestion = {
      ...asked,
      id,
      at: this.#now(),
      hasPicture: picture !== null,
      answer: null,
      answeredAt: null,
      isUsed: false,
    };
    if (picture !== null) await this.#storage.put(PICTURE_KEY + id, picture);
    await this.#change(made);
    await this.#drop();
    return made;
  }

  /** @returns `null` for a question that is unknown, belongs to another user, was answered, or has expired */
  async answer(subject: string, id: string, given: ApprovalAnswer): Promise<ApprovalQuestion | null> {
    const found = this.#questions.get(id);
    if (found === undefined || found.subject !== subject || found.answer !== null || this.#isOld(found)) return null;
    const answered = { ...found, answer: given, answeredAt: this.#now() };
    await this.#change(answered);
    if (given === 'session') await this.#grant(answered);
    this.#waiting.get(id)?.(answered);
    return answered;
  }

  /**
   * Waits for the answer to a question about a held request. Afterwards the question cannot be answered any more.
   * @returns `null` if no answer comes in time
   */
  async answered({ id }: ApprovalQuestion, msMax: number): Promise<ApprovalAnswer | null> {
    const { promise, resolve } = Promise.withResolvers<ApprovalQuestion>();
    this.#waiting.set(id, resolve);
    const answered = await resolveWithin(promise, msMax).catch(() => null);
    this.#waiting.delete(id);
    const found = this.#questions.get(id);
    const given = answered?.answer ?? null;
    if (found !== undefined && given !== 'no') await this.#change({ ...found, answer: given ?? 'no', isUsed: true });
    return given;
  }

  /** Unanswered questions to this user, newest first. */
  waitingFor(subject: string): ApprovalQuestion[] {
    return [...this.#questions.values()]
      .filter((one) => one.subject === subject && one.answer === null && !this.#isOld(one))
      .toReversed();
  }

  one(subject: string, id: string): ApprovalQuestion | null {
    const found = this.#questions.get(id);
    return found === undefined || found.subject !== subject ? null : found;
  }

  async picture(subject: string, id: string): Promise<Uint8Array | null> {
    const found = this.one(subject, id);
    if (found === null || !found.hasPicture) return null;
    const stored: unknown = await this.#storage.get(PICTURE_KEY + id);
    return stored instanceof Uint8Array ? stored : null;
  }

  #of({ bound, subject }: NewQuestion): ApprovalQuestion | null {
    const found = [...this.#questions.values()].findLast((one) => one.bound === bound && one.subject === subject);
    return found === undefined || found.isUsed || this.#isOld(found) ? null : found;
  }

  #isOld({ at, answeredAt }: ApprovalQuestion): boolean {
    return this.#now() - (answeredAt ?? at) >= APPROVAL_TTL_MS;
  }

  #isGranted(asked: NewQuestion): boolean {
    const wanted = grantFor(asked);
    return wanted !== null && this.#grants.some((one) => isSame(one, wanted));
  }

  async #grant(answered: ApprovalQuestion): Promise<void> {
    const granted = grantFor(answered);
    if (granted === null || this.#grants.some((one) => isSame(one, granted))) return;
    this.#grants = [...this.#grants, granted].slice(-GRANTS_MAX);
    await this.#storage.put(GRANTS_KEY, this.#grants);
  }

  async #change(changed: ApprovalQuestion): Promise<void> {
    this.#questions.set(changed.id, changed);
    await this.#storage.put(QUESTION_KEY + changed.id, changed);
  }

  async #drop(): Promise<void> {
    for (const { id } of this.#questions.values()) {
      if (this.#questions.size <= QUESTIONS_MAX) return;
      this.#questions.delete(id);
      await this.#storage.delete([QUESTION_KEY + id, PICTURE_KEY + id]);
    }
  }
}

/**
 * An approval for the whole session; `null` without a domain, because all `data:` pages, for example, look the same.
 */
function grantFor({ kind, page, wording: { receiver }, subject }: NewQuestion): Grant | null {
  const site = registrableDomain(page);
  return site === null ? null : { kind, site, receiver, subject };
}

function isSame(one: Grant, other: Grant): boolean {
  return (
    one.kind === other.kind &&
    one.site === other.site &&
    one.receiver === other.receiver &&
    one.subject === other.subject
  );
}
