import type { Failure, SecretProblem, Words } from './errors.ts';
import { words } from './errors.ts';

type SecretFailure = Extract<Failure, { code: 'unknown_secret' | 'secret_refused' }>;

/** The words for a secret that is not typed. */
export function secretWords(failure: SecretFailure): Words {
  const page = failure.page ?? '/console/secrets on this server';
  if (failure.code === 'unknown_secret') {
    const { name, site, known } = failure;
    const others =
      known.length === 0 ? 'The person has none for this page.' : `For this page the person has ${known.join(', ')}.`;
    return words(
      `The person has no secret "${name}". Nothing was typed. ${others}`,
      `${known.length === 0 ? '' : 'Use one of these. '}The person adds secrets at ${page}, or signs in themselves: browser_handoff.`,
      { name, site, secrets: known },
    );
  }
  const { name, reason, sites } = failure;
  const [problem, hint] = PROBLEMS[reason];
  return words(
    `The secret "${name}" was not typed: ${problem}.`,
    hint.replace('SITES', sites.join(', ')).replace('PAGE', page),
    { name, reason, sites },
  );
}

const PROBLEMS: Record<SecretProblem, [problem: string, hint: string]> = {
  site: [
    'the page with the field is not one of its sites',
    'Its sites are SITES. Open the page there. If the site is right, the person adds it at PAGE.',
  ],
  around: [
    'a page of another site has put the field in a frame',
    'Open the page of the field by itself. Its sites are SITES; the person adds the outer one at PAGE if it is right.',
  ],
  opaque: [
    'the page with the field has no site of its own (a sandboxed frame, about:, data: or blob:)',
    'Open the page of the field by itself, at one of SITES.',
  ],
  field: [
    'this is not a field for passwords, text, e-mail, telephone numbers or numbers',
    'Pass the field itself. Search boxes, addresses and rich text are not taken, as pages show and send what is in them.',
  ],
  form: [
    'its form is sent to another site',
    'Its sites are SITES. If the form may be sent there, the person adds that site at PAGE.',
  ],
  full: [
    'the field does not keep all of it: it takes fewer characters, or the page shortened it, took out signs, or replaced, locked or left the field half-way. What was typed was taken out again',
    'Pass the field that takes all of it, or the first of the boxes for a code. If browser_type was cut off, browser_fill types it at once. Else the person signs in: browser_handoff.',
  ],
  script: [
    'browser_evaluate has run on this site in this session, and what a script left behind could read it',
    'Sign in in another session, and do not use browser_evaluate on this site there. Or end this one with browser_close and begin again.',
  ],
  place: ['no field was named', 'Pass the field as selector: a secret is never typed at whatever has the focus.'],
  sealed: [
    'it was stored under another secret of this server and cannot be opened any more',
    'The person replaces it at PAGE.',
  ],
};
