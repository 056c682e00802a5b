import { readFile } from 'node:fs/promises';
import { readRepositorySettings } from '../projects/read-repository-settings.ts';
import type { CheckSettingsCommand } from './check-commands.ts';
import { formatAnnotation } from './format-problems.ts';
import { UsageError } from './report-usage.ts';

/** Fails if there is a mistake. */
export async function checkSettings(options: CheckSettingsCommand): Promise<{ text: string; hasFailed: boolean }> {
  const { file, format } = options;
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(
      `could not read ${file}: ${error.code === 'ENOENT' ? 'there is no such file' : error.message}`,
    );
  });
  const { problems } = readRepositorySettings(text);
  const lines = problems.map((problem) =>
    format === 'github'
      ? formatAnnotation({ file, line: findLine(problem), level: 'error', message: problem })
      : `${file}: ${problem}`,
  );
  const end =
    problems.length === 0 ? `${file} has no mistakes` : 'While the file has a mistake, Pagewright ignores all of it.';
  return { text: `${[...lines, end].join('\n')}\n`, hasFailed: problems.length > 0 };
}

/** The line that the problem itself names. */
const findLine = (problem: string) => Number(/\blines? (\d+)/i.exec(problem)?.[1] ?? 1);
