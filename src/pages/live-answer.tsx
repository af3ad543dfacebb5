import type { Viewport } from '#core/document.ts';
import { inWords, TAKES_FOCUS } from './citation.tsx';
import { Moment } from './moment.tsx';

type Said =
  | { kind: 'unchanged' }
  | { kind: 'same'; lines: Viewport }
  | { kind: 'differs'; parts: readonly { kind: 'same' | 'gone' | 'new'; text: string }[] }
  | { kind: 'gone' }
  | { kind: 'silent' }
  | { kind: 'too_long' };

/** What the live page says of the cited lines. */
export function LiveAnswer({ checkedAt, said }: { checkedAt: number; said: Said }) {
  return (
    <section class="answer" role="status" {...TAKES_FOCUS}>
      <h2>{TITLES[said.kind]}</h2>
      <p>
        <Detail said={said} />
      </p>
      {said.kind === 'differs' ? (
        <p class="diff" lang="">
          {said.parts.map(({ kind, text }) =>
            kind === 'gone' ? <del>{text}</del> : kind === 'new' ? <ins>{text}</ins> : text,
          )}
        </p>
      ) : null}
      <p class="facts">
        Asked <Moment at={checkedAt} precise />
      </p>
    </section>
  );
}

const TITLES: Record<Said['kind'], string> = {
  unchanged: 'Yes, it still says so',
  same: 'Yes, it still says so',
  differs: 'No, it says something else now',
  gone: 'No, it says nothing like it now',
  silent: 'The site does not answer',
  too_long: 'That is too much to compare',
};

function Detail({ said }: { said: Said }) {
  switch (said.kind) {
    case 'unchanged':
      return <>The page has not changed since it was read.</>;
    case 'same':
      return <>The page has changed, but not these words: they are {inWords(said.lines)} of its text now.</>;
    case 'differs':
      return (
        <>
          <del>Struck out</del> is what was cited and is no longer there, <ins>underlined</ins> is what is new.
        </>
      );
    case 'gone':
      return <>Below is what it said when it was read.</>;
    case 'silent':
      return <>Try again later. Below is what the page said when it was read.</>;
    case 'too_long':
      return <>Cite fewer lines: the address of this page ends in the first and the last of them.</>;
  }
}

/** The live page could not be asked. */
export function NoLiveAnswer({ message, hint }: { message: string; hint: string }) {
  return (
    <section class="answer" role="status" {...TAKES_FOCUS}>
      <h2>The live page could not be read</h2>
      <p>{message}</p>
      <p>{hint}</p>
    </section>
  );
}
