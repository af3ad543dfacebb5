/** Objects made by an earlier version have the table without it. */
export function addColumn(sql: SqlStorage, table: string, column: string, type: string): void {
  const { there } = sql
    .exec<{ there: number }>(`SELECT count(*) AS there FROM pragma_table_info(?) WHERE name = ?`, table, column)
    .one();
  if (there === 0) sql.exec(`ALTER TABLE ${table} ADD COLUMN ${column} ${type}`);
}
