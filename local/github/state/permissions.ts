export type Level = 'read' | 'write' | 'admin';
export type Permissions = Record<string, Level>;

/** A route lists the alternatives that suffice. */
export type Needed = Permissions[];

const ranks: Record<Level, number> = { read: 1, write: 2, admin: 3 };

export const hasPermission = (granted: Permissions, name: string, level: Level): boolean => {
  const has = granted[name];
  return has !== undefined && ranks[has] >= ranks[level];
};

export const isAllowed = (granted: Permissions, needed: Needed): boolean =>
  needed.length === 0 ||
  needed.some((way) => Object.entries(way).every(([name, level]) => hasPermission(granted, name, level)));

/** The form of `X-Accepted-GitHub-Permissions`: https://docs.github.com/en/rest/using-the-rest-api/troubleshooting-the-rest-api */
export const formatNeeded = (needed: Needed): string =>
  needed
    .map((way) =>
      Object.entries(way)
        .map(([name, level]) => `${name}=${level}`)
        .join(','),
    )
    .join('; ');
