import { loadProfile } from '#site/lib/profile.ts';
import { query } from '#site/lib/query.ts';

/** The signed-in tradie and their business. */
export const profileQuery = query('profile', loadProfile);
