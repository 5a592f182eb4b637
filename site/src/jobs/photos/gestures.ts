/** CSS pixels, from the middle of the stage. */
export type Point = Readonly<{ x: number; y: number }>;
export type Size = Readonly<{ width: number; height: number }>;

/** How a photo lies on its stage: enlarged `scale` times, its middle at `x` and `y`. */
export type View = Point & Readonly<{ scale: number }>;

export const wholePhoto: View = { scale: 1, x: 0, y: 0 };

const largest = 5;

/** The view enlarged by `factor` so that what is at `at` stays there; never smaller than the stage. */
export function zoomed(view: View, factor: number, at: Point, stage: Size): View {
  const scale = Math.min(largest, Math.max(1, view.scale * factor));
  const ratio = scale / view.scale;
  const along = (middle: number, point: number) => point - (point - middle) * ratio;
  return withinStage({ scale, x: along(view.x, at.x), y: along(view.y, at.y) }, stage);
}

/** The view moved by so many pixels, as far as the photo goes. */
export function moved(view: View, by: Point, stage: Size): View {
  return withinStage({ ...view, x: view.x + by.x, y: view.y + by.y }, stage);
}

function withinStage({ scale, x, y }: View, { width, height }: Size): View {
  if (scale === 1) return wholePhoto;
  const kept = (value: number, length: number) => {
    const most = ((scale - 1) * length) / 2;
    return Math.min(most, Math.max(-most, value));
  };
  return { scale, x: kept(x, width), y: kept(y, height) };
}

export type Swipe = 'next' | 'previous' | 'close';

/** What a finger asks for that went `by` over a photo in full; null for what is too short or goes up. */
export function swipeOf({ x, y }: Point, { width }: Size): Swipe | null {
  if (Math.abs(x) <= Math.abs(y)) return y > 96 ? 'close' : null;
  if (Math.abs(x) < Math.min(96, width / 6)) return null;
  return x < 0 ? 'next' : 'previous';
}

/** A tap: where it was, and when in milliseconds of the event's own clock. */
export type Tap = Point & Readonly<{ at: number }>;

/** Whether a tap is the second of two at one place. */
export function isDoubleTap(first: Tap | null, { x, y, at }: Tap): boolean {
  return first !== null && at - first.at < 350 && Math.hypot(x - first.x, y - first.y) < 32;
}
