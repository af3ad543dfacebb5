import type { Tab } from '#browsing/tabs/tab.ts';
import { fail } from '#core/errors.ts';

/**
 * A selector that matches a part of an attribute could find out, letter by letter, what a field holds, or what a page made
 * of a secret.
 * @throws {PeriscopeError} `invalid_argument` for one, where there is something that is not told
 */
export function refuseGuess(selector: string, tab: Tab): void {
  if (!/[~|^$*](?:\s|\/\*.*?\*\/)*=/s.test(selector)) return;
  if (!tab.session.hides && !tab.frames().some(({ loaderId }) => tab.typedIn.has(loaderId))) return;
  fail({
    code: 'invalid_argument',
    field: 'selector',
    problem: 'compares a part of an attribute, where a person or a secret has typed what is not told',
    hint: 'Call browser_snapshot and pass one of its refs, or a selector with whole attributes.',
  });
}
