const pageSize = 100;

/** Octokit's `paginate` takes a 409 or a truncated body for the end of the list: an existing comment would be missed and posted twice. */
export async function listAll<Item>(
  fetchPage: (page: { page: number; per_page: number }) => Promise<{ items: Item[]; link: string | undefined }>,
): Promise<Item[]> {
  const all: Item[] = [];
  for (let page = 1; ; page += 1) {
    const { items, link } = await fetchPage({ page, per_page: pageSize });
    all.push(...items);
    const isLast = items.length < pageSize && !/;\s*rel="next"/.test(link ?? '');
    if (isLast || items.length === 0) return all;
  }
}
