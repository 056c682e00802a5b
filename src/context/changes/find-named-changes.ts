/** A pull request that a text names. */
export interface NamedChange {
  owner: string;
  repo: string;
  number: number;
}

/** One instruction names at most so many. */
export const maxNamedChanges = 5;

const owner = String.raw`[a-z\d][\w-]{0,99}`;
const repo = String.raw`[\w.-]{1,100}`;
const number = String.raw`[1-9]\d{0,8}`;

/** The pull requests that a text names as `acme/api#12` or by their address, each once, in order. `more`: those beyond the first five. */
export function findNamedChanges(text: string, { webUrl }: { webUrl: string }): { named: NamedChange[]; more: number } {
  const host = RegExp.escape(new URL(webUrl).host);
  const pattern = new RegExp(
    `(?<![\\w./@-])(?<owner>${owner})/(?<repo>${repo})#(?<number>${number})(?![\\w-])` +
      `|https?://${host}/(?<urlOwner>${owner})/(?<urlRepo>${repo})/pull/(?<urlNumber>${number})(?![\\w-])`,
    'gi',
  );
  const found = new Map<string, NamedChange>();
  for (const { groups = {} } of text.matchAll(pattern)) {
    const named = {
      owner: groups.owner ?? groups.urlOwner ?? '',
      repo: groups.repo ?? groups.urlRepo ?? '',
      number: Number(groups.number ?? groups.urlNumber),
    };
    const key = toReference(named).toLowerCase();
    if (!found.has(key)) found.set(key, named);
  }
  const all = [...found.values()];
  return { named: all.slice(0, maxNamedChanges), more: Math.max(0, all.length - maxNamedChanges) };
}

export const toReference = ({ owner: account, repo: repository, number: id }: NamedChange) =>
  `${account}/${repository}#${id}`;

const whole = /^([a-z\d][\w-]{0,99})\/([\w.-]{1,100})#([1-9]\d{0,8})$/i;

/** Undefined: it is not `acme/api#12`. */
export function parseReference(text: string): NamedChange | undefined {
  const [, account = '', repository = '', id] = whole.exec(text) ?? [];
  return id === undefined ? undefined : { owner: account, repo: repository, number: Number(id) };
}
