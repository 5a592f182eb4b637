/** The shape of the profile while it loads. */
export function ProfileSkeleton() {
  return (
    <>
      <div className="profile__sum" role="status">
        <span className="sk sk--round avatar--lg" />
        <div className="profile__sk">
          <h1 className="sr">Profile</h1>
          <span className="sk" />
          <span className="sk" />
          <span className="sr">Loading…</span>
        </div>
      </div>
      <div className="profile__cols">
        <div className="card bp">
          <span className="sk" />
          <span className="sk sk--block bp__sk" />
        </div>
      </div>
    </>
  );
}
