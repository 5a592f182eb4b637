import type { PageForm } from './page-form.ts';

/**
 * The page of last resort, when even the form's own page cannot be rendered: says that nothing was sent and keeps what
 * was typed for one more try. Plain HTML without styles or scripts, so that it needs nothing that may be away too.
 */
export function outagePage(action: string, posted: PageForm): Response {
  const kept = Object.entries(posted).map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  );
  const html = `<!doctype html>
<html lang="en-AU">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Not sent yet</title></head>
<body>
<h1>Not sent yet</h1>
<p>We are having trouble right now. What you typed is kept on this page: please try again in a moment.</p>
<form method="post" action="${escapeHtml(action)}">${kept.join('')}<button>Try again</button></form>
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

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
