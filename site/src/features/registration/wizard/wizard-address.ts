import { stageOf } from '#core/values/registration-steps.ts';
import { pathOf, stageInPath, titleOf } from './wizard-path.ts';

/** Puts a step into the browser's address and its tab, and leaves the query as it is. */
export function placeInAddress(how: 'pushState' | 'replaceState', step: number): void {
  history[how](null, '', pathOf(stageOf(step)) + location.search);
  document.title = titleOf(stageOf(step));
}

/** The name of the stage in the browser's address; '' where there is none. */
export function stageInAddress(): string {
  return stageInPath(location.pathname);
}
