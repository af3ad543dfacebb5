import { formFields, pageOf } from '#support/oauth-browser.ts';
import type { LaunchedServer } from '#scripts/local/launch.ts';
import { makeToken, PASSPHRASE, SIGN_IN_KEY, signedInAsOwner } from '../attack/rig.ts';
import type { Answer, Call, Subject } from './subjects.ts';
import type { Hands } from '../apps/hands.ts';

/** Settings of a server whose owner can sign in to the console. */
export const SETTINGS_FOR_ASKING = { OWNER_PASSPHRASE: PASSPHRASE, SIGN_IN_KEY };

/** A question that the server asked the user, and the call that it was about. `held`: about a request of the page. */
export type Question = { call: string; words: string; held: boolean };

type OwnersBrowser = Awaited<ReturnType<typeof signedInAsOwner>>;

/** The user behind the model: sets the rule "Ask first everywhere" in the console, and answers each question "once". */
export class Person {
  readonly #browser: OwnersBrowser;
  readonly token: string;
  /** Acts and questions of the running task. */
  acts = 0;
  questions: Question[] = [];

  private constructor(browser: OwnersBrowser, token: string) {
    this.#browser = browser;
    this.token = token;
  }

  static async of({ mcpUrl }: Pick<LaunchedServer, 'mcpUrl'>): Promise<Person> {
    const { origin } = new URL(mcpUrl);
    const browser = await signedInAsOwner(origin);
    return new Person(
      browser,
      await makeToken(browser, origin, 'apps', ['web:read', 'browser:use', 'browser:evaluate']),
    );
  }

  /** Lets models do this everywhere, by the console's preset for it or by the default. */
  async everywhere(level: 'ask' | 'act'): Promise<void> {
    const path = '/console/rules';
    const { html } = pageOf(await this.#browser.get(this.#browser.origin + path));
    const form = formFields(html, '/sign-out').find(([name]) => name === 'form')?.[1] ?? '';
    const { html: set } = pageOf(
      await this.#browser.post(path, [
        ['form', form],
        ['for', 'own'],
        ['do', level === 'ask' ? 'everywhere' : 'default'],
        ['own-level', level],
      ]),
    );
    if (!set.includes('class="done"')) throw new Error('the rule was not set');
  }

  /** Starts the count of a task anew. */
  begin(): void {
    this.acts = 0;
    this.questions = [];
  }

  /** A subject whose questions the person answers. Afterwards, the model repeats the call, as the answer tells it to. */
  behind(subject: Subject): Subject {
    return {
      ...subject,
      call: async (call) => {
        if (ACTING.has(call.tool) && call.args['action'] !== 'hover') this.acts += 1;
        let answer = await subject.call(call);
        for (let asked = 0; asked < QUESTIONS_MAX; asked += 1) {
          const link = linkIn(answer);
          if (link === null) return answer;
          const isHeld = !answer.isError || answer.text.includes('The act was done.');
          this.questions.push({ call: words(call), words: wordsOf(answer), held: isHeld });
          await this.#answer(link);
          answer = await subject.call(isHeld ? subject.snapshot() : call);
        }
        return answer;
      },
    };
  }

  async #answer(link: string): Promise<void> {
    const { searchParams, pathname } = new URL(link);
    const { html } = pageOf(await this.#browser.get(link));
    const form = formFields(html, '/sign-out').find(([name]) => name === 'form')?.[1] ?? '';
    await this.#browser.post(pathname, [
      ['form', form],
      ['session', searchParams.get('name') ?? ''],
      ['question', searchParams.get('question') ?? ''],
      ['answer', 'once'],
    ]);
  }
}

/** One call for each act, so that each question belongs to one act. */
export function oneByOne(hands: Hands): Hands {
  return { ...hands, list: null };
}

/** Tools whose calls are acts: input that a page may answer with an effect. */
const ACTING: ReadonlySet<string> = new Set([
  'browser_click',
  'browser_fill',
  'browser_type',
  'browser_point',
  'browser_files',
]);
const QUESTIONS_MAX = 4;

function linkIn({ text }: Answer): string | null {
  return /https?:\/\/\S+\/console\/approvals\?\S+?(?=[.,\s")\]}]|$)/u.exec(text)?.[0] ?? null;
}

function words({ tool, args }: Call): string {
  return `${tool} ${JSON.stringify(args)}`.slice(0, 160);
}

/** The reason for a question and the name of its control, as the model reads them. */
function wordsOf({ text }: Answer): string {
  const because = /because (it|the page) [^.]*|sends a \w+ request[^.]*/u.exec(text)?.[0] ?? '';
  const act = /^act: .*$/mu.exec(text)?.[0] ?? '';
  const name = /^quoted: ⟦\S+ (.*) \S+⟧$/mu.exec(text)?.[1] ?? '';
  return [act.replace('act: ', ''), name, because].filter((part) => part !== '').join(' ');
}
