/** How often to look, in milliseconds. */
const POLL = 2_000;

/** Shows new messages as they come: loads the page anew when the newest is another one. */
function watchOutbox(shown: string): void {
  setInterval(async () => {
    if (document.hidden) return;
    const newest = await newestId();
    if (newest !== null && newest !== shown) location.reload();
  }, POLL);
}

/** Empty while there is no message, null while the server cannot be asked. */
async function newestId(): Promise<string | null> {
  try {
    const answer = await fetch('/dev/outbox/newest.json');
    const { newest } = (await answer.json()) as { newest: string | null };
    return newest ?? '';
  } catch {
    return null;
  }
}

const outbox = document.querySelector<HTMLElement>('.outbox');
if (outbox) watchOutbox(outbox.dataset.newest ?? '');
