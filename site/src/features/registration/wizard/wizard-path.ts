import { product } from '#core/values/product.ts';
import { type Stage, stageOf } from '#core/values/registration-steps.ts';

const root = '/register/tradie';

/** What a step is called in the browser's tab. */
const names: Record<Stage, string> = {
  region: 'Where you are based',
  trades: 'Your trade',
  bn: 'Your business',
  coverage: 'Your area',
  mobile: 'Contact details',
  password: 'Create a password',
  done: 'Set up',
};

export function pathOf(stage: Stage): string {
  return `${root}/${stage}`;
}

/** The name of the stage in a path; '' where there is none. */
function stageInPath(path: string): string {
  return path.startsWith(`${root}/`) ? path.slice(root.length + 1).replace(/\/$/, '') : '';
}

export function titleOf(stage: Stage): string {
  return `${names[stage]} · ${product.name}`;
}

/** Puts a step into the browser's address and its tab, and leaves the query as it is. */
export function placeInAddress(how: 'pushState' | 'replaceState', step: number): void {
  history[how](null, '', pathOf(stageOf(step)) + location.search);
  document.title = titleOf(stageOf(step));
}

/** The name of the stage in the browser's address; '' where there is none. */
export function stageInAddress(): string {
  return stageInPath(location.pathname);
}
