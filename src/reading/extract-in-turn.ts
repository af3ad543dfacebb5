import { TURN_CHARS_MIN } from './limits.ts';
import type { InTurn } from '#core/turns.ts';
import type { Extracted, ExtractInput } from '#extract/extractor.ts';

export type Extract = (input: ExtractInput, signal: AbortSignal) => Promise<Extracted>;

/**
 * Extraction, one at a time in an isolate. A short text goes past those who wait; a short file may be long to read.
 * @throws the signal's reason when it fires while the call waits for its turn
 */
export function extractInTurn(extract: (input: ExtractInput) => Promise<Extracted>, inTurn: InTurn): Extract {
  return async (input, signal) => {
    const isShort = input.text !== '' && input.text.length < TURN_CHARS_MIN;
    return isShort ? extract(input) : inTurn(signal, (pause) => extract({ ...input, pause }));
  };
}
