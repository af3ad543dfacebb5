import { urlOrigin } from '#browsing/ask/question.ts';
import type { ApprovedAct } from './ask-first.ts';
import { asSent } from '#browsing/ask/field-kinds.ts';
import type { ShownValue } from '#browsing/ask/question.ts';
import { oneLine } from '#core/text/text.ts';

/** Maximum values of a request that are shown. */
const VALUES_MAX = 30;
const NAME_CHARS_MAX = 60;
const VALUE_CHARS_MAX = 120;
/** Maximum characters of a body that is read for its values. */
const BODY_CHARS_MAX = 100_000;

export type Held = { url: string; method: string; contentType: string; hasBody: boolean; body: string | null };

/** The form values in a request. Other bodies are not shown, because only the page knows their meaning. */
export function readFormValues({ contentType, body }: Held): ShownValue[] {
  if (body === null || body.length > BODY_CHARS_MAX) return [];
  if (!/^application\/x-www-form-urlencoded\b/iu.test(contentType)) return [];
  const fields = [...new URLSearchParams(body)].slice(0, VALUES_MAX);
  return fields.map(([name, value]) => {
    const { kind } = asSent({ type: 'text', name, label: '', autocomplete: '', value, chars: value.length });
    const shown = kind === 'secret' || SECRET_NAME.test(name) ? null : oneLine(value, VALUE_CHARS_MAX);
    return { name: oneLine(name, NAME_CHARS_MAX), value: shown };
  });
}

const SECRET_NAME = /pass|pwd|secret|token|csrf|pin$|otp|cvc|cvv|card/iu;

/** Describes the request in the server's own words. */
export function requestWords({ method, hasBody }: Held): { act: string; because: string } {
  return {
    act: `Let the page send a ${safeMethod(method)} request`,
    because: hasBody
      ? 'the page sends data after an act of the model that you did not approve'
      : 'the page sends a request to another site after an act of the model that you did not approve',
  };
}

/** Method of a request if it is a known one, because a page may invent a method. */
export function safeMethod(method: string): string {
  return /^[A-Z]{1,10}$/u.test(method) ? method : 'write';
}

/** True for requests to the receiver of an approved act, for a while after the act. */
export function isExplained(
  { url, resourceType }: Held & { resourceType: string },
  approved: ApprovedAct | null,
  now: number,
): boolean {
  if (approved === null || now - approved.at > EXPLAINED_MS) return false;
  const { receiver, only } = approved;
  return only === undefined
    ? urlOrigin(url) === receiver
    : resourceType === 'Document' && url === only.replace(/#.*/su, '');
}

/** Time in which a request counts as an effect of an approved act. */
const EXPLAINED_MS = 5_000;
