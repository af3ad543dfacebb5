import type { Subject } from '../browser/subjects.ts';
import { summarise } from '../spine/stats.ts';
import { STEPS } from './steps.ts';
import type { Found, Place, Step } from './steps.ts';

/** Times of one tool in milliseconds, measured by the client. */
export type ToolTimes =
  | { tool: string; cold: number; warm: { p50: number; p95: number }; calls: number }
  /** Not measured. */
  | { tool: string; why: string };

const REASON_CHARS = 160;

/** Calls every tool once cold and `calls` times warm, one call after the other. */
export async function measureTools(
  subject: Pick<Subject, 'call' | 'told'>,
  place: Place,
  calls: number,
  tell: (times: ToolTimes) => void,
): Promise<ToolTimes[]> {
  const offered = new Set((await subject.told()).tools.map(({ name }) => name));
  const found: Found = { cursor: '', results: '', snapshot: '' };
  const all: ToolTimes[] = [];
  for (const step of STEPS) {
    const times = offered.has(step.tool)
      ? await measureTool(subject, step, found, place, calls)
      : { tool: step.tool, why: 'this token is not offered it' };
    tell(times);
    all.push(times);
  }
  return all;
}

async function measureTool(
  subject: Pick<Subject, 'call'>,
  { tool, args, keep, before }: Step,
  found: Found,
  place: Place,
  calls: number,
): Promise<ToolTimes> {
  const times: number[] = [];
  for (let round = 0; round <= calls; round += 1) {
    if (round > 0 && before !== undefined) await subject.call(before);
    const { ms, isError, text } = await subject.call({ tool, args: args(found, place, round) }).catch(refused);
    if (isError) return { tool, why: text.replaceAll('\n', ' ').slice(0, REASON_CHARS) };
    if (round === 0) keep?.(text, found);
    times.push(ms);
  }
  const [cold = Number.NaN, ...warm] = times;
  const { p50, p95 } = summarise(warm);
  return { tool, cold: Math.round(cold), warm: { p50, p95 }, calls };
}

/** A protocol error also counts as an answer, of a tool that cannot be measured. */
function refused(error: unknown) {
  return { ms: 0, isError: true, text: error instanceof Error ? error.message : String(error) };
}
