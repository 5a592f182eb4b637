import { ApiError } from './api.ts';

const templateId = 'fallback';
let shown = false;

/** Shows the fallback screen in place of the page, once, after telling the team. */
export function showFallback(fault: unknown): void {
  reportFault(fault);
  const template = document.getElementById(templateId);
  if (shown || !(template instanceof HTMLTemplateElement)) return;
  shown = true;
  const screen = template.content.cloneNode(true) as DocumentFragment;
  wireFallback(screen);
  document.body.replaceChildren(screen);
  document.querySelector<HTMLElement>('h1')?.focus();
}

/** Makes 'Try Again' reload the page. */
export function wireFallback(screen: ParentNode): void {
  screen.querySelector('[data-reload]')?.addEventListener('click', () => location.reload());
}

/** Tells the team which page failed, by a hash of the stack: never its text, which could hold a customer's words. */
export function reportFault(fault: unknown): void {
  const stack = fault instanceof Error ? (fault.stack ?? fault.message) : String(fault);
  void hashOf(stack)
    .then((stackHash) =>
      fetch('/api/client-errors', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ref: crypto.randomUUID(), route: routeOf(location.pathname), stackHash }),
        keepalive: true,
      }),
    )
    .catch(() => {});
}

/** Watches for faults that nothing else caught. A refused or failed request is not one: its caller says so. */
export function watchForFaults(): void {
  window.addEventListener('error', (event) => {
    if (event.error instanceof Error) showFallback(event.error);
  });
  window.addEventListener('unhandledrejection', (event) => {
    const reason: unknown = event.reason;
    if (reason instanceof ApiError || (reason instanceof DOMException && reason.name === 'AbortError'))
      return;
    showFallback(reason);
  });
}

/** The path with its ids and slugs taken out. */
export function routeOf(path: string): string {
  return path.replace(/^(\/jobs\/details|\/t)\/[^/]+/, '$1/:id').slice(0, 200);
}

async function hashOf(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return Array.from(bytes.slice(0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
