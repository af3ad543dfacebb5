import type { Log, MiniflareOptions, WorkerdStructuredLog, WorkerOptions } from 'miniflare';
import type { Bundle } from './bundle.ts';
import { keeper, workflowBindings } from './keeper.ts';
import type { Keeper } from './keeper.ts';
import { readable } from './log-format.ts';
import type { LogFormat } from './log-format.ts';
import { FRAME, sourceLines } from './source-lines.ts';
import { standardError, standardOutput } from './output.ts';
import type { WorkerConfig } from './worker-config.ts';

/** The Worker in workerd, behind a port of this machine. */
export type Runtime = {
  keeper: Keeper;
  /** Stops the Worker immediately, and starts it with these settings over the others. */
  restart: (values: Readonly<Record<string, string>>) => Promise<void>;
  stop: () => Promise<void>;
};

export type RuntimeOptions = {
  config: WorkerConfig;
  bundle: Bundle;
  /** Settings of the Worker over the `vars` of `wrangler.toml`. */
  values: Readonly<Record<string, string>>;
  port: number;
  /** Folder of objects, database and store. */
  data: string;
  /** Port where DevTools can inspect the Worker; none by default. */
  inspectorPort?: number | undefined;
  logFormat: LogFormat;
  /** Takes a log line that is not printed. @returns true if it was such a line */
  takeLine: (message: string) => boolean;
  /** Called after the runtime has crashed and runs again. */
  onCrash: () => void;
};

const HOST = '127.0.0.1';

/** @throws if workerd does not start */
export async function startRuntime(options: RuntimeOptions): Promise<Runtime> {
  const { Miniflare, Log, LogLevel } = await import('miniflare');
  const { worker, ask } = keeper(options.config);
  const inSources = sourceLines(options.bundle.sourceMap);
  const runtimeOptions = (values: RuntimeOptions['values']): MiniflareOptions => ({
    ...SHUT,
    host: HOST,
    ...(options.inspectorPort === undefined ? {} : { inspectorHost: HOST, inspectorPort: options.inspectorPort }),
    resourcePersistencePath: options.data,
    handleStructuredLogs: (log) => {
      if (!options.takeLine(log.message)) printLog(log, options.logFormat, inSources);
    },
    unsafeHandleRuntimeRestart: options.onCrash,
    log: quietLog(Log, LogLevel.WARN),
    // Miniflare's own socket, on an unpublished port, leads to the first Worker. Requests through it take a millisecond
    // longer, and it obeys headers, so Periscope has its own socket.
    workers: [
      worker,
      {
        ...workerOptions({ ...options, values }),
        dev: { unsafeDirectSockets: [{ host: HOST, port: options.port }] },
      },
    ],
  });
  const runtime = new Miniflare(runtimeOptions(options.values));
  await runtime.ready;
  return {
    keeper: ask(runtime),
    restart: (values) => runtime.setOptions(runtimeOptions({ ...options.values, ...values })),
    stop: () => runtime.dispose(),
  };
}

/** The Worker's database while the Worker does not run. Nothing logs, so Miniflare's own handle cannot hang. */
export async function databaseAlone(
  { compatibility_date: compatibilityDate, d1_databases: [database] }: WorkerConfig,
  data: string,
): Promise<{ database: D1Database; stop: () => Promise<void> }> {
  const { Miniflare, Log, LogLevel } = await import('miniflare');
  const binding = 'DB';
  const contents = 'export default { fetch: () => new Response(null, { status: 404 }) };';
  const runtime = new Miniflare({
    ...SHUT,
    host: HOST,
    resourcePersistencePath: data,
    log: quietLog(Log, LogLevel.WARN),
    workers: [
      {
        config: {
          name: 'database',
          compatibilityDate,
          manifest: { mainModule: 'none.js', modules: { 'none.js': { type: 'esm', contents } } },
          env: database === undefined ? {} : { [binding]: { type: 'd1', id: database.database_id } },
        },
      },
    ],
  });
  await runtime.ready;
  return { database: await runtime.getD1Database(binding), stop: () => runtime.dispose() };
}

