import type { Comment } from '@babel/types';

/** Comments that compilers, linters, bundlers and editors obey. */
const directives = [
  /@ts-|@jsx|@flow|@vite|@license|@preserve|@cc_on|[#@]__|<\s*(?:reference|amd-)|source(?:Mapping)?URL|@(?:jest|vitest)-/i,
  /(?:eslint|tslint|oxlint|biome|prettier|stylelint|deno|rome|cspell|istanbul|v8|c8|node:coverage)(?:-|:|\s+(?:ignore|disable|enable))/i,
  /(?:webpack|turbopack|rspack)[A-Z]/,
  /^\s*(?:eslint|jshint|jslint|globals?|exported)\s/i,
];

/** Includes `<!--`, which is a comment in scripts and code in modules. */
export const listDirectiveComments = (comments: readonly Comment[], text: string): string[] =>
  comments.flatMap(({ value, start }) =>
    text[start ?? 0] !== '/' || directives.some((pattern) => pattern.test(value)) ? [value.trim()] : [],
  );

/** Characters that end a line for some parsers, are invisible, or reorder text. Without two joiners, which scripts need. */
const odd = /[^\P{Cc}\n\t]|[\u061C\u200B\u2028-\u202E\u2060-\u2069\uFEFF]/gu;

/** A line break is `\n` or `\r\n`. */
export const listOddCharacters = (text: string): string[] => text.replaceAll('\r\n', '\n').match(odd) ?? [];
