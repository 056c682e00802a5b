import { showInvisibleOnly } from '../text/invisible.ts';

/** Shows invisible characters, and escapes our elements: text that opened a `<message>` could pass for an instruction from a person. */
export function escapeElements(text: string): string {
  return showInvisibleOnly(text).replace(
    /<(?=\s{0,20}\/?\s{0,20}(?:message|repository-instructions|overview|pull-request|earlier-run|context-repository|change|patch|occasion|issue|failed-checks|thread|excerpt|reply-to))/gi,
    '&lt;',
  );
}

export const oneLine = (text: string) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');

/** A list of paths in Markdown. */
export const listPaths = (paths: readonly string[]) =>
  paths.map((path) => `- ${escapeElements(oneLine(path))}`).join('\n');
