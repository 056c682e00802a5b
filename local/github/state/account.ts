export interface Account {
  id: number;
  login: string;
  type: 'User' | 'Organization' | 'Bot';
}

export type Role = 'admin' | 'maintain' | 'write' | 'triage' | 'read' | 'none';

/** A person's role in a repository; a custom role has a name of its own and inherits from a base. */
export interface Grant {
  base: Role;
  roleName: string;
}
