import { reportFault, wireFallback } from '#site/lib/fallback.ts';
import { readToken } from '#site/lib/session/session-storage.ts';

// The page of a failed server has a way to try again, the one of an unknown address ways on for visitors.
if (document.querySelector('[data-reload]')) {
  wireFallback(document);
  reportFault(new Error('The server answered with its error page'));
}
if (readToken()) document.querySelector('[data-visitor]')?.remove();
