/** The mascot again, as the top bar of the page has drawn it. Decorative. */
export function KelFace({ className }: { className: string }) {
  return (
    <svg className={className} viewBox="0 0 96 96" aria-hidden="true">
      <use href="#kel" />
    </svg>
  );
}

/** The top of a page that greets: the ute on the sun, as the page has drawn it hidden. Decorative. */
export function HelloScene() {
  return (
    <div className="hello__top">
      <svg className="scene" viewBox="0 0 400 216" aria-hidden="true">
        <use href="#scene" />
      </svg>
    </div>
  );
}
