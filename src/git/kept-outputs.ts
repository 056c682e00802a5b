import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** Longer outputs are rare, and would take the place of many. */
const maxOutputBytes = 4 * 1024 ** 2;
const maxBytes = 16 * 1024 ** 2;

interface KeptOutput {
  code: number;
  stdout: Buffer;
}

interface CommandOptions {
  gitDir?: string;
  stdin?: string | Uint8Array;
  env?: Record<string, string>;
}

/** Caches the output of commands that always print the same. The caller owns the result, and may move it to a thread. */
export function createKeptOutputs() {
  const kept = new LRUCache<string, KeptOutput>({
    maxSize: maxBytes,
    maxEntrySize: maxOutputBytes,
    sizeCalculation: ({ stdout }, key) => stdout.byteLength + key.length + 1,
  });
  return {
    find(args: readonly string[], options: CommandOptions): KeptOutput | undefined {
      const found = kept.get(nameCommand(args, options));
      return found && { code: found.code, stdout: Buffer.from(found.stdout) };
    },
    /** Not the failure of a command: an object that was missing may be there the next time. */
    keep(args: readonly string[], options: CommandOptions, { code, stdout }: KeptOutput): void {
      if (code > 1 || stdout.byteLength > maxOutputBytes) return;
      kept.set(nameCommand(args, options), { code, stdout: Buffer.from(stdout) });
    },
  };
}

const nameCommand = (args: readonly string[], { gitDir, stdin = '', env }: CommandOptions): string =>
  createHash('sha256')
    .update(JSON.stringify([gitDir, args, env]))
    .update(stdin)
    .digest('base64');
