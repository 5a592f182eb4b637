/** Origins of configured providers, by the CSP directive that must allow them; `without` are directives to leave out. */
export type ProviderSources = Readonly<
  Partial<Record<`${string}-src`, readonly string[]>> & { without?: readonly string[] }
>;

/** Adds the providers' origins to a page's policy. A directive that the policy lacks starts from 'self'. */
export function withProviders(policy: string, { without = [], ...sources }: ProviderSources): string {
  const directives = policy
    .split(';')
    .map((directive) => directive.trim())
    .filter((directive) => directive !== '' && !without.includes(directive.split(' ', 1)[0] ?? ''));
  for (const [name, origins] of Object.entries(sources)) {
    if (!origins || origins.length === 0) continue;
    const at = directives.findIndex((directive) => directive.split(' ', 1)[0] === name);
    const current = directives[at] ?? `${name} 'self'`;
    directives.splice(at === -1 ? directives.length : at, 1, [current, ...origins].join(' '));
  }
  return directives.join('; ');
}
