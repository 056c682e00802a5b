import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';

export const settingsPath = '.github/pagewright.yml';
const megabyte = 1024 ** 2;
const sources = 2_000;
const commits = 20;

/**
 * Fills `main` of a bare repository with 2,000 files of code, and with pictures that no packing makes smaller: each of 20 commits has new ones.
 * `keeps`: beside the earlier ones, not in their place. It lets the documentation read it.
 */
export async function fillRepository(
  gitDir: string,
  { megabytes, keeps, documentation }: { megabytes: number; keeps: boolean; documentation: string },
): Promise<void> {
  const git = spawn('git', ['--git-dir', gitDir, '-c', 'pack.compression=0', 'fast-import', '--quiet'], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const ended = once(git, 'exit');
  const write = async (bytes: string | Uint8Array) => {
    if (!git.stdin.write(bytes)) await once(git.stdin, 'drain');
  };
  const writeFile = async (path: string, bytes: Uint8Array) => {
    await write(`M 100644 inline ${path}\ndata ${bytes.length}\n`);
    await write(bytes);
    await write('\n');
  };
  for (let nth = 0; nth < commits; nth += 1) {
    await write(`commit refs/heads/main\ncommitter Rita <rita@acme.example> ${1_700_000_000 + nth} +0000\n`);
    await write(`data 6\nChange\n`);
    if (nth === 0) {
      await writeFile(settingsPath, Buffer.from(`documentation: ${documentation}\n`));
      for (let file = 0; file < sources; file += 1)
        await writeFile(`src/part-${file % 40}/file-${file}.ts`, Buffer.from(`export const value${file} = ${file};\n`));
    }
    for (let file = 0; file < megabytes / commits; file += 1)
      await writeFile(`media/${keeps ? `${nth}-` : ''}${file}.png`, randomBytes(megabyte));
  }
  git.stdin.end();
  const [code] = await ended;
  if (code !== 0) throw new Error(`git fast-import ended with ${code}`);
}
