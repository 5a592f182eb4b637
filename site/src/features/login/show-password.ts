import { requiredElement } from '#site/lib/form/required-element.ts';

/** Lets the Show buttons of a form show and hide the passwords that they control. */
export function startShowButtons(form: HTMLFormElement): void {
  for (const show of form.querySelectorAll('[data-show]')) {
    show.addEventListener('click', () => {
      const password = controlledBy(form, show);
      reveal(password, show, password.type === 'password');
    });
  }
}

/** Hides every password again: what a browser offers to save, and what it shows a bystander, is a password. */
export function hidePasswords(form: HTMLFormElement): void {
  for (const show of form.querySelectorAll('[data-show]')) reveal(controlledBy(form, show), show, false);
}

function reveal(password: HTMLInputElement, show: Element, isShown: boolean): void {
  password.type = isShown ? 'text' : 'password';
  show.textContent = isShown ? 'Hide' : 'Show';
}

function controlledBy(form: HTMLFormElement, show: Element): HTMLInputElement {
  return requiredElement(form, `#${show.getAttribute('aria-controls')}`, HTMLInputElement);
}
