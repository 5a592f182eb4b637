import { createFormHook } from '@tanstack/react-form';
import type { SubmitEvent } from 'react';
import { fieldContext, formContext } from './form-context.ts';
import { PhoneField, TextAreaField, TextField } from './TextField.tsx';

const created = createFormHook({
  fieldContext,
  formContext,
  fieldComponents: { TextField, TextAreaField, PhoneField },
  formComponents: {},
});

/**
 * The one form of the product. Fields that every form may have come with it; the heavier ones (`AddressField`,
 * `ScheduleField`) are put into an `AppField` by the forms that have them. What the server refused of a field goes as soon
 * as the field changes: the library shows it until the field is valid, in place of what is wrong by then.
 */
export const useAppForm: typeof created.useAppForm = (options) =>
  created.useAppForm({
    ...options,
    listeners: {
      ...options.listeners,
      onChange: (event) => {
        event.fieldApi.setMeta((meta) => ({ ...meta, errorMap: { ...meta.errorMap, onSubmit: undefined } }));
        options.listeners?.onChange?.(event);
      },
    },
  });

/** What a form does for its button and for Enter: `send`, and then the first field that was refused, perhaps out of sight, takes the focus. */
export function onSubmitOf(send: () => unknown) {
  return async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget;
    await send();
    // Once the refusal is drawn.
    requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  };
}
