/** Of a PostgreSQL server of the operator’s own: 14 to 18 are tried. */
export const oldestPostgres = 14;
