/** Text from outside as PostgreSQL's jsonb can hold it: no NUL, no lone surrogates. https://www.postgresql.org/docs/current/datatype-json.html */
export const storableText = (text: string) => text.toWellFormed().replaceAll('\0', '\uFFFD');
