import { normaliseEmail } from '#core/values/contact.ts';
import { requiredElement } from '#site/lib/form.ts';
import { ApiError, request, unknownFailure } from '#site/lib/http/api.ts';
import { showToast } from '#site/ui/toast/plain-toast.ts';
import { fillingEvents, hasEmail } from './auth-form.ts';

/** Asks for the mail with the reset link; the page then says that it was sent, whether or not an account has the email. */
function startForgotPassword(page: Document): void {
  const form = requiredElement(page, '[data-ask]', HTMLFormElement);
  const fields = requiredElement(form, 'fieldset', HTMLFieldSetElement);
  const email = requiredElement(form, '#email', HTMLInputElement);
  const submit = requiredElement(form, '[type=submit]', HTMLButtonElement);
  let hideFailure = () => {};
  const refresh = () => {
    submit.disabled = !hasEmail(email);
  };
  for (const event of fillingEvents) form.addEventListener(event, refresh);
  refresh();
  email.addEventListener('input', () => hideFailure());
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (!fields.disabled && hasEmail(email)) void ask();
  });

  async function ask(): Promise<void> {
    setBusy(true);
    hideFailure();
    try {
      const body = { email: normaliseEmail(email.value) };
      await request('POST', '/authenticate/forgot-password', { body });
      showSent();
    } catch (error) {
      const message = error instanceof ApiError ? error.message : unknownFailure;
      hideFailure = showToast({ kind: 'error', title: 'Error requesting password reset', message });
      setBusy(false);
      submit.focus();
    }
  }

  function setBusy(isBusy: boolean): void {
    fields.disabled = isBusy;
    submit.setAttribute('aria-busy', String(isBusy));
  }

  function showSent(): void {
    form.hidden = true;
    requiredElement(page, '[data-sent]', HTMLElement).hidden = false;
    const heading = requiredElement(page, '#sent', HTMLElement);
    page.title = page.title.replace(/^[^·]*/, `${heading.textContent} `);
    heading.focus();
  }
}

startForgotPassword(document);
