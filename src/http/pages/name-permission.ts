/** As the pages of GitHub name it. */
export const namePermission = (name: string): string =>
  name === 'statuses' ? 'Commit statuses' : `${name[0]?.toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`;

export const nameAccess = (level: string): string => (level === 'write' ? 'read and write' : level);

/** `Issues (read and write), the event push`. */
export function nameMissing({
  permissions,
  events,
}: {
  permissions: readonly string[];
  events: readonly string[];
}): string {
  const named = permissions.map((permission) => {
    const [name = '', level = ''] = permission.split('=');
    return `${namePermission(name)} (${nameAccess(level)})`;
  });
  if (events.length > 0) named.push(`the ${events.length === 1 ? 'event' : 'events'} ${events.join(', ')}`);
  return named.join(', ');
}
