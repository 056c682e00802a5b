/** Who is to own the App and what it is to be called, as a person wrote it; `organization` is empty for their own account. */
export interface Registration {
  owner: 'account' | 'organization';
  organization: string;
  name: string;
}

/** GitHub's own limit: https://docs.github.com/en/apps/creating-github-apps/registering-a-github-app/registering-a-github-app */
const maxNameLength = 34;

const readText = (value: unknown) => (typeof value === 'string' ? value.trim() : '');

/** Reads a form. What is wrong with it is in `problems`, by field and for a person; without any it can be used. */
export function parseRegistration(query: Record<string, unknown>): {
  registration: Registration;
  problems: { organization?: string; name?: string };
} {
  const owner = query.owner === 'organization' ? 'organization' : 'account';
  const registration = { owner, organization: readText(query.organization), name: readText(query.name) } as const;
  const isLogin = /^[a-z\d][a-z\d-]{0,38}$/i.test(registration.organization);
  const isName = /^\P{C}+$/u.test(registration.name) && registration.name.length <= maxNameLength;
  return {
    registration,
    problems: {
      ...(owner === 'organization' && !isLogin
        ? { organization: 'Write the organisation as it stands in its address on GitHub: letters, digits and hyphens.' }
        : {}),
      ...(isName ? {} : { name: `Give the App a name of 1 to ${maxNameLength} characters.` }),
    },
  };
}
