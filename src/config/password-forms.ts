/** A database's password as DATABASE_URL spells it and as it is: both may turn up in a log. Empty where there is none. */
export function listPasswordForms(databaseUrl: string | null): string[] {
  const [, userInfo = '', rest = ''] = /^[^/]*\/\/(?:([^/?#]*)@)?(.*)$/s.exec(databaseUrl ?? '') ?? [];
  const [, inUserInfo] = /:(.*)$/s.exec(userInfo) ?? [];
  // pg takes it from the query as well: https://www.npmjs.com/package/pg-connection-string
  const [, inQuery] = /[?&]password=([^&#]*)/.exec(rest) ?? [];
  const spelled = [inUserInfo, inQuery].filter((password) => password !== undefined);
  const forms = spelled.flatMap((password) => [password, decodeURIComponent(password)]);
  return [...new Set(forms)].filter((form) => form !== '');
}
