import { typeid } from 'typeid-js';
import type { Prefix } from './ids.ts';

/** A TypeID: the prefix and a time-ordered UUID. https://github.com/jetify-com/typeid/tree/main/spec */
export const createId = (prefix: Prefix): string => typeid(prefix).toString();
