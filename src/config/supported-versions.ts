/** The oldest supported PostgreSQL of an operator's server: 14 to 18 are tested. */
export const oldestPostgres = 14;
