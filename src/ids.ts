import { typeid } from 'typeid-js';

type Prefix = 'job' | 'run' | 'msg' | 'prj' | 'key' | 'whk' | 'whd';

/** A TypeID: the prefix and a time-ordered UUID. https://github.com/jetify-com/typeid/tree/main/spec */
export const createId = (prefix: Prefix): string => typeid(prefix).toString();

/** Ask it of what a caller sends, before a query: PostgreSQL throws on some characters. */
export const isId = (prefix: Prefix, text: unknown): text is string =>
  typeof text === 'string' && new RegExp(`^${prefix}_[0-9a-z]{26}$`).test(text);
