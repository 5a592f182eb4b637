import type { FormQuestion } from '#core/enquiry-form/standard-questions.ts';
import { type EnquiryFormState, questionsInOrder } from '#core/enquiry-form/state.ts';
import { findTrade, type Trade } from '#core/values/trade-catalogue.ts';

type Form = NonNullable<EnquiryFormState>;

/** A question as its owner sees it. `tradie` is the business where the question is its own. */
export type QuestionView = Readonly<
  Omit<FormQuestion, 'trade' | 'own' | 'field'> & { tradie: string | null; trade: { id: string } | null }
>;

/** The whole form, in the order in which it is shown. */
export function formView(form: Form): { questions: QuestionView[] } {
  return { questions: questionsInOrder(form).map((question) => questionView(form, question)) };
}

export function questionView({ businessId }: Form, question: FormQuestion): QuestionView {
  const { own, trade, field: _, ...shown } = question;
  return { ...shown, tradie: own ? businessId : null, trade: trade === null ? null : { id: trade } };
}

/** The trades of a business, with all that its people do; one that is no longer offered keeps its id for a name. */
export function tradesView({ trades }: Pick<Form, 'trades'>): Omit<Trade, 'people'>[] {
  return [...new Set(trades)].map((id) => {
    const { name, specialties } = findTrade(id) ?? { name: id, specialties: [] };
    return { id, name, specialties };
  });
}
