import { tabValues } from '#site/lib/browser-storage.ts';
import { ApiError, type BodyOf } from '#site/lib/http/api.ts';
import { copiesDatabase } from '#site/lib/offline/copy-store.ts';
import { readSession, sessionKey, writeSession } from '#site/lib/session/session-storage.ts';
import { dropStored, isTyped, isWay } from './stored-values.ts';

const failedKey = 'ute.failed';

/**
 * Drops what the site stores in this browser when a page fails on it, so that the next try does not meet it again: caches,
 * appearance, what is known of the user. What was typed goes only when the same page failed on the last try too; who is signed
 * in, which registration is under way and what waits for a signal stay.
 */
export function dropStoredValues(path: string): void {
  const hasFailedBefore = tabValues.getItem(failedKey) === path;
  const session = readSession();
  dropStored((key) => key === sessionKey || isWay(key) || (isTyped(key) && !hasFailedBefore));
  if (session) writeSession({ token: session.token, rememberMe: session.rememberMe });
  tabValues.setItem(failedKey, path);
  try {
    indexedDB.deleteDatabase(copiesDatabase);
  } catch {
    // A browser that refuses storage has stored nothing.
  }
}

/** Notes that a page was left without a fault. */
export const clearFailure = (): void => tabValues.removeItem(failedKey);

const templateId = 'fallback';
let shown = false;

/** Shows the fallback screen in place of the page, once, after a report to the team. What the page cached is dropped with it. */
export function showFallback(fault: unknown): void {
  reportFault(fault);
  const template = document.getElementById(templateId);
  if (shown || !(template instanceof HTMLTemplateElement)) return;
  shown = true;
  dropStoredValues(location.pathname);
  const screen = template.content.cloneNode(true) as DocumentFragment;
  wireFallback(screen);
  document.body.replaceChildren(screen);
  document.querySelector<HTMLElement>('h1')?.focus();
}

/** Makes 'Try Again' reload the page. */
export function wireFallback(screen: ParentNode): void {
  screen.querySelector('[data-reload]')?.addEventListener('click', () => location.reload());
}

/** Reports which page failed, by a hash of the stack: never its text, which could hold a customer's words. */
export function reportFault(fault: unknown): void {
  const stack = fault instanceof Error ? (fault.stack ?? fault.message) : String(fault);
  void fetch('/api/client-errors', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      ref: reference(),
      route: routeOf(location.pathname),
      stackHash: hashOf(stack),
    } satisfies BodyOf<'POST', '/client-errors'>),
    keepalive: true,
  }).catch(() => {});
}

/** Watches for faults that nothing else caught. A refused or failed request is not one: its caller shows it. */
export function watchForFaults(): void {
  window.addEventListener('pagehide', () => {
    if (!shown) clearFailure();
  });
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

/** The pages whose address goes on with an id, a slug, or the secret of a mailed link. */
const addressed =
  /^(\/jobs\/details|\/t|\/answer|\/not-needed|\/unsubscribe|\/welcome|\/your-details|\/dev\/outbox)\/[^/]+/;

/** The path without ids, slugs and secrets, in the characters that a route may have. */
export function routeOf(path: string): string {
  return path
    .replace(addressed, '$1/:id')
    .replace(/[^A-Za-z0-9/:_-]/g, '_')
    .slice(0, 200);
}

/** 64 bits of FNV-1a in hex: enough to group equal faults, and there without https too. */
export function hashOf(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return hash.toString(16).padStart(16, '0');
}

function reference(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
