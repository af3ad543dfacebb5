/** One attack and its result. */
export type Try = {
  name: string;
  /** @returns `null` if the attack failed, else a few words on what got through */
  run: () => Promise<string | null>;
};

export type Part = { name: string; tries: readonly Try[] };

/** The result of one try; `detail` says what got through. */
export type Outcome = { part: string; name: string; detail: string | null };

const TRY_MS = 180_000;

/** Runs one try after the other. A try that cannot run counts as failed, because it showed nothing. */
export async function runPart({ name: part, tries }: Part, say: (outcome: Outcome) => void): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const { name, run } of tries) {
    const detail = await within(run).catch((error: unknown) => `could not be tried: ${String(error)}`);
    const outcome = { part, name, detail };
    outcomes.push(outcome);
    say(outcome);
  }
  return outcomes;
}

async function within(run: () => Promise<string | null>): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`no outcome in ${TRY_MS / 1_000} s`), TRY_MS);
  });
  try {
    return await Promise.race([run(), late]);
  } finally {
    clearTimeout(timer);
  }
}
