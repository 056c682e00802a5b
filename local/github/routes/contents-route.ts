import { ApiError, notFound } from '../api/api-error.ts';
import { findCommit } from '../git/read-git.ts';
import { runGit, runGitForBytes } from '../git/run-git.ts';
import { apiUrlOf, webUrlOf } from '../json/present.ts';
import type { Repository } from '../state/world.ts';
import { ok, onRepository } from './route.ts';

/** Beyond 1 MB only raw, beyond 100 MB not at all: https://docs.github.com/en/rest/repos/contents#get-repository-content */
const largestEncoded = 1024 * 1024;
const largestRaw = 100 * 1024 * 1024;

export const contentsRoute = onRepository.get(
  '/contents{/*path}',
  [{ contents: 'read' }],
  async ({ repository, params, query, accept }) => {
    const path = (params.path ?? '').replace(/^\/+|\/+$/g, '');
    const ref = query.ref ?? repository.defaultBranch;
    const sha =
      (await findCommit(repository.directory, `refs/heads/${ref}`)) ?? (await findCommit(repository.directory, ref));
    if (!sha)
      throw query.ref
        ? new ApiError(404, `No commit found for the ref ${ref}`)
        : new ApiError(404, 'This repository is empty.');
    const present = (entry: Entry) => presentEntry(repository, ref, entry);
    const [entry] = path === '' ? [] : await listTree(repository, sha, path);
    if (path !== '' && !entry) throw notFound();
    if (!entry || entry.type === 'tree') {
      return ok((await listTree(repository, sha, path === '' ? '' : `${path}/`)).map(present));
    }
    if (entry.size > largestRaw) throw new ApiError(403, 'This file is too large to be fetched by this API.');
    const bytes = await runGitForBytes(repository.directory, ['cat-file', 'blob', entry.sha]);
    if (/application\/vnd\.github(\.v3)?\.raw/.test(accept)) {
      return {
        status: 200,
        body: bytes,
        headers: { 'content-type': 'application/vnd.github.raw+json; charset=utf-8' },
      };
    }
    const isSmall = entry.size <= largestEncoded;
    return ok({
      ...present(entry),
      content: isSmall ? bytes.toString('base64').replace(/(.{60})/g, '$1\n') : '',
      encoding: isSmall ? 'base64' : 'none',
    });
  },
);

interface Entry {
  mode: string;
  type: string;
  sha: string;
  size: number;
  path: string;
}

async function listTree(repository: Repository, commit: string, path: string): Promise<Entry[]> {
  const output = await runGit(repository.directory, [
    'ls-tree',
    '-z',
    '--long',
    commit,
    ...(path === '' ? [] : ['--', path]),
  ]);
  return output.split('\0').flatMap((line) => {
    const [, mode = '', type = '', sha = '', size = '', name = ''] =
      /^(\d+) (\w+) (\w+) +(\S+)\t(.+)$/s.exec(line) ?? [];
    return name === '' ? [] : [{ mode, type, sha, size: Number(size) || 0, path: name }];
  });
}

function presentEntry(repository: Repository, ref: string, { mode, type, sha, size, path }: Entry) {
  const url = `${apiUrlOf(repository)}/contents/${encodeURI(path)}?ref=${encodeURIComponent(ref)}`;
  const gitUrl = `${apiUrlOf(repository)}/git/${type}s/${sha}`;
  const htmlUrl = `${webUrlOf(repository)}/blob/${ref}/${encodeURI(path)}`;
  return {
    type: type === 'tree' ? 'dir' : mode === '120000' ? 'symlink' : type === 'commit' ? 'submodule' : 'file',
    size,
    name: path.slice(path.lastIndexOf('/') + 1),
    path,
    sha,
    url,
    git_url: gitUrl,
    html_url: htmlUrl,
    download_url: type === 'blob' ? `${webUrlOf(repository)}/raw/${ref}/${encodeURI(path)}` : null,
    _links: { self: url, git: gitUrl, html: htmlUrl },
  };
}
