import type * as React from 'react';

/**
 * What a component draws, as `tests/types.ts` sees it: a text is all that its element holds. A browser that translates
 * a page puts elements in the place of its texts. React writes the only text of an element through the element, and still
 * finds it; one beside others it removes, and updates, where the page no longer has it: the screen breaks, or goes stale.
 */
export { jsx, jsxs } from '../../../node_modules/@types/react/jsx-runtime.d.ts';

type Nothing = boolean | '' | null | undefined;
/** Elements alone, any number of them. */
export type Elements = React.ReactElement | Nothing | readonly Elements[];
/** All that one element holds: a text, or elements. */
export type Content = string | number | bigint | Elements;

export declare function Fragment(props: Readonly<{ key?: React.Key; children?: Elements }>): JSX.Element;

export namespace JSX {
  export type ElementType = React.JSX.ElementType;
  export interface Element extends React.JSX.Element {}
  export interface ElementClass extends React.JSX.ElementClass {}
  export interface ElementAttributesProperty extends React.JSX.ElementAttributesProperty {}
  export interface ElementChildrenAttribute extends React.JSX.ElementChildrenAttribute {}
  export type LibraryManagedAttributes<C, P> = React.JSX.LibraryManagedAttributes<C, P>;
  export interface IntrinsicAttributes extends React.JSX.IntrinsicAttributes {}
  export interface IntrinsicClassAttributes<T> extends React.JSX.IntrinsicClassAttributes<T> {}
  export type IntrinsicElements = {
    [Name in keyof React.JSX.IntrinsicElements]: Omit<React.JSX.IntrinsicElements[Name], 'children'> &
      Readonly<{ children?: Content }>;
  };
}
