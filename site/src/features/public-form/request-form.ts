import { type JobRequestValues, problemOf, validateJobRequest } from '#core/values/job-form.ts';
import { isRegion, type Region } from '#core/values/region.ts';
import type { Outcome } from '#site/lib/http/fetch-outcome.ts';
import { newId } from '#site/lib/secure/new-id.ts';
import { answerPrefix, bodyOf, draftOf, type FormValues, readValues } from '#site/ui/plain-form/form-body.ts';
import {
  refusalsOf,
  settleNotice,
  showNotice,
  shownProblems,
  showProblem,
  showProblems,
} from '#site/ui/plain-form/form-messages.ts';
import { limitFields } from '#site/ui/plain-form/limit-fields.ts';
import { botCheck, type Sent, send, timeToTryAgain } from '#site/ui/plain-form/send.ts';
import { addressBox } from './address-box.ts';
import { type Files, filesField } from './files-field.ts';
import { sentRequest } from './sent-request.ts';

const offline = 'There is no network. We keep what you typed and send it as soon as you are back online.';
const tryingAgain =
  'We cannot reach the server just now. We keep what you typed and send it as soon as that works: leave this page open.';

const stillGoingUp = 'Your photos are still going up. Wait for them, or send your request without them.';

const none = { kind: 'ok', payload: { media: [], unsentFiles: 0 } } as const;
/** How long a request waits for its photos before it may go without them, in milliseconds. */
const photosTimeout = 10_000;

/** Adds to the plain form: a draft, messages while typing, and a way to send that outlives a lost network. */
function enhance(form: HTMLFormElement, slug: string): void {
  const draft = draftOf(slug);
  const button = form.querySelector<HTMLButtonElement>('[type="submit"]');
  const withoutPhotos = form.querySelector<HTMLButtonElement>('[data-without-photos]');
  const isAnswered = Object.keys(shownProblems(form)).length > 0;
  const refusals = refusalsOf(form);
  const messageOf = (name: string) => refusals.current()[name] ?? problemIn(form, name);
  const settle = () => {
    if (!isBusy()) settleNotice(form);
  };
  const asked = questionsOf(form);
  let former: FormValues = {};
  const saveDraft = (more: FormValues = {}) =>
    draft.saveValues({
      ...{ ...former, ...readValues(form), asked: JSON.stringify(asked) },
      ...{ media: files?.stored() ?? '', place: address?.stored() ?? '', ...more },
    });
  const onFilesChange = () => {
    saveDraft();
    settle();
    if (!files?.isWaiting()) offerToLeave(false);
  };
  const files = canProveWork() ? filesField(form, slug, onFilesChange) : null;
  const addressField = form.querySelector<HTMLInputElement>('#address');
  const address = canProveWork() && addressField ? addressBox(addressField, slug) : null;
  if (!isAnswered) {
    const { media, place, asked: before, notice, ...values } = draft.values();
    restore(form, values);
    former = formerIn(form, values);
    files?.restore(media);
    address?.restore(place);
    if (notice) showNotice(form, notice);
    if (Object.keys(former).length > 0) void carryFormer(before);
  }
  refusals.take(shownProblems(form), readValues(form));
  form.noValidate = true;
  limitFields(form);

  for (const type of ['input', 'change']) form.addEventListener(type, () => saveDraft());
  form.addEventListener('focusout', ({ target }) => {
    const { name, value } = target as HTMLInputElement;
    if (value && name !== 'media') showProblem(form, name, messageOf(name));
  });
  form.addEventListener('input', ({ target }) => {
    const { name } = target as HTMLInputElement;
    if (name !== 'media' && name in shownProblems(form)) showProblem(form, name, messageOf(name));
    settle();
  });
  form.addEventListener('submit', (event) => {
    const problems = problemsIn(form);
    if (Object.keys(problems).length > 0) {
      event.preventDefault();
      showNotice(form, 'Please check the marked fields.');
      showProblems(form, problems);
    } else if (canProveWork()) {
      event.preventDefault();
      if (!isBusy()) void submit();
    }
  });
  let leave = () => {};
  withoutPhotos?.addEventListener('click', () => {
    if (!isBusy()) form.requestSubmit();
    leave();
  });
  addEventListener('pageshow', () => setBusy(false));
  if (canProveWork()) form.addEventListener('focusin', () => void botCheck.ticket(), { once: true });

  const isBusy = () => button?.getAttribute('aria-busy') === 'true';
  const setBusy = (busy: boolean) => button?.setAttribute('aria-busy', String(busy));

  function offerToLeave(isOffered: boolean): void {
    if (withoutPhotos) withoutPhotos.hidden = !isOffered;
    if (isOffered && !form.querySelector('#notice:not([hidden])')) showNotice(form, stillGoingUp);
  }

  /** Where it cannot be loaded, the answers stay in the draft. */
  async function carryFormer(before: string | undefined): Promise<void> {
    const { carryOver } = await import('./changed-form.ts');
    former = carryOver(form, former, { before, asked, refusals });
    saveDraft();
  }

  /** Where the bot check cannot run, the form goes as it does without script. */
  function sendPlain(): void {
    files?.handOver();
    form.submit();
  }

  async function submit(): Promise<void> {
    setBusy(true);
    showNotice(form, null);
    showProblems(form, {});
    files?.start();
    const [values, place] = [readValues(form), address?.chosen() ?? null];
    let isLeft = !files;
    const left = new Promise<Outcome<Files>>((resolve) => {
      leave = () => {
        isLeft = true;
        offerToLeave(false);
        resolve(files ? { kind: 'ok', payload: files.leave() } : none);
      };
      if (!files) resolve(none);
    });
    const offering = setTimeout(() => {
      if (!isLeft && files?.isWaiting()) offerToLeave(true);
    }, photosTimeout);
    let unsentFiles = 0;
    const attempt = async (): Promise<Outcome<Sent>> => {
      const uploaded = await Promise.race(isLeft || !files ? [left] : [left, files.uploaded()]);
      if (uploaded.kind !== 'ok') {
        // What refuses a photo, and not for its own sake, may go on doing so.
        if (uploaded.kind === 'refused') offerToLeave(true);
        return uploaded;
      }
      ({ unsentFiles } = uploaded.payload);
      const body = JSON.stringify(bodyOf(values, { place, ...uploaded.payload }));
      return send(slug, body, draft.keyFor(body, newId));
    };
    let outcome = await attempt();
    for (let tries = 1; outcome.kind === 'lost'; tries += 1) {
      if (botCheck.isBlocked()) return sendPlain();
      showNotice(form, navigator.onLine ? tryingAgain : offline);
      await Promise.race([timeToTryAgain(tries), ...(isLeft ? [] : [left])]);
      outcome = await attempt();
    }
    clearTimeout(offering);
    if (outcome.kind === 'ok') {
      draft.remove();
      files?.forget();
      sentRequest(slug).save({
        ...{ reference: outcome.payload.reference, at: Date.now(), values, unsentFiles },
        previews: files?.previews() ?? [],
      });
      location.assign(`/t/${slug}/sent?ref=${encodeURIComponent(outcome.payload.reference)}`);
      return;
    }
    setBusy(false);
    if (outcome.fields.answers) {
      // The page brings what is asked now, the draft all that was typed. The server does both where the browser stores nothing.
      if (!saveDraft({ notice: outcome.message })) return sendPlain();
      return location.replace(location.pathname);
    }
    showNotice(form, outcome.message);
    refusals.take(outcome.fields, values);
    showProblems(form, refusals.current());
    if (outcome.fields.media) files?.startOver();
  }
}

