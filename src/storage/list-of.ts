import { sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';

/** Maximum length of a list whose entries are bound as single parameters. A statement allows a hundred. */
const KEYS_BOUND_MAX = 8;

/**
 * The operand of SQL `IN`. A few values become parameters, because D1 counts the rows of an unpacked JSON list as rows
 * read.
 */
export function listOf(values: readonly string[]): SQL {
  if (values.length > KEYS_BOUND_MAX) return sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`;
  return sql`(${sql.join(
    values.map((value) => sql`${value}`),
    sql`, `,
  )})`;
}
