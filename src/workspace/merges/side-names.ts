/** The names of the two sides in conflict markers and in renamed paths. */
export const sideNames = { tip: 'branch', base: 'base' } as const;
