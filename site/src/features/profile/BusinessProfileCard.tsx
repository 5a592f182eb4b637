import type { Profile } from '#site/lib/profile.ts';
import { Icon } from '#site/ui/Icon.tsx';
import { shareJobForm } from './share-job-form.ts';

/** The business as customers meet it, with its job form to look at and to hand out. Without a slug it has no form yet. */
export function BusinessProfileCard({ profile }: { profile: Profile }) {
  const { slug, logo, theme, type, bn } = profile;
  return (
    <section className="card bp" aria-labelledby="business-profile" data-biz={theme.slice(1)}>
      <h2 id="business-profile">Business Profile</h2>
      <div className="bp__id">
        <span className="biz-logo" aria-hidden="true">
          {logo ? <img src={logo} alt="" /> : <Icon name="hammer" />}
        </span>
        <div>
          <strong>{bn.tradingName || bn.name}</strong>
          {slug && <span className="bp__url">{`${location.host}/t/${slug}`}</span>}
        </div>
      </div>
      <div className="bp__do">
        {slug ? (
          <a className="btn btn--secondary" href={`/t/${slug}`} target="_blank" rel="noopener">
            <Icon name="eye" />
            Preview
          </a>
        ) : (
          <button className="btn btn--secondary" type="button" disabled>
            <Icon name="eye" />
            Preview
          </button>
        )}
        <button
          className="btn btn--primary"
          type="button"
          disabled={!slug}
          onClick={() => slug && void shareJobForm(slug)}
        >
          <Icon name="copy" />
          Share
        </button>
      </div>
      <a className="bp__edit" href="/profile/brand">
        {type === 'starter' ? 'Change colour and address' : 'Change logo, colour and address'}
      </a>
      {!slug && <p className="muted">Your job form gets its address when your profile is set up.</p>}
    </section>
  );
}
