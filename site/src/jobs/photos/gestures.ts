import { type PointerEvent, useRef, useState, type WheelEvent } from 'react';

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

const still: Point = { x: 0, y: 0 };
/** How far a finger may go and still tap, in CSS pixels. */
const tapRange = 8;

/**
 * Fingers and mouse over a photo: pinch, wheel and double tap enlarge it, an enlarged one is moved, and a whole one is swiped.
 * `drag` is how far a swipe under way has gone. The element with `handlers` is the stage, with `touch-action: none`.
 */
export function usePhotoGestures(onSwipe: (swipe: Swipe) => void) {
  const [view, setView] = useState<View>(wholePhoto);
  const [drag, setDrag] = useState<Point | null>(null);
  const down = useRef(new Map<number, Point>());
  const gesture = useRef({ went: still, isPinch: false });
  const lastTap = useRef<Tap | null>(null);

  const zoomBy = (factor: number, at: Point, stage: Size) =>
    setView((before) => zoomed(before, factor, at, stage));

  function onPointerDown(event: PointerEvent<HTMLElement>): void {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    if (down.current.size === 0) gesture.current = { went: still, isPinch: false };
    down.current.set(event.pointerId, placeOf(event));
    if (down.current.size > 1) {
      gesture.current.isPinch = true;
      setDrag(null);
    }
  }

  function onPointerMove(event: PointerEvent<HTMLElement>): void {
    const before = down.current.get(event.pointerId);
    if (!before) return;
    const now = placeOf(event);
    const by = { x: now.x - before.x, y: now.y - before.y };
    const stage = sizeOf(event.currentTarget);
    const other = [...down.current].find(([id]) => id !== event.pointerId)?.[1];
    down.current.set(event.pointerId, now);
    if (other) {
      const factor = distance(now, other) / Math.max(1, distance(before, other));
      const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
      setView((one) => moved(zoomed(one, factor, middle, stage), { x: by.x / 2, y: by.y / 2 }, stage));
      return;
    }
    const { went, isPinch } = gesture.current;
    gesture.current.went = { x: went.x + by.x, y: went.y + by.y };
    if (view.scale > 1) setView((one) => moved(one, by, stage));
    else if (!isPinch) setDrag(gesture.current.went);
  }

  function onPointerUp(event: PointerEvent<HTMLElement>): void {
    const place = down.current.get(event.pointerId);
    if (!place || !down.current.delete(event.pointerId) || down.current.size > 0) return;
    setDrag(null);
    const { went, isPinch } = gesture.current;
    if (isPinch) return;
    const stage = sizeOf(event.currentTarget);
    const swipe = view.scale > 1 ? null : swipeOf(went, stage);
    if (Math.hypot(went.x, went.y) < tapRange) onTap({ ...place, at: event.timeStamp }, stage);
    else if (swipe) onSwipe(swipe);
  }

  function onTap(tap: Tap, stage: Size): void {
    const isSecond = isDoubleTap(lastTap.current, tap);
    lastTap.current = isSecond ? null : tap;
    if (!isSecond) return;
    if (view.scale > 1) setView(wholePhoto);
    else zoomBy(2, tap, stage);
  }

  function onPointerCancel({ pointerId }: PointerEvent<HTMLElement>): void {
    down.current.delete(pointerId);
    setDrag(null);
  }

  function onWheel(event: WheelEvent<HTMLElement>): void {
    zoomBy(event.deltaY < 0 ? 1.2 : 1 / 1.2, placeOf(event), sizeOf(event.currentTarget));
  }

  return {
    view,
    drag,
    /** Enlarges about the middle of the stage. */
    zoom: (factor: number, stage: HTMLElement | null) => stage && zoomBy(factor, still, sizeOf(stage)),
    reset: () => setView(wholePhoto),
    handlers: { onPointerDown, onPointerMove, onPointerUp, onPointerCancel, onWheel },
  };
}

function placeOf(event: PointerEvent<HTMLElement> | WheelEvent<HTMLElement>): Point {
  const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
  return { x: event.clientX - left - width / 2, y: event.clientY - top - height / 2 };
}

function sizeOf({ clientWidth, clientHeight }: HTMLElement): Size {
  return { width: clientWidth, height: clientHeight };
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
