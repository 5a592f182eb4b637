import { createFormHookContexts } from '@tanstack/react-form';

/** How the parts of a form find their field and their form. */
export const { fieldContext, formContext, useFieldContext, useFormContext } = createFormHookContexts();
