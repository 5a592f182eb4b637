import { requiredElement } from '#site/lib/form.ts';
import { ApiError, request, unknownFailure } from '#site/lib/http/api.ts';
import { takeLinkSecret } from './auth-form.ts';

/** Confirms a new email when the button is pressed, and not before: mail scanners open links. */
function startConfirmEmail(page: Document, token: string): void {
  const form = requiredElement(page, '[data-ask]', HTMLFormElement);
  const button = requiredElement(form, '[type=submit]', HTMLButtonElement);
  const alert = requiredElement(form, '[role=alert]', HTMLElement);
  button.disabled = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (!button.disabled) void confirm();
  });

  async function confirm(): Promise<void> {
    setBusy(true);
    alert.hidden = true;
    try {
      const body = { token };
      const { email } = await request('POST', '/authenticate/email/confirm', { body });
      showConfirmed(email);
    } catch (error) {
      const message = error instanceof ApiError ? error.message : unknownFailure;
      requiredElement(alert, '[data-message]', HTMLElement).textContent = message;
      alert.hidden = false;
      requiredElement(form, '[data-again]', HTMLElement).hidden =
        error instanceof ApiError && error.isTransient;
      setBusy(false);
      button.focus();
    }
  }

  function setBusy(isBusy: boolean): void {
    button.disabled = isBusy;
    button.setAttribute('aria-busy', String(isBusy));
  }

  function showConfirmed(email: string): void {
    form.hidden = true;
    requiredElement(page, '[data-email]', HTMLElement).textContent = email;
    requiredElement(page, '[data-confirmed]', HTMLElement).hidden = false;
    requiredElement(page, '#confirmed', HTMLElement).focus();
  }
}

const secret = takeLinkSecret();
if (secret === null) location.replace('/login');
else startConfirmEmail(document, secret);
