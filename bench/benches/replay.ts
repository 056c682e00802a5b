import { readFile } from 'node:fs/promises';
import { readDocsTrees } from '../../src/cli/read-docs-trees.ts';
import { checkChange } from '../../src/docs/check-change.ts';
import { isDocumentation } from '../../src/docs/is-documentation.ts';
import type { Problem } from '../../src/docs/problem.ts';
import { createGit } from '../../src/git/git.ts';
import { type Figure, formatMs, percentile } from '../figures/figure.ts';

const mostFalse = 0.005;
const leastTold = 0.95;
/** Subjects of commits that mend what a check could have told. */
const mends = /\b(?:fix|repair|correct|mend|broken|dead|wrong).*\b(?:link|anchor|xref|toctree|navigation)/i;
const webAddress = /(?:https?:)?\/\/[^\s)\]>"']+|\s/g;
type Direction = 'forward' | 'backward';

/** One line to judge: a problem of a commit, or a mended fault that no problem tells. */
interface Candidate {
  /** What a verdict names: the same in each run. */
  key: string;
  kind: string;
  text: string;
  verdict: 'true' | 'false' | undefined;
}

interface Commit {
  sha: string;
  parent: string;
  subject: string;
  paths: string[];
}

interface Played {
  candidates: Candidate[];
  hasProblems: boolean;
  cpuMs: number;
}

/**
 * Plays the newest commits of a repository that change its documentation through the checks, and the newest that mend a link backward. A commit of
 * the first-parent history is a merged pull request. Prints each problem of a published commit (a false alarm, until a person says otherwise), and
 * each mended fault that the checks do not tell. `verdicts`: a file of printed lines with `true ` or `false ` before them; they are not printed again.
 */
export async function benchReplay(
  { repo, commits, verdicts }: { repo: string | undefined; commits: number; verdicts: string | undefined },
  print: (line: string) => void = console.log,
): Promise<Figure[]> {
  if (repo === undefined) return [{ what: 'commits played', measured: 'skipped: name a git directory by --repo' }];
  const { signal } = new AbortController();
  const git = createGit({ allowHttp: false });
  const options = { gitDir: repo, signal, maxOutputBytes: 256 * 1024 ** 2 };
  const judged = verdicts === undefined ? [] : (await readFile(verdicts, 'utf8')).split('\n');
  const forward = await play(
    'forward',
    (await listCommits([])).filter(({ paths }) => paths.some(isDocumentation)),
  );
  const backward = await play('backward', await listMends());
  return [...describeForward(forward), ...describeBackward(backward)];

  /** Newest first. */
  async function listCommits(filter: readonly string[]): Promise<Commit[]> {
    const args = ['log', '--first-parent', '-m', '--no-renames', '--name-only', '--format=%x00%H %P%n%s', '-z'];
    const { stdout } = await runGit([...args, ...filter, '--max-count', String(commits * 20)]);
    return stdout
      .toString()
      .split('\0\0')
      .map((commit) => commit.split(/[\0\n]+/).filter((field) => field !== ''))
      .flatMap(([ids = '', subject = '', ...paths]) => {
        const [sha = '', parent] = ids.split(' ');
        return parent ? [{ sha, parent, subject, paths }] : [];
      });
  }

  /** Changes of documentation alone, and not of addresses on the web alone. */
  async function listMends(): Promise<Commit[]> {
    const listed = await listCommits(['-E', '-i', '--grep=link|anchor|xref|toctree|navigation']);
    const mending = listed.filter(({ subject, paths }) => mends.test(subject) && paths.every(isDocumentation));
    const found: Commit[] = [];
    for (const commit of mending) {
      if (found.length === commits) break;
      const { stdout } = await runGit(['diff', '-U0', '--no-renames', commit.parent, commit.sha]);
      const lines = stdout.toString().split('\n');
      const textOf = (sign: RegExp) =>
        lines
          .filter((line) => sign.test(line))
          .map((line) => line.slice(1).replace(webAddress, ''))
          .join('');
      if (textOf(/^-(?!--)/) !== textOf(/^\+(?!\+\+)/)) found.push(commit);
    }
    return found;
  }

  function runGit(args: readonly string[]) {
    return git(['-c', 'safe.directory=*', ...args], options);
  }

  async function play(direction: Direction, listed: readonly Commit[]): Promise<Played[]> {
    const played: Played[] = [];
    for (const { sha, parent } of listed.slice(0, commits)) {
      const [base, head] = direction === 'forward' ? [parent, sha] : [sha, parent];
      const trees = await readDocsTrees({ base, head, repo, signal });
      const startedAt = process.cpuUsage();
      const { problems } = checkChange(trees);
      const { user, system } = process.cpuUsage(startedAt);
      const candidates = listCandidates(direction, sha, problems);
      for (const { verdict, text } of candidates) if (verdict === undefined) print(text);
      played.push({ candidates, hasProblems: problems.length > 0, cpuMs: (user + system) / 1_000 });
    }
    return played;
  }

  function listCandidates(direction: Direction, sha: string, problems: readonly Problem[]): Candidate[] {
    const short = sha.slice(0, 10);
    if (direction === 'backward')
      return problems.length > 0 ? [] : [judge({ key: `${short} mends a fault`, kind: 'not told', rest: '' })];
    return problems.map(({ kind, file, line, severity, message }) =>
      judge({ key: `${short} ${kind} ${file}:${line}`, kind, rest: ` ${severity}: ${message}` }),
    );
  }

  function judge({ key, kind, rest }: { key: string; kind: string; rest: string }): Candidate {
    const says = (word: string) =>
      judged.some((line) => line === `${word} ${key}` || line.startsWith(`${word} ${key} `));
    return { key, kind, text: key + rest, verdict: says('false') ? 'false' : says('true') ? 'true' : undefined };
  }
}

