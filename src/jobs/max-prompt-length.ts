/**
 * The most characters of a prompt. The API refuses a longer one and counts code points, as JSON Schema does; a comment is cut instead, at as
 * many UTF-16 units, which are never more.
 */
export const maxPromptLength = 32_000;
