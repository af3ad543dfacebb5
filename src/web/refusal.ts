import { describeFailure } from '#core/failures/describe-failure.ts';
import { failureIn } from '#core/failures/failure.ts';
import type { Failure } from '#core/failures/failure.ts';

/** Why something was not done, in words for a page; `null` when it was. Failures of the platform have a page of their own. */
export async function refusalOf(work: () => Promise<string | null>): Promise<string | null> {
  try {
    return await work();
  } catch (error) {
    const failure = failureIn(error);
    if (failure === null) throw error;
    return describeFailure(failure).message;
  }
}

/** Over a page that could not be made because a part of the platform failed. */
export const FAILED_TITLE = 'This does not work right now';

/** @param next what the person can do */
export function failedText(failure: Failure, next: string): string {
  return `${describeFailure(failure).message} ${next}`;
}
