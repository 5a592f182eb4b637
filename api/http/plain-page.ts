import { createHash } from 'node:crypto';
import { product } from '#core/values/product.ts';

/** Fonts of the system and the product's colours: nothing is loaded, as nothing may be there to load it from. */
const style = `:root{color-scheme:light dark;background:light-dark(#f6f5ef,#14130f);color:light-dark(#1b1a14,#f6f4e9)}
body{margin:0 auto;padding:2.5rem 1.25rem;max-width:34rem;font:1.0625rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
header{margin-bottom:2rem;font-size:1.25rem;font-weight:800}
h1{margin:0 0 .75rem;font-size:1.625rem;line-height:1.2}
label{display:block;margin:1.25rem 0;font-weight:600}
input{display:block;box-sizing:border-box;width:100%;min-height:3rem;margin-top:.5rem;font:inherit}
button,a{display:inline-flex;align-items:center;min-height:3rem;padding:0 1.5rem;border:0;border-radius:.5rem;font:inherit;font-weight:600;text-decoration:none;background:light-dark(#1b1a14,#f6f4e9);color:light-dark(#f6f5ef,#14130f)}
:focus-visible{outline:3px solid light-dark(#1b1a14,#f6f4e9);outline-offset:3px}`;

const styleHash = createHash('sha256').update(style).digest('base64');

/** Headers of a page that stands for itself: its own style, a form that comes back here, and no more. */
export const plainPageHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
};

/** A page that needs neither Astro nor a file: `body` and `head` are HTML of our own, in which all else is escaped. */
export function plainPage(title: string, body: string, head = ''): string {
  return `<!doctype html>
<html lang="en-AU">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">${head}<title>${title}</title><style>${style}</style></head>
<body>
<header>${product.name}</header>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>`;
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as it stands in HTML, between tags or in a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
