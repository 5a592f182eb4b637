/** The mascot again, as the top bar of the page has drawn it. Decorative. */
export function KelFace({ className }: { className: string }) {
  return (
    <svg className={className} viewBox="0 0 96 96" aria-hidden="true">
      <use href="#kel" />
    </svg>
  );
}
