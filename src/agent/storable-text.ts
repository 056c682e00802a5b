/** Text from outside that PostgreSQL and git can hold: no NUL, no lone surrogates. https://www.postgresql.org/docs/current/datatype-json.html */
export const storableText = (text: string) => text.toWellFormed().replaceAll('\0', '\uFFFD');
