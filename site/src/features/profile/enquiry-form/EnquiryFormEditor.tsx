import { EnquiryFormBuilder } from './EnquiryFormBuilder.tsx';

/** What the customer's page asks, to be ticked. Content of the Enquiry form panel. */
export function EnquiryFormEditor() {
  return (
    <div className="panel__body builder">
      <EnquiryFormBuilder />
    </div>
  );
}
