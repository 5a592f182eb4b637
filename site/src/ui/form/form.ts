import { createFormHook } from '@tanstack/react-form';
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
