/** The most characters of a question that a tradie thought of (spec.md §5). */
export const customQuestionLength = 100;
