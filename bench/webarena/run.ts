import { tokens } from '../browser/meter.ts';
import type { Answer, Call, Subject } from '../browser/subjects.ts';
import { startApplication } from './application.ts';
import type { Application, Verdict } from './application.ts';
import type { Task } from './tasks.ts';

/** What came of a task, as it is written to the file of results. */
export type Result = Verdict & {
  server: string;
  app: string;
  task: string;
  calls: Call[];
  /** o200k: what a model wrote as calls, and what it read as text of answers. */
  tokensWritten: number;
  tokensRead: number;
  /** Pictures in answers, which are not among the tokens. */
  pictures: number;
  errors: number;
  ms: number;
  /** Why nobody went on before the end was checked; empty when somebody said that it is done. */
  problem: string;
  /** What the endpoint of a model counted, over all requests. */
  usage?: { input: number; output: number };
};

/** Stands for the address of the application in recorded calls, because its port changes. */
const ADDRESS = '{url}';

/** One task with one server, from an application that nobody has used to the verdict. */
export class Run {
  readonly task: Task;
  readonly subject: Subject;
  readonly application: Application;
  readonly result: Result;
  /** What was called and answered, for whoever looks into a failure. */
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

  /** What whoever does the task is told. */
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
    result.errors += answer.isError ? 1 : 0;
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

/** Where the benchmark is, and where its applications listen: one after the other. */
export type Place = { folder: string; port: number };

/** A protocol error is an answer, too: hosts show it to their model. */
function refused(error: unknown): Answer {
  return { text: error instanceof Error ? error.message : String(error), pictures: [], ms: 0, isError: true };
}

function parsedObject(json: string): Record<string, unknown> {
  return JSON.parse(json);
}
