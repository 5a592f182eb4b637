import type { ThemeColour } from '#core/values/business.ts';
import { Icon } from '#site/ui/Icon.tsx';

type Props = Readonly<{ name: string; logo: string | null; theme: ThemeColour }>;

/** The job form as a customer's phone shows it, with what is chosen but not saved. A picture: nothing in it can be used. */
export function FormOnPhone({ name, logo, theme }: Props) {
  return (
    <div className="look__prev" data-biz={theme.slice(1)} role="img" aria-label="Preview of your job form">
      <div className="phone" aria-hidden="true">
        <div className="phone__top">
          <span className="biz-logo biz-logo--sm">
            {logo ? <img src={logo} alt="" /> : <Icon name="hammer" />}
          </span>
          <strong>{name}</strong>
        </div>
        <div className="phone__body">
          <span className="phone__q">What needs fixing?</span>
          <span className="phone__in" />
          <span className="phone__q">Photos</span>
          <span className="phone__photo">
            <Icon name="camera" />
          </span>
          <span className="btn btn--biz">Send</span>
        </div>
      </div>
    </div>
  );
}
