import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createRandom } from '../../../harness/trials/random.ts';
import { measureDirectory } from '../../../src/disk/directory-size.ts';
import { createMirrorDirectory } from '../../../src/git/mirrors/mirror-directory.ts';
import { createMirrorUpkeep } from '../../../src/git/mirrors/mirror-upkeep.ts';
import { type Figure, formatMs } from '../../figures/figure.ts';
import { time } from '../../figures/time.ts';
import { openCheckouts } from '../../world/open-checkouts.ts';

/** Pages are edited again and again, and pictures replaced. */
const shapes = [
  { pages: 300, pictures: 0, commits: 200 },
  { pages: 1_500, pictures: 0, commits: 2_000 },
  { pages: 1_000, pictures: 60, commits: 1_500 },
];
const mirrorCount = 1_000;

type Checkouts = Awaited<ReturnType<typeof openCheckouts>>;

/** Whole and blobless mirrors: the first job's files, the mirror's size, and the next job's files. Then eviction among a thousand mirrors. */
export async function benchMirrors(): Promise<Figure[]> {
  await using world = await openCheckouts();
  const figures: Figure[] = [];
  for (const shape of shapes) figures.push(...(await compare(world, shape)));
  return [...figures, ...(await measureEviction(world))];
}

async function compare(world: Checkouts, shape: (typeof shapes)[number]): Promise<Figure[]> {
  const { pages, pictures, commits } = shape;
  const repository = await world.addRepository(`docs-${pages}-${commits}`, { 'README.md': '# Docs\n' });
  const { gitDirectory: gitDir } = repository;
  const { git, signal } = world;
  const timeoutMs = 300_000;
  await git(['fast-import', '--quiet', '--force'], { gitDir, signal, timeoutMs, stdin: writeHistory(shape) });
  await git(['repack', '-a', '-d', '--quiet'], { gitDir, signal, timeoutMs });
  const machines = [
    ['whole', 0],
    ['blobless', Number.MAX_SAFE_INTEGER],
  ] as const;
  const measured = machines.map(([kind, bytes]) => {
    const machine = `${kind}-${repository.repositoryId}`;
    const open = world.createOpen(machine, { bytes });
    const measure = () => time(async () => (await open(repository))[Symbol.asyncDispose]());
    return { kind, measure, mirrors: join(world.directory, machine, 'mirrors') };
  });
  const figures: Figure[] = [];
  for (const { kind, measure, mirrors } of measured) {
    const first = await measure();
    const megabytes = (await measureDirectory(mirrors)) / 1e6;
    await world.rita.pushCommit(repository.fullName, 'main', { 'docs/new.md': `${kind}\n` }, 'Move the base');
    figures.push({
      what: `${pages} pages, ${pictures} pictures, ${commits} commits: ${kind}`,
      measured: `first job ${formatMs(first)}, mirror ${megabytes.toFixed(1)} MB, next job ${formatMs(await measure())}`,
    });
  }
  return figures;
}

/** For git fast-import. */
function writeHistory({ pages, pictures, commits }: (typeof shapes)[number]): Buffer {
  const random = createRandom(1);
  const below = (count: number) => Math.floor(random.between(0, count));
  const parts: Uint8Array[] = [];
  const put = (text: string) => parts.push(Buffer.from(text));
  const putData = (bytes: Uint8Array) => {
    put(`data ${bytes.length}\n`);
    parts.push(bytes);
    put('\n');
  };
  const writeLine = (seed: string) =>
    createHash('sha256')
      .update(seed)
      .digest('hex')
      .replaceAll(/(.{5})/g, '$1 ');
  const texts = Array.from({ length: pages }, (_, page) =>
    Array.from({ length: 60 }, (_line, line) => writeLine(`${page} ${line}`)),
  );
  const putPage = (page: number) => {
    put(`M 100644 inline docs/${page % 50}/${page}.md\n`);
    putData(Buffer.from(`${texts[page]?.join('\n')}\n`));
  };
  // Like a picture, it does not compress.
  const putPicture = (picture: number, seed: string) => {
    const block = createHash('sha512').update(`${picture} ${seed}`).digest();
    put(`M 100644 inline images/${picture}.png\n`);
    putData(
      Buffer.concat(
        Array.from({ length: 800 }, (_, index) => createHash('sha512').update(block).update(`${index}`).digest()),
      ),
    );
  };
  for (let commit = 0; commit < commits; commit += 1) {
    put(`commit refs/heads/main\ncommitter A <a@example.com> ${1_700_000_000 + commit} +0000\n`);
    putData(Buffer.from(`Change ${commit}`));
    if (commit === 0) {
      for (let page = 0; page < pages; page += 1) putPage(page);
      for (let picture = 0; picture < pictures; picture += 1) putPicture(picture, 'first');
      continue;
    }
    for (let edit = 0; edit < 3; edit += 1) {
      const page = below(pages);
      const lines = texts[page] ?? [];
      for (let line = 0; line < 4; line += 1) lines[below(lines.length)] = writeLine(`${commit} ${edit} ${line}`);
      putPage(page);
    }
    if (pictures > 0 && commit % 5 === 0) putPicture(below(pictures), `${commit}`);
  }
  return Buffer.concat(parts);
}

async function measureEviction({ git, directory: root, signal }: Checkouts): Promise<Figure[]> {
  const directory = join(root, 'thousand');
  const mirrors = createMirrorDirectory({ git, directory });
  for (let repositoryId = 1; repositoryId <= mirrorCount; repositoryId += 1) {
    const gitDir = mirrors.pathOf(repositoryId);
    for (let folder = 0; folder < 10; folder += 1) {
      const objects = join(gitDir, 'objects', folder.toString(16).padStart(2, '0'));
      await mkdir(objects, { recursive: true });
      for (let file = 0; file < 2; file += 1) await writeFile(join(objects, String(file)), 'x'.repeat(100));
    }
    await writeFile(join(gitDir, 'pagewright-bytes'), '1');
  }
  const { evict } = createMirrorUpkeep({ git, mirrors, maxBytes: Number.MAX_SAFE_INTEGER });
  const first = await time(evict);
  (await mirrors.use(1, signal))[Symbol.dispose]();
  const next = await time(evict);
  return [
    {
      what: `deciding which of ${mirrorCount} mirrors to evict`,
      measured: `${formatMs(first)} the first time, ${formatMs(next)} after one was used`,
    },
  ];
}