/** The proof of work needs the browser's cryptography, which plain http has not: there the form posts itself. */
function canProveWork(): boolean {
  return isSecureContext && typeof Worker === 'function';
}

function restore(form: HTMLFormElement, values: FormValues): void {
  for (const control of form.elements) {
    const value = values[control.getAttribute('name') ?? ''];
    if (value === undefined) continue;
    if (control instanceof HTMLTextAreaElement) control.value = value;
    else if (control instanceof HTMLInputElement) {
      if (control.type === 'checkbox' || control.type === 'radio') control.checked = control.value === value;
      else control.value = value;
    }
  }
}

/** The words of each question, by the name of its control. */
function questionsOf(form: HTMLFormElement): FormValues {
  const labels = [...form.querySelectorAll(`[id^="${answerPrefix}"][id$="-error"]`)].map((error) => [
    error.id.slice(0, -'-error'.length),
    error.closest('.field')?.querySelector('.field__label')?.firstChild?.textContent?.trim() ?? '',
  ]);
  return Object.fromEntries(labels);
}

/** The answers of a draft that the form has no place for: it was changed since. */
function formerIn(form: HTMLFormElement, values: FormValues): FormValues {
  const taken = readValues(form);
  return Object.fromEntries(
    Object.entries(values).filter(
      ([name, value]) => name.startsWith(answerPrefix) && value.trim() !== '' && taken[name] === undefined,
    ),
  );
}

function problemsIn(form: HTMLFormElement): Record<string, string> {
  const values = readValues(form);
  const typed = values as unknown as JobRequestValues;
  const problems: Record<string, string> = { ...validateJobRequest(typed, countryOf(form)) };
  for (const control of form.elements) {
    const name = control.getAttribute('name') ?? '';
    if (!name.startsWith(answerPrefix)) continue;
    const problem = problemIn(form, name);
    if (problem) problems[name] = problem;
  }
  return problems;
}

/** The message of one field as it stands. The questions' messages are the server's words. */
function problemIn(form: HTMLFormElement, name: string): string | null {
  const value = readValues(form)[name] ?? '';
  if (!name.startsWith(answerPrefix)) {
    return problemOf(name as keyof JobRequestValues, value, countryOf(form));
  }
  const control = form.querySelector<HTMLInputElement>(`[name="${CSS.escape(name)}"]`);
  if (value.trim() === '') return control?.required ? 'Please answer this question' : null;
  return control?.inputMode === 'numeric' && !/^\d{1,3}$/.test(value.trim()) ? 'Enter a whole number' : null;
}

/** Whose phone numbers need no prefix; null on a page of a release before. */
function countryOf({ dataset: { country } }: HTMLFormElement): Region | null {
  return isRegion(country) ? country : null;
}

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-request-form]')) {
  enhance(form, form.dataset.requestForm ?? '');
}
