import { sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import { KEYS_BOUND_MAX } from './limits.ts';

/** What follows `IN`: a few values as parameters, because D1 counts the rows of a list that it unpacks as rows read. */
export function listOf(values: readonly string[]): SQL {
  if (values.length > KEYS_BOUND_MAX) return sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`;
  return sql`(${sql.join(
    values.map((value) => sql`${value}`),
    sql`, `,
  )})`;
}
