import { describeFailure } from '#core/describe-failure.ts';
import type { Failure } from '#core/errors.ts';

/** Over a page that could not be made because a part of the platform failed. */
export const FAILED_TITLE = 'This does not work right now';

/** @param next what the person can do */
export function failedText(failure: Failure, next: string): string {
  return `${describeFailure(failure).message} ${next}`;
}
