/** When a photo of the work was taken, with the words on its button. */
export const photoStageLabels = { before: 'Before', during: 'During', after: 'After' } as const;

export type PhotoStage = keyof typeof photoStageLabels;

export const photoStages = Object.keys(photoStageLabels) as PhotoStage[];

/** Photos of the work in one job at most, and letters of a caption. */
export const photoLimits = { photos: 40, caption: 200 } as const;

export const tooManyPhotosMessage = `A job holds at most ${photoLimits.photos} photos`;
export const captionTooLongMessage = `Use at most ${photoLimits.caption} letters`;