/** No entry but the port: no registry of Workers with its debugger, no explorer, no test triggers; no request log. */
export const SHUT = {
  enableDevRegistry: false,
  logRequests: false,
  cf: false,
  unsafeTriggerHandlers: false,
  unsafeLocalExplorer: false,
  unsafeObservability: false,
} as const satisfies Partial<MiniflareOptions>;

/** The Worker for miniflare. */
export function workerOptions({
  config,
  bundle: { mainModule, modules },
  values,
}: Pick<RuntimeOptions, 'config' | 'bundle' | 'values'>): WorkerOptions {
  const { name, d1_databases: databases, kv_namespaces: stores, browser, durable_objects: objects, workflows } = config;
  const text = Object.entries({ ...config.vars, ...values }).map(
    ([key, value]) => [key, { type: 'text', value }] as const,
  );
  return {
    config: {
      name,
      compatibilityDate: config.compatibility_date,
      compatibilityFlags: config.compatibility_flags,
      manifest: { mainModule, modules },
      env: {
        ...Object.fromEntries(text),
        ...Object.fromEntries(databases.map(({ binding, database_id: id }) => [binding, { type: 'd1', id } as const])),
        ...Object.fromEntries(stores.map(({ binding, id }) => [binding, { type: 'kv', id } as const])),
        ...Object.fromEntries(
          objects.bindings.map(({ name: binding, class_name: exportName }) => [
            binding,
            { type: 'durable-object', worker: name, exportName } as const,
          ]),
        ),
        ...workflowBindings(config),
        ...(browser === undefined ? {} : { [browser.binding]: { type: 'browser' } as const }),
      },
      exports: {
        ...Object.fromEntries(
          config.migrations
            .flatMap(({ new_sqlite_classes: classes }) => classes)
            .map((className) => [className, { type: 'durable-object', storage: 'sqlite' } as const]),
        ),
        ...Object.fromEntries(
          workflows.map(({ class_name: className, name: workflow }) => [
            className,
            { type: 'workflow', name: workflow } as const,
          ]),
        ),
      },
    },
  };
}

/**
 * Lines in which workerd repeats what it has already reported to the Worker, such as a host name that cannot be
 * resolved, as addresses in its own binary. The call has already been answered and logged with a named error.
 */
const NARRATION = /^(?:e = .*|stack: .*|)$/;

function printLog({ level, message }: WorkerdStructuredLog, format: LogFormat, inSources: (line: string) => string) {
  const isTrouble = level === 'error' || level === 'warn';
  const said = isTrouble ? linesToPrint(message).map(inSources) : [message];
  const lines = format === 'json' ? said : said.map(readable).filter((line) => line !== null);
  if (lines.length > 0) (isTrouble ? standardError : standardOutput).print(lines.join('\n'));
}

/** Workerd's words for an uncaught error, up to the name of the error. Its message follows. */
const UNCAUGHT = /^uncaught exception; (?:source|exception) = .*?\b(\w*(?:Error|Exception|Failed))\b/;
/** This message quotes a header, which a site has made up. */
const QUOTED_HEADER = /^A header value for "[\w-]+" contains non-ASCII characters/;

/**
 * The printable part of a runtime message: lines of the Worker unchanged, and only those of the runtime that cannot
 * quote a page or an argument.
 */
export function linesToPrint(message: string): string[] {
  const [first = '', ...rest] = message.split('\n').filter((line) => !NARRATION.test(line));
  const uncaught = first.startsWith('uncaught exception; ') ? (UNCAUGHT.exec(first)?.[1] ?? 'unknown') : null;
  if (uncaught !== null) return [`uncaught exception: ${uncaught}`, ...rest.filter((line) => FRAME.test(line))];
  const header = QUOTED_HEADER.exec(first);
  if (header !== null) return [`${header[0]}.`];
  return first === '' ? rest : [first, ...rest];
}

/** Miniflare's own log. Its default class writes to the console, which may block. */
function quietLog(Base: typeof Log, level: Log['level']): Log {
  return new (class extends Base {
    protected override log(message: string): void {
      standardError.print(message);
    }
  })(level);
}
