import { RE2JS } from 're2js';
import { fail } from '#core/errors.ts';
import {
  FIND_MATCHES_MAX,
  FIND_PATTERN_CHARS_MAX,
  FIND_PREVIEW_CHARS_MAX,
  FIND_PROGRAM_SIZE_MAX,
  FIND_WORK_MAX,
} from '#core/limits.ts';
import { oneLine } from '#core/text.ts';

export type Match = { loc: number; preview: string };

export type FindResult = {
  /** The first `FIND_MATCHES_MAX` matching lines. */
  matches: Match[];
  /** All matching lines among those searched. */
  total: number;
  /** First line that was not searched because the work budget ran out, or `null` when the whole text was. */
  stoppedAt: number | null;
};

type LineMatcher = {
  /** Position of the first match in the line, or -1. */
  indexIn: (line: string) => number;
  /** Work units a character costs: the size of the compiled program. */
  cost: number;
};

/**
 * Compiles a pattern once. Literal patterns ignore case; regular expressions run on a linear-time engine (RE2 syntax),
 * so no pattern can backtrack.
 * @throws {PeriscopeError} `invalid_argument` for an empty, overlong, malformed or oversized pattern
 */
export function compilePattern(pattern: string, isRegex: boolean): LineMatcher {
  if (pattern === '') refuse('must not be empty', 'Pass the text to look for.');
  if (pattern.length > FIND_PATTERN_CHARS_MAX) {
    refuse(`must be at most ${FIND_PATTERN_CHARS_MAX} characters`, 'Look for a shorter, distinctive part of the text.');
  }
  return isRegex ? regexMatcher(pattern) : literalMatcher(pattern);
}

/** Searches a document chunk by chunk within a work budget; one entry per matching line. */
export async function findMatches(
  chunks: AsyncIterable<{ firstLine: number; lines: readonly string[] }>,
  matcher: LineMatcher,
): Promise<FindResult> {
  const matches: Match[] = [];
  let total = 0;
  let work = 0;
  for await (const { firstLine, lines } of chunks) {
    for (const [offset, line] of lines.entries()) {
      work += (line.length + 1) * matcher.cost;
      if (work > FIND_WORK_MAX) return { matches, total, stoppedAt: firstLine + offset };
      const at = matcher.indexIn(line);
      if (at < 0) continue;
      total += 1;
      if (matches.length < FIND_MATCHES_MAX) matches.push({ loc: firstLine + offset, preview: previewOf(line, at) });
    }
  }
  return { matches, total, stoppedAt: null };
}

function literalMatcher(pattern: string): LineMatcher {
  const wanted = pattern.toLowerCase();
  return { indexIn: (line) => line.toLowerCase().indexOf(wanted), cost: 1 };
}

function regexMatcher(pattern: string): LineMatcher {
  const program = compileRegex(pattern);
  const size = program.programSize();
  if (size > FIND_PROGRAM_SIZE_MAX) {
    refuse('is too large once its repetitions are expanded', 'Use smaller repetition counts, such as {1,20}.');
  }
  return {
    indexIn: (line) => {
      const matcher = program.matcher(line);
      return matcher.find() ? matcher.start() : -1;
    },
    cost: size,
  };
}

function compileRegex(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern);
  } catch {
    return refuse(
      'is not a regular expression that can be used here',
      'Use RE2 syntax: no look-around and no back-references; write (?i) first to ignore case; or set is_regex to false to look for the text as it is.',
    );
  }
}

function refuse(problem: string, hint: string): never {
  return fail({ code: 'invalid_argument', field: 'pattern', problem, hint });
}

/** The line around the match, so that a hit far into a long line is seen. */
function previewOf(line: string, at: number): string {
  const lead = Math.floor(FIND_PREVIEW_CHARS_MAX / 3);
  if (line.length <= FIND_PREVIEW_CHARS_MAX || at <= lead) return oneLine(line, FIND_PREVIEW_CHARS_MAX);
  return `…${oneLine(line.slice(at - lead), FIND_PREVIEW_CHARS_MAX - 1)}`;
}
