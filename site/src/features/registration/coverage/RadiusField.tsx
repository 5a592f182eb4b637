import { type CSSProperties, useId } from 'react';
import { maxCoverageRadius } from '#core/values/registration-steps.ts';

const most = maxCoverageRadius / 1_000;
const ticks = [0, 25, 50, 75];

/** How far the tradie drives: `radius` in metres, on a slider of 0 to 100 km. */
export function RadiusField({
  radius,
  onChange,
}: Readonly<{ radius: number; onChange(radius: number): void }>) {
  const id = useId();
  const kilometres = Math.round(radius / 1_000);
  return (
    <>
      <div className="cover__row">
        <label className="field__label" htmlFor={id}>
          Radius
        </label>
        <output className="cover__out" htmlFor={id}>
          {`${kilometres} km`}
        </output>
      </div>
      <input
        className="range"
        id={id}
        type="range"
        min={0}
        max={most}
        value={kilometres}
        aria-valuetext={`${kilometres} km`}
        style={{ '--_p': `${(kilometres / most) * 100}%` } as CSSProperties}
        onChange={(event) => onChange(Number(event.target.value) * 1_000)}
      />
      <div className="range-ticks" aria-hidden="true">
        {ticks.map((tick) => (
          <span key={tick}>{tick}</span>
        ))}
        <span>{`${most} km`}</span>
      </div>
    </>
  );
}
