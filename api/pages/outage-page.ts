import type { HttpError } from '#api/http/answers.ts';
import { escapeHtml, plainPage, plainPageHeaders } from '#api/http/plain-page.ts';
import { mediaUpload } from '#core/values/uploads.ts';

/** What came of a form: its texts by name, the ids of files that are here, and whether others came along, which are not. */
export type TypedForm = Readonly<{
  fields: Readonly<Record<string, string>>;
  keptMedia: readonly string[];
  hadFiles: boolean;
}>;

/**
 * The page of last resort, when even the form's own page cannot be rendered: says that nothing was sent and keeps what
 * was typed for one more try. It has no script and loads nothing, so that it needs nothing that may be unavailable too.
 */
export function outagePage(action: string, { fields, keptMedia, hadFiles }: TypedForm): Response {
  const values = [...Object.entries(fields), ...keptMedia.map((id) => ['keptMedia', id] as const)].map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  );
  const files = hadFiles
    ? `<label>Your photos could not be stored. Please choose them again<input type="file" name="media" multiple accept="${mediaUpload.types.join()}"></label>`
    : '';
  return answer(
    plainPage(
      'Not sent yet',
      `<p>We are having trouble right now. What you typed is kept on this page: please try again in a moment.</p>
<form method="post" enctype="multipart/form-data" action="${escapeHtml(action)}">${values.join('')}${files}<button>Try again</button></form>`,
    ),
  );
}

/** Says why a form was not taken, where it was not read to its end. What the browser shows on the way back is the browser's. */
export function notSentPage({ status, message, extra }: HttpError): Response {
  const page = answer(
    plainPage(
      'Not sent yet',
      `<p>${escapeHtml(message)}</p>
<p>Go back to your form with your browser’s Back button. Most browsers still show what you typed: look it over, see whether your photos are still chosen, and send it again.</p>`,
    ),
    status,
  );
  page.headers.delete('retry-after');
  for (const [name, value] of Object.entries(extra.headers ?? {})) page.headers.set(name, value);
  return page;
}

/** Stands for a page that cannot be shown while the database is unavailable; the browser asks again by itself. */
export function unreachablePage(): Response {
  return answer(
    plainPage(
      'We are having trouble right now',
      '<p>This page cannot be shown just now. It comes by itself as soon as it can.</p>',
      '<meta http-equiv="refresh" content="5">',
    ),
  );
}

function answer(html: string, status = 503): Response {
  return new Response(html, { status, headers: { ...plainPageHeaders, 'retry-after': '5' } });
}
