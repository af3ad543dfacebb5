import { tokens } from '../browser/meter.ts';
import type { Answer, Call, Subject } from '../browser/subjects.ts';
import { startApplication } from './application.ts';
import type { Application, Verdict } from './application.ts';
import type { Task } from './tasks.ts';

/** The result of a task, as written to the file of results. */
export type Result = Verdict & {
  server: string;
  app: string;
  task: string;
  calls: Call[];
  /** o200k tokens: those of the model's calls, and those of the answers' text. */
  tokensWritten: number;
  tokensRead: number;
  /** Number of pictures in answers, which have no tokens here. */
  pictures: number;
  /** Number of calls that failed, and of lists of steps that stopped at a failed step. */
  errors: number;
  ms: number;
  /** The reason why the work stopped before the check; empty if the player reported that the task is done. */
  problem: string;
  /** The endpoint's own count of tokens, over all requests. */
  usage?: { input: number; output: number };
};

/** Replaces the address of the application in recorded calls, because its port changes. */
const ADDRESS = '{url}';

/** One task with one server, from an unused application to the verdict. */
export class Run {
  readonly task: Task;
  readonly subject: Subject;
  readonly application: Application;
  readonly result: Result;
  /** Calls and answers, to explain failures. */
  readonly story: string[] = [];

  private constructor(task: Task, server: string, subject: Subject, application: Application) {
    this.task = task;
    this.subject = subject;
    this.application = application;
    const counts = { tokensWritten: 0, tokensRead: 0, pictures: 0, errors: 0, ms: 0 };
    this.result = { server, app: task.app, task: task.id, isSolved: false, why: '', calls: [], ...counts, problem: '' };
  }

  static async begin(place: Place, server: string, subject: Subject, task: Task): Promise<Run> {
    return new Run(task, server, subject, await startApplication(place.folder, task.app, place.port));
  }

  /** The instructions for the player. */
  get prompt(): string {
    return `${this.task.instruction}\n\nThe application is at ${this.application.url}/. You use it in a browser, through tools. When it is done, say so without calling a tool.`;
  }

  async call({ tool, args }: Call): Promise<Answer> {
    const { url } = this.application;
    const { result } = this;
    const written = JSON.stringify(args);
    result.calls.push({ tool, args: parsedObject(written.replaceAll(url, ADDRESS)) });
    const made = { tool, args: parsedObject(written.replaceAll(ADDRESS, url)) };
    result.tokensWritten += tokens(`${tool} ${JSON.stringify(made.args)}`);
    this.story.push(`> ${tool} ${JSON.stringify(made.args)}`);
    const answer = await this.subject.call(made).catch((error: unknown) => refused(error));
    this.story.push(answer.text);
    result.tokensRead += tokens(answer.text);
    result.pictures += answer.pictures.length;
    result.errors += isFailure(answer) ? 1 : 0;
    result.ms += Math.round(answer.ms);
    return answer;
  }

  async check(): Promise<Result> {
    Object.assign(this.result, await this.application.verify(this.task));
    return this.result;
  }

  async end(): Promise<void> {
    await this.application.stop();
  }
}

/** The benchmark's folder, and the port of its applications, which run one after the other. */
export type Place = { folder: string; port: number };

/** True for an error, and for the answer of `browser_do` to a list that stopped at a failed step. */
export function isFailure({ text, isError }: Answer): boolean {
  return isError || STOPPED_AT_FAILED_STEP.test(text);
}

/** Other lists stop after a step that was done, for example because it opened another page. */
const STOPPED_AT_FAILED_STEP =
  /^Took \d+ of \d+ steps?\. Step \d+ (?:of \d+:|was refused|did not have the expected result)/u;

/** A protocol error is an answer, too: hosts show it to their model. */
function refused(error: unknown): Answer {
  return { text: error instanceof Error ? error.message : String(error), pictures: [], ms: 0, isError: true };
}

function parsedObject(json: string): Record<string, unknown> {
  return JSON.parse(json);
}
