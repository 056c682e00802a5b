interface Annotation {
  file: string;
  line: number;
  level: 'error' | 'warning';
  message: string;
}

/**
 * A line by which a workflow on GitHub annotates a line of a file.
 * https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
 */
export function formatAnnotation({ file, line, level, message }: Annotation): string {
  const place = line > 0 ? `,line=${line}` : '';
  return `::${level} file=${escapeProperty(file)}${place}::${escapeMessage(message)}`;
}

/** As GitHub's own toolkit does: https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts */
const escapeMessage = (text: string) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const escapeProperty = (text: string) => escapeMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
