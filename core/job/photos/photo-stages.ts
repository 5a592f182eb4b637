import { countCharacters, singleLine, tooLongMessage } from '#core/values/text.ts';

/** When a photo of the work was taken, with the words on its button. */
export const photoStageLabels = { before: 'Before', during: 'During', after: 'After' } as const;

export type PhotoStage = keyof typeof photoStageLabels;

/** A photo of a stage in a sentence: `added a before photo`. */
export const photoStageWords: Record<PhotoStage, string> = {
  before: 'a before photo',
  during: 'a photo',
  after: 'an after photo',
};

export const photoStages = Object.keys(photoStageLabels) as PhotoStage[];

/** Photos of the work in one job at most, and characters of a caption. */
export const photoLimits = { photos: 40, caption: 100 } as const;

export const tooManyPhotosMessage = `A job holds at most ${photoLimits.photos} photos`;

/** What is wrong with a caption, null when nothing is. */
export function captionProblem(text: string): string | null {
  return countCharacters(singleLine(text)) > photoLimits.caption ? tooLongMessage(photoLimits.caption) : null;
}
