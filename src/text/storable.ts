/** PostgreSQL's JSON refuses other text: https://www.postgresql.org/docs/current/datatype-json.html */
export const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD');
