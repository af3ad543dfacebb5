import { TURN_CHARS_MIN } from '#reading/limits.ts';
import type { InTurn } from '#core/flow/turns.ts';
import { extract } from '#extract/extract.ts';
import type { Extracted, ExtractInput } from '#extract/extractor.ts';

/**
 * Extraction, one at a time in an isolate. A short text goes past those who wait; a short file may be long to read.
 * @throws {PeriscopeError} `extract_failed` when nothing is readable
 * @throws the signal's reason when it fires while the call waits for its turn
 */
export async function extractInTurn(input: ExtractInput, signal: AbortSignal, inTurn: InTurn): Promise<Extracted> {
  const isShort = input.text !== '' && input.text.length < TURN_CHARS_MIN;
  return isShort ? extract(input) : inTurn(signal, (pause) => extract({ ...input, pause }));
}
