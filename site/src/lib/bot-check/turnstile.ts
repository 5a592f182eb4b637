/** As much of Turnstile's script as is used here. */
type Turnstile = {
  render(
    container: HTMLElement,
    options: {
      sitekey: string;
      action: string;
      appearance: 'interaction-only';
      callback(token: string): void;
      'error-callback'(): boolean;
      'timeout-callback'(): void;
    },
  ): string;
  remove(widget: string): void;
};

const script = 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit';

/**
 * Runs Cloudflare's Turnstile and gives its token; null where it was not passed. It shows itself only when it needs a
 * hand, in the element marked `data-bot-check` where the page has one.
 * @throws where its script does not load.
 */
export async function passTurnstile(
  asked: Readonly<{ siteKey: string; action: string }>,
): Promise<string | null> {
  const turnstile = await loaded();
  const place = document.querySelector<HTMLElement>('[data-bot-check]') ?? document.body;
  const container = place.appendChild(document.createElement('div'));
  let widget = '';
  const token = await new Promise<string | null>((resolve) => {
    widget = turnstile.render(container, {
      sitekey: asked.siteKey,
      action: asked.action,
      appearance: 'interaction-only',
      callback: resolve,
      'error-callback': () => {
        resolve(null);
        return true;
      },
      'timeout-callback': () => resolve(null),
    });
  });
  turnstile.remove(widget);
  container.remove();
  return token;
}

function loaded(): Promise<Turnstile> {
  const present = () => (globalThis as { turnstile?: Turnstile }).turnstile;
  return new Promise((resolve, reject) => {
    const known = present();
    if (known) return resolve(known);
    const element = document.createElement('script');
    element.src = script;
    element.onload = () => {
      const turnstile = present();
      if (turnstile) resolve(turnstile);
      else reject(new Error('Turnstile did not start'));
    };
    element.onerror = () => {
      element.remove();
      reject(new Error('Turnstile did not load'));
    };
    document.head.append(element);
  });
}
