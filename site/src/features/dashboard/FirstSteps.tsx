import { useStore } from '@nanostores/react';
import { defaultThemeColour } from '#core/values/theme-colours.ts';
import { $firstSteps, type NotedSteps, noteFirstStep } from '#site/lib/first-steps.ts';
import { useQuery } from '#site/lib/http/query.ts';
import type { Profile } from '#site/lib/profile.ts';
import { profileQuery } from '#site/lib/profile-settings.ts';
import { KelFace } from '#site/ui/drawn-again.tsx';
import { Icon } from '#site/ui/Icon.tsx';
import { shareJobForm } from '#site/ui/share-job-form.ts';
import { Line } from './ToFinish.tsx';

/** What a dashboard without jobs shows until the first one arrives: three lines that bring it, and the way to type one in. */
export function FirstSteps() {
  const { data: profile, status } = useQuery(profileQuery);
  const noted = useStore($firstSteps, { ssr: 'initial' });
  const steps = profile ? firstSteps(profile, noted) : null;
  const done = steps ? Object.values(steps).filter(Boolean).length : 0;

  if (!profile || !steps) return status === 'error' ? <TypeOneIn /> : <ListSkeleton />;
  const { slug, type } = profile;
  return (
    <>
      <section className="card first" aria-labelledby="first-steps">
        <div className="first__head">
          <div>
            <h2 id="first-steps">Three things and you are open</h2>
            <p className="lede" role="status">{`${done} of 3 done`}</p>
          </div>
          <KelFace className="first__kel" />
        </div>
        <ol>
          <Line mark={1} isDone={steps.form} name="Your job form is live" note={formNote(slug)}>
            {slug ? (
              <a className="btn btn--quiet btn--sm" href={`/t/${slug}`} target="_blank" rel="noopener">
                See it
              </a>
            ) : (
              <a className="btn btn--secondary" href="/profile/brand">
                Set up
              </a>
            )}
          </Line>
          <Line
            mark={2}
            isDone={steps.share}
            name="Share the link"
            note="The first job usually comes from somebody you know"
          >
            <button
              className={steps.share ? 'btn btn--secondary' : 'btn btn--primary'}
              type="button"
              disabled={!slug}
              onClick={() => slug && void share(slug)}
            >
              <Icon name="share" />
              <span>Share</span>
            </button>
          </Line>
          <Line
            mark={3}
            isDone={steps.look}
            name={type === 'starter' ? 'Colour' : 'Logo and colour'}
            note="So customers know it is you"
          >
            <a className="btn btn--secondary" href="/profile?panel=look">
              {steps.look ? 'Change' : 'Choose'}
            </a>
          </Line>
        </ol>
      </section>
      <TypeOneIn />
    </>
  );
}

async function share(slug: string): Promise<void> {
  if (await shareJobForm(slug)) noteFirstStep({ isShared: true });
}

function formNote(slug: string | null): string {
  return slug ? `${location.host}/t/${slug}` : 'It gets its address when your profile is set up';
}

function TypeOneIn() {
  return (
    <section className="card first-job" aria-labelledby="first-job">
      <div>
        <h2 id="first-job">Got a job on the phone already?</h2>
        <p className="lede">Put it in, it takes a minute.</p>
      </div>
      <a className="btn btn--secondary" href="/jobs/add">
        <Icon name="plus" />
        <span>Add</span>
      </a>
    </section>
  );
}

/** The shape of the list while the profile loads. */
function ListSkeleton() {
  return (
    <div className="card first first--sk" aria-hidden="true">
      {[0, 1, 2, 3].map((line) => (
        <span key={line} className="sk sk--block" />
      ))}
    </div>
  );
}

/** Which of the three lines are done. */
export type DoneSteps = Readonly<{ form: boolean; share: boolean; look: boolean }>;

/** What the profile and this browser hold together. A logo or a colour of its own is a look, on whatever device it was chosen. */
export function firstSteps(
  { slug, logo, theme }: Pick<Profile, 'slug' | 'logo' | 'theme'>,
  { isShared, hasLook }: NotedSteps,
): DoneSteps {
  return {
    form: slug !== null,
    share: isShared,
    look: hasLook || logo !== null || theme !== defaultThemeColour,
  };
}
