import type { Answer, Call } from './route.ts';

/**
 * The page that the query asks for, with a `Link` header when there are more.
 * https://docs.github.com/en/rest/using-the-rest-api/using-pagination-in-the-rest-api
 */
export function paginate<Item extends { id: number }>(
  call: Call,
  all: Item[],
  present: (page: Item[]) => unknown,
): Answer {
  const items = call.stale ? withoutNewest(all) : all;
  const perPage = clamp(Number(call.query.per_page ?? 30), 1, 100, 30);
  const page = clamp(Number(call.query.page ?? 1), 1, Number.MAX_SAFE_INTEGER, 1);
  const last = Math.max(1, Math.ceil(items.length / perPage));
  const link = (relation: string, number: number) => {
    const query = new URLSearchParams({ ...call.query, page: String(number) });
    return `<${call.url}?${query}>; rel="${relation}"`;
  };
  const links = [
    ...(page > 1 ? [link('prev', Math.min(page - 1, last)), link('first', 1)] : []),
    ...(page < last ? [link('next', page + 1), link('last', last)] : []),
  ];
  return {
    status: 200,
    body: present(items.slice((page - 1) * perPage, page * perPage)),
    ...(links.length > 0 ? { headers: { link: links.join(', ') } } : {}),
  };
}

function withoutNewest<Item extends { id: number }>(items: Item[]): Item[] {
  const newest = Math.max(...items.map(({ id }) => id));
  return items.filter(({ id }) => id !== newest);
}

const clamp = (value: number, least: number, most: number, otherwise: number): number =>
  Number.isInteger(value) && value >= least ? Math.min(value, most) : otherwise;
