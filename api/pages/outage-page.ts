import type { HttpError } from '#api/http/answers.ts';

/**
 * The page of last resort, when even the form's own page cannot be rendered: says that nothing was sent and keeps what
 * was typed for one more try. Plain HTML without styles or scripts, so that it needs nothing that may be unavailable too.
 */
export function outagePage(action: string, posted: Readonly<Record<string, string>>): Response {
  const values = Object.entries(posted).map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  );
  return plainPage(
    'Not sent yet',
    `<p>We are having trouble right now. What you typed is kept on this page: please try again in a moment.</p>
<form method="post" action="${escapeHtml(action)}">${values.join('')}<button>Try again</button></form>`,
  );
}

/** Says why a form was not taken, where its own page cannot say it as it was not read to its end: the browser has what was typed. */
export function notSentPage({ status, message, extra }: HttpError): Response {
  const page = plainPage(
    'Not sent yet',
    `<p>${escapeHtml(message)}</p>
<p>Go back to your form: your browser has kept what you typed. Then send it again.</p>`,
  );
  const headers = new Headers(page.headers);
  headers.delete('retry-after');
  for (const [name, value] of Object.entries(extra.headers ?? {})) headers.set(name, value);
  return new Response(page.body, { status, headers });
}

/** Stands for a page that cannot be shown while the database is unavailable; the browser asks again by itself. */
export function unreachablePage(): Response {
  return plainPage(
    'We are having trouble right now',
    '<p>This page cannot be shown just now. It comes by itself as soon as it can.</p>',
    '<meta http-equiv="refresh" content="5">',
  );
}

function plainPage(title: string, body: string, head = ''): Response {
  const html = `<!doctype html>
<html lang="en-AU">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">${head}<title>${title}</title></head>
<body>
<h1>${title}</h1>
${body}
</body>
</html>`;
  return new Response(html, {
    status: 503,
    headers: { 'content-type': 'text/html; charset=utf-8', 'retry-after': '5', 'cache-control': 'no-store' },
  });
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
