import type { Finish } from '../../agent/finish.ts';
import { isOpenToReaders } from '../../context/find-consent.ts';
import { checkPath } from '../../git/check-path.ts';
import { readObject } from '../../git/read-blobs.ts';
import type { Repository } from '../../github/calls/repository.ts';
import type { OpenRepository } from '../checkout.ts';
import type { Evidence } from '../publication.ts';
import { type CheckedOutRun, inMirror } from '../run-context.ts';

type Given = NonNullable<Finish['evidence']>[number];

const maxEvidence = 100;
const maxReadBytes = 2 * 1024 ** 2;

/** The places that exist, and for the model what is wrong with the others. */
export async function checkEvidence(
  context: CheckedOutRun,
  given: readonly Given[],
  signal: AbortSignal,
): Promise<{ evidence: Evidence[]; problems: string[] }> {
  const evidence: Evidence[] = [];
  const problems: string[] = [];
  for (const each of given.slice(0, maxEvidence)) {
    const checked = await checkOne(context, each, signal);
    if (typeof checked === 'string') problems.push(checked);
    else evidence.push(checked);
  }
  return { evidence, problems };
}

async function checkOne(context: CheckedOutRun, given: Given, signal: AbortSignal): Promise<Evidence | string> {
  const { checkout, parts } = context;
  const lines = readLines(given.lines);
  if (lines === undefined) return `${shown(given.path)}: lines are given like 12 or 12-20`;
  const place = findPlace(context, given.path);
  const obstacle = place.there && (await checkout.contextRepositories.findObstacle(place.there, signal));
  if (obstacle !== undefined) return `${shown(given.path)}: ${obstacle}`;
  const count = await countLines(context, place, signal);
  if (count === undefined) return `there is no file ${shown(given.path)} at the commit that was read`;
  if (lines !== null && lines.to > count)
    return `${shown(given.path)} has only ${count === 1 ? '1 line' : `${count} lines`}`;
  const { owner, repo } = place.repository;
  const isShown = place.there === undefined || isOpenToReaders(place.repository, checkout.repository);
  const fragment = lines === null ? '' : lines.from === lines.to ? `#L${lines.from}` : `#L${lines.from}-L${lines.to}`;
  return {
    page: given.page,
    claim: given.claim,
    repository: `${owner}/${repo}`,
    path: place.path,
    lines,
    commit: place.sha,
    url: `${parts.webUrl}/${owner}/${repo}/blob/${place.sha}/${encodePath(place.path)}${fragment}`,
    isShown,
  };
}

interface Place {
  repository: Repository;
  sha: string;
  path: string;
  /** undefined: this repository. */
  there: OpenRepository | undefined;
}

/** `@acme/api/src/a.ts`, also without the @; other paths are in this repository. */
function findPlace({ checkout }: CheckedOutRun, given: string): Place {
  const plain = given.trim().replace(/^(?:\.?\/)+/, '');
  const isHere = !plain.startsWith('@') && checkout.workspace.listFiles().includes(plain);
  const inside = plain.replace(/^@/, '');
  for (const there of isHere ? [] : checkout.contextRepositories.opened) {
    for (const name of [there.repository.fullName, there.name, there.prefix.slice(1)])
      if (inside.toLowerCase().startsWith(`${name.toLowerCase()}/`))
        return { repository: there.repository, sha: there.sha, path: inside.slice(name.length + 1), there };
  }
  return { repository: checkout.repository, sha: checkout.base.sha, path: plain, there: undefined };
}

/** Undefined: no such text. */
async function countLines(
  context: CheckedOutRun,
  { there, path, sha }: Place,
  signal: AbortSignal,
): Promise<number | undefined> {
  const checked = checkPath(path);
  if (checked.kind === 'refused') return undefined;
  if (there) {
    const file = await there.plainFiles.readFile(checked.path);
    return file.kind === 'text' ? count(file.text) : undefined;
  }
  const at = inMirror(context, signal);
  const { stdout, code } = await readObject(at, `${sha}:${checked.path}`, maxReadBytes, { okCodes: [0, 128] });
  return code === 0 ? count(stdout.toString('utf8')) : undefined;
}

const count = (text: string) => text.split('\n').length - (text.endsWith('\n') ? 1 : 0);

/** `12`, `12-20` or `L12-L20`. null: none are given; undefined: it cannot be read. */
function readLines(given: Given['lines']): { from: number; to: number } | null | undefined {
  if (given === undefined) return null;
  const [, from, to = from] = /^\s*#?L?(\d{1,7})(?:\s*[-–,:]\s*L?(\d{1,7}))?\s*$/i.exec(given) ?? [];
  if (from === undefined) return undefined;
  const lines = { from: Number(from), to: Number(to) };
  return lines.from >= 1 && lines.to >= lines.from ? lines : undefined;
}

const shown = (path: string) => path.slice(0, 200);

/** Also what would end the destination of a link. */
const encodePath = (path: string) =>
  path
    .split('/')
    .map((name) => encodeURIComponent(name).replace(/[()'!*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`))
    .join('/');
