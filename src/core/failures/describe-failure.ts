import { mapPageTextsUntyped } from '#core/text/page-texts.ts';
import type { ChangeText } from '#core/text/page-texts.ts';
import type { FailureAdvice, FailureResultFields } from './declare.ts';
import { describeErrorPage } from './declare.ts';
import type { Failure, FailureCode } from './failure.ts';
import { FAILURES } from './failures.ts';
import type { FailureOf } from './failures.ts';

type FailureReport = {
  error: FailureCode | 'element_not_usable';
  message: string;
  hint: string;
  extra: FailureResultFields;
};

export function describeFailure(failure: Failure): FailureReport {
  const [advice, extra = {}] = adviceFor(failure);
  const { errorPage } = failure;
  const hint = errorPage === undefined ? advice : `${advice} ${describeErrorPage(errorPage)}`;
  const described = { error: codeOf(failure), message: failureMessage(failure), hint, extra };
  if (failure.listed !== undefined) {
    const { done, total } = failure.listed;
    if (done >= total)
      return { ...described, hint: `${hint} All steps were done.`, extra: { steps_done: done, ...extra } };
    const goOn = failure.code === 'blocked_by_rule' ? '' : ' Continue with this step.';
    const before = done === 0 ? 'No step was done.' : `The steps before it were done.${goOn}`;
    return { ...described, hint: `${hint} ${before}`, extra: { steps_done: done, ...extra } };
  }
  if (failure.filling === undefined) return described;
  const { set } = failure.filling;
  if (set.length === 0) return { ...described, hint: `${hint} This call set no field.` };
  const before = 'The fields before it are already set. Continue with this field.';
  return { ...described, hint: `${hint} ${before}`, extra: { fields_set: set, ...extra } };
}

/** Error code that a model receives. An element that exists but cannot be used has its own code. */
function codeOf(failure: Failure): FailureReport['error'] {
  const isThere = failure.code === 'element_not_found' && failure.reason !== undefined && failure.reason !== 'replaced';
  return isThere ? 'element_not_usable' : failure.code;
}

export function failureMessage(failure: Failure): string {
  const { filling, listed } = failure;
  const message = messageFor(failure);
  if (listed !== undefined && listed.done >= listed.total)
    return `${listed.total === 1 ? 'After the step' : `After all ${listed.total} steps`}: ${message}`;
  if (listed !== undefined) return `Step ${listed.done + 1} of ${listed.total}: ${message}`;
  if (filling === undefined) return message;
  return `Field ${filling.set.length + 1} of ${filling.total} (${filling.at}): ${message}`;
}

function messageFor<Code extends FailureCode>(failure: FailureOf<Code>): string {
  return FAILURES[failure.code].message(failure);
}

function adviceFor<Code extends FailureCode>(failure: FailureOf<Code>): FailureAdvice {
  return FAILURES[failure.code].advice(failure);
}

export function maskFailureTexts(failure: Failure, mask: ChangeText | undefined): Failure {
  if (mask === undefined) return failure;
  return withTexts(
    failure,
    { code: 'ours', filling: 'page', errorPage: 'ours', ...FAILURES[failure.code].texts },
    mask,
  );
}

/**
 * The implementation is untyped, because the compiler cannot see that both arguments belong to the same failure code.
 */
function withTexts(failure: Failure, texts: unknown, mask: ChangeText): Failure;
function withTexts(failure: unknown, texts: unknown, mask: ChangeText): unknown {
  return mapPageTextsUntyped(failure, texts, mask);
}
