import { useEffect, useState } from 'react';
import { runtimeConfig } from '../../api/runtimeConfig.ts';
import type { EventMap as EventMapComponent } from './marks/EventMap.tsx';

type MapState =
  | { state: 'loading' }
  | { state: 'ready'; EventMap: typeof EventMapComponent }
  | { state: 'failed'; reason: string };

/** The map with its library. The library loads while the rest of the page already shows. The map also waits for the
 *  runtime configuration, which has the address of the tiles. */
export function useEventMap(): MapState & { giveUp: () => void } {
  const [map, setMap] = useState<MapState>({ state: 'loading' });

  useEffect(() => {
    let gone = false;
    Promise.all([import('./marks/EventMap.tsx'), runtimeConfig()]).then(
      ([{ EventMap }]) => gone || setMap({ state: 'ready', EventMap }),
      () => gone || setMap({ state: 'failed', reason: 'The map could not be loaded.' }),
    );
    return () => {
      gone = true;
    };
  }, []);

  return {
    ...map,
    giveUp: () => setMap({ state: 'failed', reason: 'This browser cannot draw the map: it has no WebGL2.' }),
  };
}
