/** Rows of a table of cases, by their names. */
export const rowsOf = <Row extends object>(rows: Record<string, Row>): (Row & { name: string })[] =>
  Object.entries(rows).map(([name, row]) => ({ name, ...row }));
