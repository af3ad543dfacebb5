import { describe, expect, it } from 'vitest';
import { SentViewMemory } from '#browsing/session/sent-views.ts';
import type { View } from '#browsing/view/view.ts';

const LONG = Array.from({ length: 40 }, (_, at) => `@e${at} button "Open boat ${at}"`).join('\n');
const OTHER = LONG.replace('boat 7', 'boat 70');
const view = (text: string): View => ({ text, shown: 40, total: 40, next: null });
const tabOn = (loaderId: string) => ({ id: 't1', main: () => ({ loaderId }) });

/** A call that sends a view, or is refused after it was made. */
function send(sent: SentViewMemory, text: string, { tab = TAB, fails = false } = {}): View {
  sent.beginCall();
  const shown = sent.once(tab, view(text));
  if (!fails) sent.endCall();
  return shown;
}

const TAB = tabOn('L1');

describe('a view that is sent', () => {
  it('is not sent twice in a row, and reports since when it is the same', () => {
    const sent = new SentViewMemory();
    expect(send(sent, LONG)).toEqual(view(LONG));
    sent.beginCall();
    sent.endCall();
    expect(send(sent, LONG)).toEqual({ ...view(''), shown: 0, sameFor: 2 });
  });

  it('is not sent again in part, with its known parts folded, unless that part has further lines', () => {
    const sent = new SentViewMemory();
    send(sent, LONG);
    const folded = `${LONG.split('\n').slice(0, 20).join('\n')}\nnav (20 lines as shown before)`;
    sent.beginCall();
    expect(sent.once(TAB, view(`${folded}\n@e90 button "Below"`), LONG).text).not.toBe('');
    sent.endCall();
    sent.beginCall();
    expect(sent.once(TAB, view(folded), LONG)).toMatchObject({ text: '', sameFor: 1 });
  });

  it('is sent again to a caller that asks again', () => {
    const sent = new SentViewMemory();
    send(sent, LONG);
    expect(send(sent, LONG).sameFor).toBe(1);
    expect(send(sent, LONG).text).toBe(LONG);
    expect(send(sent, LONG).sameFor).toBe(1);
  });

  it('is always sent to a caller that asks for it, and counts as sent', () => {
    const sent = new SentViewMemory();
    for (let time = 0; time < 2; time += 1) {
      sent.beginCall();
      expect(sent.asked(TAB, view(LONG))).toEqual(view(LONG));
      sent.endCall();
    }
    expect(send(sent, LONG).sameFor).toBe(1);
  });

  it('is sent after another one, from another tab, or if the first was never sent', () => {
    const sent = new SentViewMemory();
    send(sent, LONG);
    expect(send(sent, OTHER).text).toBe(OTHER);
    expect(send(sent, LONG).text).toBe(LONG);
    expect(send(sent, LONG, { tab: { ...TAB, id: 't2' } }).text).toBe(LONG);
    const refused = new SentViewMemory();
    send(refused, LONG, { fails: true });
    expect(send(refused, LONG).text).toBe(LONG);
  });

  it('is sent each time if it is short', () => {
    const sent = new SentViewMemory();
    send(sent, 'A page');
    expect(send(sent, 'A page').text).toBe('A page');
  });

  describe('in an error', () => {
    const inError = (sent: SentViewMemory, text: string, tab = TAB) => {
      sent.beginCall();
      return sent.isNewInError(tab, text);
    };

    it('is left out if the last answer with a view has all of it', () => {
      const sent = new SentViewMemory();
      send(sent, LONG);
      expect(inError(sent, LONG)).toBe(false);
      expect(inError(sent, LONG.split('\n').slice(0, 20).join('\n'))).toBe(false);
    });

    it('is sent once, although its call fails', () => {
      const sent = new SentViewMemory();
      expect([inError(sent, LONG), inError(sent, LONG)]).toEqual([true, false]);
      expect(send(sent, LONG).sameFor).toBe(2);
    });

    it('is not sent again, whole or folded, by the list of steps that it ends', () => {
      const sent = new SentViewMemory();
      expect(inError(sent, LONG)).toBe(true);
      const folded = `${LONG.split('\n').slice(0, 20).join('\n')}\nnav (20 lines as shown before)`;
      expect(sent.once(TAB, view(folded), LONG)).toMatchObject({ text: '', sameFor: 0 });
    });

    it('is known from a view whose known parts were folded', () => {
      const sent = new SentViewMemory();
      sent.beginCall();
      sent.once(TAB, view(LONG.split('\n').slice(0, 20).join('\n')), LONG);
      sent.endCall();
      expect(inError(sent, LONG)).toBe(false);
    });

    it('is sent if it has a new line, comes from another tab, or is short', () => {
      const sent = new SentViewMemory();
      send(sent, LONG);
      expect(inError(sent, LONG, { ...TAB, id: 't2' })).toBe(true);
      expect(inError(sent, OTHER)).toBe(true);
      expect([inError(sent, 'A page'), inError(sent, 'A page')]).toEqual([true, true]);
    });
  });

  it('makes its lines known until another document is shown', () => {
    const sent = new SentViewMemory();
    let loaderId = 'L1';
    const tab = { id: 't1', main: () => ({ loaderId }) };
    send(sent, '  @e1 link "Home"\nWelcome', { tab });
    expect([...sent.linesOf(tab)]).toEqual(['@e1 link "Home"', 'Welcome']);
    loaderId = 'L2';
    expect([...sent.linesOf(tab)]).toEqual([]);
  });
});
