import input from '@inquirer/input';
import password from '@inquirer/password';
import { UsageError } from '../usage-error.ts';
import type { Question } from './init.ts';

/** Asks on the terminal. An empty answer to a secret keeps the current one, which is not shown. Throws `UsageError` without a terminal. */
export async function ask({ message, isSecret, current }: Question): Promise<string> {
  if (!process.stdin.isTTY)
    throw new UsageError('this needs a terminal for its questions; or pass --yes and the values');
  try {
    if (!isSecret) return await input({ message, ...(current && { default: current }) });
    const kept = current ? `${message.replace(/ \(.*/, '')} (empty: keep)` : message;
    return (await password({ message: kept, mask: true })) || current;
  } catch (error) {
    if (error instanceof Error && error.name === 'ExitPromptError') throw new UsageError('nothing was written');
    throw error;
  }
}