const count = (candidates: readonly Candidate[]): string => {
  const of = (verdict: Candidate['verdict']) => candidates.filter((candidate) => candidate.verdict === verdict).length;
  return `${candidates.length} (${of('true')} true, ${of('false')} false, ${of(undefined)} to judge)`;
};

/** What is not judged counts as false. */
function describeForward(played: readonly Played[]): Figure[] {
  const candidates = played.flatMap((commit) => commit.candidates);
  const alarming = played.filter((commit) => commit.candidates.some(({ verdict }) => verdict !== 'true')).length;
  const times = played.map(({ cpuMs }) => cpuMs);
  const sum = times.reduce((total, cpuMs) => total + cpuMs, 0);
  return [
    {
      what: 'published commits with a false alarm, or one to judge',
      measured: `${alarming} of ${played.length}`,
      goal: { text: `< ${mostFalse * 100} %`, isMet: alarming <= played.length * mostFalse },
    },
    ...[...Map.groupBy(candidates, ({ kind }) => kind)].map(([kind, found]) => ({
      what: `problems of kind ${kind}`,
      measured: count(found),
    })),
    {
      what: 'processor time of a commit, two trees read whole',
      measured: `p50 ${formatMs(percentile(times, 0.5))}, max ${formatMs(percentile(times, 1))}, all ${(sum / 1_000).toFixed(1)} s`,
    },
  ];
}

/** A mended fault with the verdict `false` is none that a check could know: an address on the web, a sentence. */
function describeBackward(played: readonly Played[]): Figure[] {
  const known = played.filter(({ candidates }) => candidates.every(({ verdict }) => verdict !== 'false'));
  const told = known.filter(({ hasProblems }) => hasProblems).length;
  const goal = { text: `≥ ${leastTold * 100} %`, isMet: told >= known.length * leastTold };
  return [{ what: 'faults told that people mended', measured: `${told} of ${known.length}`, goal }];
}
