import { errorTexts } from './spec-texts/errors.ts';
import { limits } from './spec-texts/limits.ts';
import { ruleTexts } from './spec-texts/rules.ts';
import { screenTexts } from './spec-texts/screens.ts';
import type { SpecText } from './spec-texts/section.ts';

/** Every quoted text, label and limit of the specification's sections 2, 5, 8 and 9. */
export const specTexts: readonly SpecText[] = [...screenTexts, ...ruleTexts, ...errorTexts, ...limits];
