import { useEffect, useState } from 'react';
import type { Region } from '#core/values/region.ts';
import { Icon } from '#site/ui/Icon.tsx';
import type { Coverage } from '../registration.ts';
import { type LoadedMap, loadCoverageMap } from './load-coverage-map.ts';

type Props = Readonly<{ region: Region; location: Coverage; onChange(part: Partial<Coverage>): void }>;

/** The map's place on the page: the map comes when its code has, and nothing beside it waits for that. */
export function CoverageMapFrame(props: Props) {
  const { region } = props;
  const [map, setMap] = useState<LoadedMap | null>(null);
  const [tries, setTries] = useState(0);
  const [hasFailed, setFailed] = useState(false);

  // An effect, because the map's code lives in the browser alone.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another try is another load
  useEffect(() => {
    let isGone = false;
    setFailed(false);
    loadCoverageMap(region).then(
      (loaded) => !isGone && setMap(loaded),
      () => !isGone && setFailed(true),
    );
    return () => {
      isGone = true;
    };
  }, [region, tries]);

  if (map) return <map.CoverageMap {...props} source={map.source} />;
  return (
    <div className="map cover__map cover__map--waiting">
      {hasFailed ? (
        <div role="alert">
          <p>The map did not load. You can go on with a postcode and the radius.</p>
          <button className="btn btn--secondary" type="button" onClick={() => setTries(tries + 1)}>
            <Icon name="refresh-cw" />
            Try again
          </button>
        </div>
      ) : (
        <p role="status">Please wait...</p>
      )}
    </div>
  );
}
