/** The last part of a business's public address, `{host}/t/{slug}`. */
export const slugLength = { min: 3, max: 20 } as const;
export const slugMessage = 'Sorry, that URL is not available';
/** What is said of an address that another business has, and what to do about it. */
export const slugTaken = { title: 'This domain is already taken.', message: 'Try a different URL' } as const;

/** Words that would pass for a page or a person of the product itself. */
export const reservedSlugs: readonly string[] = [
  ...[
    'about',
    'account',
    'accounts',
    'admin',
    'administrator',
    'api',
    'app',
    'assets',
    'auth',
    'authenticate',
  ],
  ...[
    'billing',
    'blog',
    'book',
    'bookdemo',
    'chat',
    'chatbot',
    'contact',
    'dashboard',
    'demo',
    'dev',
    'docs',
  ],
  ...[
    'email',
    'error',
    'faq',
    'feedback',
    'files',
    'forgotpassword',
    'form',
    'forms',
    'ftp',
    'health',
    'help',
  ],
  ...['home', 'host', 'info', 'internal', 'job', 'jobs', 'kel', 'legal', 'live', 'login', 'logout', 'mail'],
  ...['media', 'metrics', 'news', 'null', 'official', 'openapi', 'owner', 'password', 'pay', 'payment'],
  ...[
    'payments',
    'plans',
    'plus',
    'postmaster',
    'pricing',
    'privacy',
    'pro',
    'profile',
    'public',
    'register',
  ],
  ...['registration', 'resetpassword', 'root', 'sales', 'security', 'sent', 'settings', 'signin', 'signup'],
  ...[
    'site',
    'starter',
    'static',
    'staff',
    'status',
    'support',
    'system',
    'team',
    'terms',
    'test',
    'undefined',
  ],
  ...['ute', 'utehelp', 'utesupport', 'verify', 'webmaster', 'workorder', 'workorders', 'www'],
];

const reserved = new Set(reservedSlugs);

/** Spaces out, lower case: what a person types becomes what the address shows. */
export function normaliseSlug(text: string): string {
  return text.replace(/\s/g, '').toLowerCase();
}

/** 3 to 20 letters, digits, hyphens or underscores, after `normaliseSlug`, and no reserved word in disguise. */
export function isSlug(text: string): boolean {
  return /^[a-z0-9_-]{3,20}$/.test(text) && !reserved.has(text.replace(/[-_]/g, ''));
}
