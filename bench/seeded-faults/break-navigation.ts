import { posix } from 'node:path';
import { draw, type Ground, misspell, type Seed, seed, splice, tells } from './seed.ts';

const dataNavigation = (ground: Ground) =>
  ground.sites.flatMap((site) =>
    [...new Set(site.navigation.map(({ file }) => file))]
      .filter((file) => /\.(?:json|ya?ml|md)$/.test(file))
      .map((file) => ({ site, file, text: ground.tree.read(file) ?? '' })),
  );

export const breakNavigation: Seed = (ground) => {
  const drawn = draw(
    dataNavigation(ground).filter(({ file }) => /\.json$/.test(file)),
    ground.random,
  );
  if (!drawn) return undefined;
  const text = drawn.text.replace(/\](?=[^\]]*$)/, '');
  return seed(drawn.site, drawn.file, text, tells(drawn.file, 'navigation'));
};

export const breakEntry: Seed = (ground) => {
  const drawn = draw(dataNavigation(ground), ground.random);
  const entry =
    drawn &&
    draw(
      drawn.site.navigation.filter(({ file, page }) => file === drawn.file && page !== undefined),
      ground.random,
    );
  if (!drawn || !entry) return undefined;
  const text = splice(drawn.text, entry, misspell(drawn.text.slice(entry.start, entry.end)));
  return seed(drawn.site, drawn.file, text, tells(drawn.file, 'navigation'));
};

/** Beside a page that is listed. */
export const addUnlisted: Seed = (ground) => {
  const entries = ground.sites.flatMap((site) =>
    site.navigationFile === undefined
      ? []
      : site.navigation.flatMap(({ page }) => (page === undefined || !site.mustBeListed(page) ? [] : [{ site, page }])),
  );
  const drawn = draw(entries, ground.random);
  if (!drawn) return undefined;
  const name = posix.basename(drawn.page);
  const path = name.startsWith('page.')
    ? posix.join(posix.dirname(posix.dirname(drawn.page)), 'zz-new', name)
    : posix.join(posix.dirname(drawn.page), `zz-new${posix.extname(drawn.page)}`);
  return seed(drawn.site, path, '---\ntitle: New\n---\n\nNew.\n', tells(path, 'unlisted'));
};

/** A link to a page: a build makes feeds, and a host serves pages for missing ones. */
export const breakRedirect: Seed = (ground) => {
  const drawn = draw(
    ground.sites.flatMap((site) =>
      site.redirects
        .filter(({ to }) => site.byAddress.has(to?.toLowerCase().replace(/(?<=.)\/$/, '') ?? ''))
        .map((redirect) => ({ site, redirect })),
    ),
    ground.random,
  );
  const { to, file, start, end } = drawn?.redirect ?? {};
  const text = ground.tree.read(file ?? '');
  if (!drawn || !to?.startsWith('/') || /[:*$?]/.test(to) || file === undefined || text === undefined) return undefined;
  // A route with a name to fill in answers everywhere in its folder.
  if (text.slice(start, end) !== to || drawn.site.isRedirected(misspell(to))) return undefined;
  const changed = splice(text, { start, end }, misspell(to));
  return seed(drawn.site, file, changed, tells(file, 'redirect'));
};
