import { InvalidArgumentError } from 'commander';

/** The name of a person or an API key. */
export function parseName(text: string): string {
  const name = text.trim();
  if (!/^\P{C}{1,100}$/u.test(name)) throw new InvalidArgumentError('a name has 1 to 100 printable characters');
  return name;
}
