/** Of a PostgreSQL server of the operator’s own: 15 and 18 are tested. */
export const oldestPostgres = 15;
