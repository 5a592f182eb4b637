import type { Deps } from '#api/deps.ts';
import type { Session } from '#api/http/request-context.ts';
import type { EnquiryFormCommand } from '#core/enquiry-form/commands.ts';
import { enquiryFormDecider } from '#core/enquiry-form/decider.ts';
import type { EnquiryFormState } from '#core/enquiry-form/state.ts';
import { handleCommand } from '#core/event-store/handle-command.ts';
import type { Position } from '#core/event-store/port.ts';
import { batchDecider } from '#core/kernel/decider.ts';
import { NotFoundError } from '#core/kernel/errors.ts';
import { streamName } from '#core/kernel/stream-name.ts';

/** What a change of a form is awaited in before it is answered. */
export const FORM_READ_MODELS = ['public-form'];

export type ChangedForm = Readonly<{ form: NonNullable<EnquiryFormState>; position: Position }>;

/**
 * Several changes of the signed-in tradie's own form, in order, all or none. Answers the form as the log has it.
 * Throws what its decider throws.
 */
export async function changeForm(
  deps: Pick<Deps, 'store' | 'newId' | 'now'>,
  { accountId, businessId }: Session,
  commands: readonly EnquiryFormCommand[],
  correlation: string,
): Promise<ChangedForm> {
  const { state, position } = await handleCommand(
    deps.store,
    batchDecider(enquiryFormDecider),
    streamName('enquiryForm', businessId),
    { type: 'Batch', at: deps.now().toISOString(), data: { commands } },
    { commandId: deps.newId(), actor: `account:${accountId}`, correlation },
  );
  if (state === null) throw new NotFoundError('Form not found');
  return { form: state, position };
}
