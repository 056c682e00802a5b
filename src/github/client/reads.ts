import type { Octokit } from '@octokit/rest';
import { z } from 'zod';
import type { GitHubConnection, Otherwise } from './connection.ts';

const pageSize = 100;

type PageQuery = { page: number; per_page: number };

/** Octokit's `paginate` takes a 409 or a truncated body for the end of the list: an existing comment would be missed and posted twice. */
export async function listAll<Item>(
  fetchPage: (page: PageQuery) => Promise<{ items: Item[]; link: string | undefined }>,
  most = Number.POSITIVE_INFINITY,
): Promise<Item[]> {
  const all: Item[] = [];
  for (let page = 1; ; page += 1) {
    const { items, link } = await fetchPage({ page, per_page: pageSize });
    all.push(...items);
    const isLast = items.length < pageSize && !/;\s*rel="next"/.test(link ?? '');
    if (isLast || items.length === 0 || all.length >= most) return all;
  }
}

type FetchPage = (octokit: Octokit, page: PageQuery) => Promise<{ data: unknown; headers: { link?: string } }>;

/** Reads all pages of a list, or those until it has `most` items. `key`: where the answer has the list; default: it is the list. */
export const readList = <Item extends z.ZodType>(
  connection: GitHubConnection,
  { what, item, key, most }: { what: string; item: Item; key?: string; most?: number },
  fetchPage: FetchPage,
  otherwise?: Otherwise<z.output<Item>[]>,
): Promise<z.output<Item>[]> =>
  connection.read(what, (octokit) => listPages(item, (page) => fetchPage(octokit, page), { key, most }), otherwise);

export const listPages = <Item extends z.ZodType>(
  item: Item,
  fetchPage: (page: PageQuery) => ReturnType<FetchPage>,
  { key, most }: { key?: string | undefined; most?: number | undefined } = {},
): Promise<z.output<Item>[]> =>
  listAll(async (page) => {
    const { data, headers } = await fetchPage(page);
    const list: unknown = key === undefined ? data : Reflect.get(Object(data), key);
    return { items: z.array(item).parse(list), link: headers.link };
  }, most);

/** Undefined: GitHub has none, or no longer. */
export const readIfFound = <Found>(
  { read }: GitHubConnection,
  what: string,
  request: (octokit: Octokit) => Promise<Found>,
): Promise<Found | undefined> => read<Found | undefined>(what, request, { 404: () => undefined, 410: () => undefined });
