/** Rows of a table of cases, by their names. */
export const rowsOf = <Row extends object>(rows: Record<string, Row>): (Row & { name: string })[] =>
  Object.entries(rows).map(([name, row]) => ({ name, ...row }));

/** The same for rows without names of their columns. */
export const tuplesOf = <Row extends unknown[]>(rows: Record<string, Row>): [string, ...Row][] =>
  Object.entries(rows).map(([name, row]) => [name, ...row]);
