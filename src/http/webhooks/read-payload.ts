import type { ThreadTask } from '../../threads/threads.ts';
import { type ReadJson, readJson } from '../bodies/read-json.ts';

/** The parts of a payload to keep. true: the whole value; a function: its result; an object: these keys. */
type Kept = true | ((value: unknown) => unknown) | { [key: string]: Kept };

const account = { login: true, id: true, type: true, slug: true } as const;
const branch = { ref: true, repo: { id: true } } as const;
const text = { id: true, body: true, user: account } as const;

/** The fields that `deliveryFieldsSchema` and `findDropReason` read. */
const fields: Kept = {
  action: true,
  installation: { id: true, account, suspended_at: true },
  repository: { id: true, name: true, owner: account, default_branch: true },
  pull_request: {
    number: true,
    state: true,
    merged: true,
    merged_at: true,
    updated_at: true,
    user: account,
    head: branch,
    base: branch,
  },
  issue: { number: true, pull_request: { url: true }, user: account, updated_at: true },
  label: { name: true },
  release: { id: true, draft: true, author: account, published_at: true },
  comment: { ...text, created_at: true, performed_via_github_app: { id: true }, pull_request_review_id: true },
  review: { ...text, submitted_at: true },
  ref: true,
  sender: account,
  forced: true,
  commits: listOf({ added: listSettings, modified: listSettings, removed: listSettings }),
  changes: keepKeys,
};

/** The needed part of a webhook's body: a push may name every file of a large repository. */
export function readPayload(bytes: Uint8Array): ReadJson {
  const read = readJson(bytes);
  return read.kind === 'json' ? { kind: 'json', value: keep(read.value, fields) } : read;
}

/** 18 MB take half a second. */
export const readPayloadTask: ThreadTask<Uint8Array<ArrayBuffer>, ReadJson> = {
  module: import.meta.url,
  work: readPayload,
  isUrgent: true,
  isSmall: ({ length }) => length <= 128 * 1024,
  transfer: ({ buffer }) => [buffer],
};

/** Keeps values of another shape: the schema refuses them. */
function keep(value: unknown, kept: Kept): unknown {
  if (kept === true) return value;
  if (typeof kept === 'function') return kept(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, child]) => {
      const rest = Object.hasOwn(kept, key) ? kept[key] : undefined;
      return rest === undefined ? [] : [[key, keep(child, rest)]];
    }),
  );
}

function listOf(kept: Kept): Kept {
  return (value) => (Array.isArray(value) ? value.map((item) => keep(item, kept)) : value);
}

/** The files of a commit that may be the settings. */
function listSettings(value: unknown): unknown {
  return Array.isArray(value) ? value.filter((path) => typeof path !== 'string' || path.startsWith('.github/')) : value;
}

function keepKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.keys(value).map((key) => [key, true]));
}
