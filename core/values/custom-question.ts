/** The most characters of a question that a tradie thought of. */
export const customQuestionLength = 100;
