export type Prefix = 'job' | 'run' | 'msg' | 'prj' | 'key' | 'whk' | 'whd';

/** Ask it of what a caller sends, before a query: PostgreSQL throws on some characters. */
export const isId = (prefix: Prefix, text: unknown): text is string =>
  typeof text === 'string' && new RegExp(`^${prefix}_[0-9a-z]{26}$`).test(text);

/** The name of an automation, in the settings and where callers name one. */
export const automationName = /^[a-z0-9-]{1,40}$/;
