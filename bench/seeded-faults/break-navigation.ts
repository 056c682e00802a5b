import { posix } from 'node:path';
import { misspell } from './misspell.ts';
import { draw, type Ground, type Seed, tells } from './seed.ts';

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
  return {
    framework: drawn.site.framework.name,
    change: new Map([[drawn.file, text]]),
    isTold: tells(drawn.file, 'navigation'),
  };
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
  const text =
    drawn.text.slice(0, entry.start) + misspell(drawn.text.slice(entry.start, entry.end)) + drawn.text.slice(entry.end);
  return {
    framework: drawn.site.framework.name,
    change: new Map([[drawn.file, text]]),
    isTold: tells(drawn.file, 'navigation'),
  };
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
  const change = new Map([[path, '---\ntitle: New\n---\n\nNew.\n']]);
  return { framework: drawn.site.framework.name, change, isTold: tells(path, 'unlisted') };
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
  const changed = text.slice(0, start) + misspell(to) + text.slice(end);
  return { framework: drawn.site.framework.name, change: new Map([[file, changed]]), isTold: tells(file, 'redirect') };
};
